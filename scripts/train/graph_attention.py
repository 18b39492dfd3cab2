"""A graph attention layer finds two communities: it learns to listen to the neighbors who know, not to those who are loud."""

import torch
from torch import nn

from common import choose, draw, group, matrix, save, train, zeros

NODES, FEATURES, HEADS, CLASSES = 16, 3, 2, 2
KEEP = (0, 20, 60, 400)


class Model(nn.Module):
    """The params of `graphAttention`, version 1, heads averaged."""

    def __init__(self):
        super().__init__()
        self.W = matrix(FEATURES, HEADS * CLASSES)
        self.aTarget, self.aSource = matrix(HEADS, CLASSES), matrix(HEADS, CLASSES)
        self.bias = zeros(CLASSES)

    def logits(self, batch, listen=1):
        """listen 0: the mean over the neighbors."""
        g = (batch["h"].to(self.W.dtype) @ self.W).unflatten(-1, (HEADS, CLASSES))
        target, source = (g * self.aTarget).sum(-1), (g * self.aSource).sum(-1)
        e = listen * nn.functional.leaky_relu(target[:, :, None] + source[:, None], 0.2)
        weights = torch.softmax(e.masked_fill(~batch["adjacency"][..., None], float("-inf")), 2)
        return torch.log_softmax(torch.einsum("ntsh,nshc->ntc", weights, g) / HEADS + self.bias, -1)

    def loss(self, batch):
        return -self.logits(batch).gather(-1, batch["community"][..., None]).mean((1, 2))

    def predict(self, batch):
        chosen, margin = choose(self.logits(batch).exp())
        return {
            "right": chosen == batch["community"],
            "margin": margin.amin(-1),
            "loss": self.loss(batch),
            "meanAccuracy": self.logits(batch, 0).argmax(-1) == batch["community"],
        }


def make(rng):
    """A graph of 16 nodes. Features: an opinion, whether the node knows, 1. Who knows has 1 or -1, others anything from -4 to 4."""
    community = [i % 2 for i in range(NODES)]
    rng.shuffle(community)
    knows = [int(rng.random() < 0.45) for _ in range(NODES)]
    opinions = [2 * c - 1 if k else round(rng.uniform(-4, 4), 1) for c, k in zip(community, knows)]
    pairs = [(i, j) for i in range(NODES) for j in range(i)]
    edges = [[i, j] for i, j in pairs if rng.random() < (0.75 if community[i] == community[j] else 0.05)]
    near = {(i, j) for i, j in edges} | {(j, i) for i, j in edges} | {(i, i) for i in range(NODES)}
    return {
        "key": " ".join(f"{i}-{j}" for i, j in edges),
        "edges": edges,
        "community": community,
        "h": [[opinion, float(k), 1.0] for opinion, k in zip(opinions, knows)],
        "adjacency": [[(i, j) in near for j in range(NODES)] for i in range(NODES)],
    }


def run():
    torch.manual_seed(1)
    names = ("h", "adjacency", "community")
    states = train(Model(), group(draw(make, 4000, False), *names), KEEP[-1], KEEP, rate=2e-2)
    held_out = draw(make, 60, True)
    return save(
        "graph_attention",
        states,
        group(held_out, *names),
        [{name: example[name] for name in ("h", "edges", "community")} for example in held_out],
        task="says to which of two communities each of 16 nodes belongs, by what its neighbors say and whether they know",
        function="graphAttention",
        options={"heads": HEADS, "combine": "average", "activation": "none"},
        chance=0.5,
        features=["opinion", "knows", "1"],
    )
