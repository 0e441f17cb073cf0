#!/bin/sh
# Installs what the browser tests need, where the system's packages can be installed; says so where they cannot.
set -eu
for name in "${NOSLIP_CHROMIUM:-chromium}" chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then
        exit 0
    fi
done
if ! command -v apt-get >/dev/null 2>&1; then
    echo "no Chromium, and no apt-get to install it with: install Chromium by hand" >&2
    exit 1
fi
run=""
[ "$(id -u)" = 0 ] || run="sudo -n"
echo "installing Chromium for the browser tests" >&2
$run apt-get update -qq >/dev/null
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-stix fonts-noto-core >/dev/null
