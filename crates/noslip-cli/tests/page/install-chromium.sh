#!/bin/sh
# Installs what the browser tests need, where the system's packages can be installed; says so where they cannot.
set -eu
if command -v chromium >/dev/null 2>&1; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "no Chromium, and no apt-get to install it with: install Chromium by hand" >&2
    exit 1
fi
run=""
[ "$(id -u)" = 0 ] || run="sudo"
$run apt-get update -qq
DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends chromium fonts-stix fonts-noto-core
