"""A sweep dealt to the workers of a Dask cluster.

    python examples/sweep_dask.py --workers 2 rolling-disk --vary theta=0.8:1.5:20000 --until 2 -o tilt
    python examples/sweep_dask.py --scheduler tcp://head:8786 --shards 512 model.toml --vary a=0.1:0.9:10000000 -o /shared/run

The first makes a cluster of its own on this machine; the second asks one that is there, whose workers see the folder. What follows
the options of this script are those of `noslip sweep`. A worker that is lost costs the parts it was making; the bytes are the same.
"""

import argparse
import subprocess
import sys

from distributed import Client, LocalCluster


def shard(arguments: list[str], number: int, of: int) -> int:
    """One shard, in a process of its own: what happens to it does not happen to the worker."""
    program = [sys.executable, "-m", "noslip", "sweep", *arguments]
    subprocess.run([*program, "--shards", str(of), "--shard", str(number), "--threads", "1"], check=True, stdout=subprocess.DEVNULL)
    return number


def sweep(client: Client, arguments: list[str], shards: int) -> None:
    """All shards, on whatever workers there are and come; then the manifest, and what is still missing."""
    client.gather([client.submit(shard, arguments, i, shards, retries=3, pure=False) for i in range(shards)])
    subprocess.run([sys.executable, "-m", "noslip", "sweep", *arguments], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", help="address of a cluster; without it one is made here")
    parser.add_argument("--workers", type=int, help="processes of the cluster that is made here; all cores if absent")
    parser.add_argument("--shards", type=int, default=64, help="pieces to deal out (64)")
    ours, sweep_arguments = parser.parse_known_args()
    cluster = ours.scheduler or LocalCluster(n_workers=ours.workers, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        sweep(client, sweep_arguments, ours.shards)


if __name__ == "__main__":
    main()
