"""Bahdanau's encoder-decoder reverses words: the alignment becomes the anti-diagonal."""

import torch
from torch import nn

from common import choose, draw, group, matrix, save, train, zeros

LETTERS = "abcdefghijklmnopqrstuvwxyz"
END, START = 26, 27
EMBEDDING, HIDDEN, STATE, ALIGNMENT, MAXOUT = 12, 16, 32, 16, 16
KEEP = (0, 120, 300, 1500)


class Model(nn.Module):
    """The params of `bahdanau`, and an embedding and a bidirectional GRU around it."""

    def __init__(self):
        super().__init__()
        E, Hs, S, A, l, V = EMBEDDING, 2 * HIDDEN, STATE, ALIGNMENT, MAXOUT, END + 1
        self.Wa, self.Ua, self.va = matrix(S, A), matrix(Hs, A), matrix(A)
        self.W, self.Wz, self.Wr = matrix(E, S), matrix(E, S), matrix(E, S)
        self.U, self.Uz, self.Ur = matrix(S, S), matrix(S, S), matrix(S, S)
        self.C, self.Cz, self.Cr = matrix(Hs, S), matrix(Hs, S), matrix(Hs, S)
        self.Ws = matrix(HIDDEN, S)
        self.Uo, self.Vo, self.Co, self.Wo = matrix(S, 2 * l), matrix(E, 2 * l), matrix(Hs, 2 * l), matrix(l, V)
        self.ba, self.bz, self.br, self.b, self.bs = zeros(A), zeros(S), zeros(S), zeros(S), zeros(S)
        self.bt, self.bo = zeros(2 * l), zeros(V)
        self.network = nn.ModuleDict(
            {"embedding": nn.Embedding(START + 1, E), "encoder": nn.GRU(E, HIDDEN, batch_first=True, bidirectional=True)}
        )

    def decode(self, source, read, steps):
        """The log-probabilities of each step, and its weights; read(t, past) gives y_{t-1}, past being the steps before."""
        h, _ = self.network["encoder"](self.network["embedding"](source))
        keys, s = h @ self.Ua, torch.tanh(h[:, 0, HIDDEN:] @ self.Ws + self.bs)
        results, rows = [], []
        for t in range(steps):
            y = self.network["embedding"](read(t, results))
            e = torch.tanh((s @ self.Wa + self.ba)[:, None] + keys) @ self.va
            rows.append(torch.softmax(e, -1))
            c = (rows[-1][:, :, None] * h).sum(1)
            maxout = (s @ self.Uo + y @ self.Vo + c @ self.Co + self.bt).unflatten(-1, (-1, 2)).amax(-1)
            z = torch.sigmoid(y @ self.Wz + s @ self.Uz + c @ self.Cz + self.bz)
            r = torch.sigmoid(y @ self.Wr + s @ self.Ur + c @ self.Cr + self.br)
            s = (1 - z) * s + z * torch.tanh(y @ self.W + (r * s) @ self.U + c @ self.C + self.b)
            results.append(torch.log_softmax(maxout @ self.Wo + self.bo, -1))
        return torch.stack(results, 1), torch.stack(rows, 1)

    def loss(self, batch):
        source, target = batch["source"], batch["target"]
        start = torch.full((len(source),), START)
        log_p, _ = self.decode(source, lambda t, _: target[:, t - 1] if t else start, target.shape[1])
        return -log_p.gather(-1, target[:, :, None]).mean((1, 2))

    def predict(self, batch):
        source, target = batch["source"], batch["target"]
        start = torch.full((len(source),), START)
        log_p, weights = self.decode(source, lambda t, past: past[-1].argmax(-1) if t else start, target.shape[1])
        chosen, margin = choose(log_p.exp())
        letters = torch.arange(source.shape[1])
        return {
            "right": chosen == target,
            "margin": margin.amin(-1),
            "loss": self.loss(batch),
            "antiDiagonal": weights[:, :-1].argmax(-1) == letters.flip(0),
        }


def make(rng):
    word = "".join(rng.choice(LETTERS) for _ in range(rng.randint(3, 8)))
    ids = [LETTERS.index(letter) for letter in word]
    return {"key": word, "word": word, "source": ids, "target": [*ids[::-1], END]}


def run():
    torch.manual_seed(1)
    states = train(Model(), group(draw(make, 20000, False), "source", "target"), KEEP[-1], KEEP, size=32)
    held_out = draw(make, 200, True)
    return save(
        "bahdanau",
        states,
        group(held_out, "source", "target"),
        [{"word": example["word"], "key": ""} for example in held_out],
        task="reverses the letters of a word of 3 to 8 letters, then says the end",
        function="bahdanau",
        chance=1 / 27,
        vocabulary=[*LETTERS, "end", "start"],
    )
