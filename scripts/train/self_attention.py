"""Two layers of self-attention continue a repeated phrase (induction): a head finds what followed the word the time before."""

import torch
from torch import nn

from common import choose, draw, group, matrix, save, train

WORDS, LONGEST = 20, 20
WIDTH, HEADS = 32, 2
KEEP = (0, 250, 500, 1600)


class Attention(nn.Module):
    """The weights of torch.nn.MultiheadAttention without biases, and of MultiHeadAttention of fovea/nn; causal."""

    def __init__(self):
        super().__init__()
        self.in_proj_weight = nn.Parameter(torch.randn(3 * WIDTH, WIDTH) / WIDTH**0.5)
        self.out_proj = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x):
        n, tokens, _ = x.shape
        q, k, v = (x @ self.in_proj_weight.T).view(n, tokens, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / (WIDTH / HEADS) ** 0.5
        future = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(future, float("-inf")), -1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(n, tokens, WIDTH))


class Model(nn.Module):
    """x = embedding + positions; x = x + attention(x) in each layer; logits = x·head."""

    def __init__(self):
        super().__init__()
        self.embedding, self.positions = matrix(WORDS, WIDTH, scale=WORDS**0.5), matrix(LONGEST, WIDTH, scale=LONGEST**0.5)
        self.layers = nn.ModuleList([Attention(), Attention()])
        self.head = matrix(WIDTH, WORDS)

    def logits(self, words):
        x = self.embedding[words] + self.positions[: words.shape[1]]
        for layer in self.layers:
            x = x + layer(x)
        return torch.log_softmax(x @ self.head, -1)

    def loss(self, batch):
        """Only of words that a phrase's repetition tells."""
        words, told = batch["words"], batch["told"].to(self.head.dtype)
        log_p = self.logits(words[:, :-1]).gather(-1, words[:, 1:, None])[:, :, 0]
        return -(log_p * told).sum(-1) / told.sum(-1)

    def predict(self, batch):
        chosen, margin = choose(self.logits(batch["words"][:, :-1])[:, -1].exp())
        return {"right": (chosen == batch["words"][:, -1])[:, None], "margin": margin, "loss": self.loss(batch)}


def make(rng):
    """5 to 12 different words, then a phrase of 3 to 7 of them once more. Its last word is to be told."""
    first = rng.sample(range(WORDS), rng.randint(5, 12))
    length = rng.randint(3, min(7, len(first)))
    start = rng.randint(0, len(first) - length)
    words = first + first[start : start + length]
    # told[t]: word t + 1 follows from the repetition of word t.
    told = [int(t >= len(first)) for t in range(len(words) - 1)]
    return {"key": " ".join(map(str, first)), "words": words, "told": told, "length": length}


def run():
    torch.manual_seed(1)
    states = train(Model(), group(draw(make, 20000, False), "words", "told"), KEEP[-1], KEEP, size=32)
    held_out = draw(make, 200, True)
    return save(
        "self_attention",
        states,
        group(held_out, "words", "told"),
        [{"key": "", "words": example["words"], "repeated": example["length"]} for example in held_out],
        task="says the last word of a sequence whose last 3 to 7 words are a phrase once more; no other word is there twice",
        function="MultiHeadAttention of fovea/nn, two layers",
        heads=HEADS,
        chance=1 / WORDS,
    )
