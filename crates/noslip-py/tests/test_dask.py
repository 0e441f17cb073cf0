"""The sweep of examples/sweep_dask.py on a cluster of two processes, one of which is killed."""

import hashlib
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "examples" / "sweep_dask.py"
SWEEP = ["chaplygin-sledge", "--vary", "phi=0:3:250", "--vary", "phi'=-1:1:250", "--until", "2"]


def bytes_of(folder: Path) -> dict:
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(folder.iterdir())}


def test_a_worker_that_is_lost_changes_nothing(tmp_path):
    distributed = pytest.importorskip("distributed")
    alone, together = tmp_path / "alone", tmp_path / "together"
    subprocess.run([sys.executable, "-m", "noslip", "sweep", *SWEEP, "-o", str(alone)], check=True)
    sweep = runpy.run_path(str(SCRIPT))["sweep"]
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        victims = list(client.run(os.getpid).values())
        assert len(victims) == 2

        def kill() -> None:
            # As soon as the first part is there.
            while not list(together.glob("part-*.parquet")):
                time.sleep(0.01)
            os.kill(victims[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        sweep(client, [*SWEEP, "-o", str(together)], 8)
        killer.join()
        # The nanny has put another one in its place, or the other one did it all.
        assert victims[0] not in client.run(os.getpid).values()
    files = bytes_of(alone)
    assert len(files) == 17 and "manifest.json" in files
    assert bytes_of(together) == files
