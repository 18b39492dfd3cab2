"""Shared by all models: the held-out split, the training loop, and the files of the checkpoints."""

import json
import math
import random
import struct
import zlib
from collections import defaultdict
from pathlib import Path

import torch

OUT = Path(__file__).resolve().parents[2] / "web" / "public" / "trained"
SEED = 1

# A decision is close where the two largest probabilities differ by less: another order of float32's sums may turn it.
CLOSE = 1e-4


def is_held_out(key):
    """Whether an example is kept from training: by its key alone, so that no run can train on one that is tested."""
    return zlib.crc32(key.encode()) % 8 == 0


def draw(make, count, held_out, seed=SEED):
    """`count` different examples of make(rng), dicts with a `key`: all held out, or none."""
    rng, found = random.Random(f"{seed} {held_out}"), {}
    while len(found) < count:
        example = make(rng)
        if is_held_out(example["key"]) == held_out:
            found.setdefault(example["key"], example)
    return list(found.values())


def group(examples, *names):
    """Batches of examples whose arrays have equal shapes, so that nothing is padded: [{name: Tensor}]."""
    groups = defaultdict(list)
    for example in examples:
        tensors = {name: torch.tensor(example[name]) for name in names}
        groups[tuple(tuple(tensor.shape) for tensor in tensors.values())].append(tensors)
    return [{name: torch.stack([one[name] for one in rows]) for name in names} for rows in groups.values()]


def matrix(*shape, scale=1.0):
    """A parameter [in, out], or [..., in, out], that keeps the variance of what it is multiplied with."""
    rows = shape[-2] if len(shape) > 1 else shape[0]
    return torch.nn.Parameter(torch.randn(*shape) * (scale / math.sqrt(rows)))


def zeros(*shape):
    return torch.nn.Parameter(torch.zeros(shape))


def train(model, batches, steps, keep, rate=3e-3, size=128, first=0):
    """Trains with Adam on random rows of the batches; model.loss(batch) is [N].

    The rate rises for 50 steps, then falls linearly to a twentieth. Returns what there is after the steps of `keep`: [(step, model, state)].
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    counts = torch.tensor([float(len(next(iter(batch.values())))) for batch in batches])
    states = []
    for step in range(steps + 1):
        if first + step in keep:
            states.append((first + step, model, {name: value.clone() for name, value in model.state_dict().items()}))
        if step == steps:
            return states
        batch = batches[torch.multinomial(counts, 1).item()]
        rows = torch.randint(len(next(iter(batch.values()))), (size,))
        for rates in optimizer.param_groups:
            rates["lr"] = rate * min(1, (step + 1) / 50) * (1 - 0.95 * step / steps)
        optimizer.zero_grad()
        model.loss({name: values[rows] for name, values in batch.items()}).mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def choose(probability):
    """The likeliest of the last axis, and by how much it leads."""
    best = probability.topk(2, dim=-1)
    return best.indices[..., 0], best.values[..., 0] - best.values[..., 1]


def halved(state):
    """The state as a file of float16 gives it back."""
    return {name: value.half().float() for name, value in state.items()}


@torch.no_grad()
def evaluate(model, state, batches):
    """Figures of a checkpoint as its file gives it, in float64.

    model.predict(batch) has `right` [N, decisions], `margin` [N], `loss` [N], and further measures [N] or [N, decisions].
    accuracy: share of right decisions; exact: share of examples without a wrong one; close: examples with a close decision;
    lossError: how far the losses of a float32 run are from those in float64, on average.
    """
    runs = {}
    for dtype in (torch.float32, torch.float64):
        model.load_state_dict(halved(state))
        model.to(dtype)
        parts = [model.predict(batch) for batch in batches]
        runs[dtype] = {name: [row for part in parts for row in part[name].to(torch.float64)] for name in parts[0]}
    model.to(torch.float32)
    single, double = runs.values()
    margin, loss, right = double.pop("margin"), double.pop("loss"), double.pop("right")
    mean = lambda rows: torch.cat([row.reshape(-1) for row in rows]).mean().item()
    figures = {
        "accuracy": mean(right),
        "exact": mean([row.min() for row in right]),
        "loss": mean(loss),
        **{name: mean(rows) for name, rows in double.items()},
        "close": sum(int(value < CLOSE) for value in margin),
        "lossError": mean([abs(a - b) for a, b in zip(loss, single["loss"])]),
    }
    return {name: float(f"{value:.9g}") if isinstance(value, float) else value for name, value in figures.items()}


def write_safetensors(path, state):
    """The state in float16 as a safetensors file (https://huggingface.co/docs/safetensors)."""
    header, at, parts = {}, 0, []
    for name, value in state.items():
        data = value.half().contiguous().numpy().astype("<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(value.shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        parts.append(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def save(name, states, batches, examples, **facts):
    """Writes `name`.json and a file for each of the states [(step, model, state)]; `facts` are further entries of the JSON, which is returned."""
    OUT.mkdir(parents=True, exist_ok=True)
    checkpoints = []
    for n, (step, model, state) in enumerate(states):
        file = f"{name}.{n}.safetensors"
        write_safetensors(OUT / file, state)
        checkpoints.append({"file": file, "steps": step, **evaluate(model, state, batches)})
    examples = [{name: value for name, value in example.items() if name != "key"} for example in examples]
    about = {"name": name, **facts, "seed": SEED, "parameters": sum(value.numel() for value in states[-1][2].values())}
    lists = {"checkpoints": checkpoints, "examples": examples}
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in about.items()]
    for key, rows in lists.items():
        body = ",\n".join(f"  {json.dumps(row, ensure_ascii=False, separators=(',', ':'))}" for row in rows)
        lines.append(f" {json.dumps(key)}: [\n{body}\n ]")
    (OUT / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return {**about, **lists}
