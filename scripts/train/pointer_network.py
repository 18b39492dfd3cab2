"""A pointer network sorts numbers: each step points at the next larger one."""

import torch
from torch import nn

from common import choose, draw, group, matrix, save, train, zeros

STATE, ALIGNMENT = 32, 32
KEEP = (0, 300, 800, 3000)


class Model(nn.Module):
    """The params of `pointerNetwork` over points."""

    def __init__(self):
        super().__init__()
        self.W1, self.W2, self.v = matrix(STATE, ALIGNMENT), matrix(STATE, ALIGNMENT), matrix(ALIGNMENT)
        self.encoder, self.decoder = (nn.LSTM(1, STATE, batch_first=True) for _ in range(2))
        self.start = zeros(1)

    def point(self, e, d):
        """u_ij = v·tanh(e_j W1 + d_i W2), as log-probabilities [N, steps, points]."""
        u = torch.tanh((e @ self.W1)[:, None] + (d @ self.W2)[:, :, None]) @ self.v
        return torch.log_softmax(u, -1)

    def loss(self, batch):
        points, target = batch["points"].to(self.v.dtype), batch["target"]
        e, state = self.encoder(points)
        read = points.gather(1, target[:, :-1, None])
        d, _ = self.decoder(torch.cat([self.start.expand(len(points), 1, 1), read], 1), state)
        return -self.point(e, d).gather(-1, target[:, :, None]).mean((1, 2))

    def predict(self, batch):
        points, target = batch["points"].to(self.v.dtype), batch["target"]
        e, state = self.encoder(points)
        read, right, margins = self.start.expand(len(points), 1, 1), [], []
        for t in range(target.shape[1]):
            d, state = self.decoder(read, state)
            chosen, margin = choose(self.point(e, d).exp()[:, 0])
            read = points.gather(1, chosen[:, None, None])
            right.append(chosen == target[:, t])
            margins.append(margin)
        return {"right": torch.stack(right, 1), "margin": torch.stack(margins, 1).amin(-1), "loss": self.loss(batch)}


def make(rng):
    """3 to 7 different numbers from 0 to 0.99, in any order; held out are sets of numbers."""
    numbers = rng.sample(range(100), rng.randint(3, 7))
    return {
        "key": " ".join(str(number) for number in sorted(numbers)),
        "numbers": numbers,
        "points": [[number / 100] for number in numbers],
        "target": sorted(range(len(numbers)), key=lambda i: numbers[i]),
    }


def run():
    torch.manual_seed(1)
    states = train(Model(), group(draw(make, 20000, False), "points", "target"), KEEP[-1], KEEP, rate=5e-3, size=64)
    held_out = draw(make, 200, True)
    return save(
        "pointer_network",
        states,
        group(held_out, "points", "target"),
        [{"key": "", "numbers": example["numbers"]} for example in held_out],
        task="points at 3 to 7 different hundredths in rising order",
        function="pointerNetwork",
        chance=sum(1 / n for n in range(3, 8)) / 5,
    )
