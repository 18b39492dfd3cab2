"""Trains all models, or those that are named: `python3 scripts/train/train.py [name …]`. README.md beside this file says more."""

import importlib
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import torch

from common import OUT

MODELS = (
    "pointer_generator",
    "bahdanau",
    "pointer_network",
    "self_attention",
    "attention_over_attention",
    "hierarchical_attention",
    "key_value_memory",
    "graph_attention",
)


def run(name):
    # One thread a process: sums in one order, so that a machine gives the same bits each time.
    torch.set_num_threads(1)
    start = time.perf_counter()
    about = importlib.import_module(name).run()
    return row(about), time.perf_counter() - start


def row(about):
    """The model's line in the table of docs/trained.md."""
    size = (OUT / about["checkpoints"][-1]["file"]).stat().st_size
    figures = " | ".join(f"{one['accuracy']:.3f} ({one['steps']})" for one in about["checkpoints"])
    return f"| `{about['name']}` | {about['task']} | {about['parameters']} | {size / 1000:.1f} kB | {figures} |"


if __name__ == "__main__":
    names = sys.argv[1:] or MODELS
    if unknown := set(names) - set(MODELS):
        sys.exit(f"unknown models {', '.join(sorted(unknown))}; there are {', '.join(MODELS)}")
    start = time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        for done in as_completed([pool.submit(run, name) for name in names]):
            line, seconds = done.result()
            print(f"{line} {seconds:.0f} s", flush=True)
    print(f"all in {time.perf_counter() - start:.0f} s")
