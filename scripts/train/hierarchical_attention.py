"""A hierarchical attention network judges documents: the sentence with `overall` decides, by its one word that praises or blames."""

import torch
from torch import nn

from common import choose, draw, group, matrix, save, train, zeros

POSITIVE = ["good", "great", "lovely", "superb", "happy", "clean", "fresh", "kind"]
NEGATIVE = ["bad", "awful", "ugly", "boring", "sad", "dirty", "stale", "rude"]
NEUTRAL = ["the", "a", "was", "is", "room", "food", "film", "book", "hotel", "waiter", "we", "and", "very", "there", "in", "city"]
VOCABULARY = [*POSITIVE, *NEGATIVE, *NEUTRAL, "overall"]
SENTENCES, WORDS = 4, 6
EMBEDDING, HIDDEN, ALIGNMENT = 8, 6, 8
KEEP = (0, 60, 100, 400)


class Attention(nn.Module):
    """One level of `hierarchicalAttention`: a bidirectional GRU and a learned query; W, b, u have the names of the level."""

    def __init__(self, width, names):
        super().__init__()
        self.gru = nn.GRU(width, HIDDEN, batch_first=True, bidirectional=True)
        self.names = names
        for name, value in zip(names, (matrix(2 * HIDDEN, ALIGNMENT), zeros(ALIGNMENT), matrix(ALIGNMENT))):
            self.register_parameter(name, value)

    def forward(self, x):
        h, _ = self.gru(x)
        W, b, u = (getattr(self, name) for name in self.names)
        weights = torch.softmax(torch.tanh(h @ W + b) @ u, -1)
        return (weights[:, None] @ h)[:, 0], weights


class Model(nn.Module):
    """The params of `hierarchicalAttention`, and an embedding."""

    def __init__(self):
        super().__init__()
        self.word = Attention(EMBEDDING, ("Ww", "bw", "uw"))
        self.sentence = Attention(2 * HIDDEN, ("Ws", "bs", "us"))
        self.Wc, self.bc = matrix(2 * HIDDEN, 2), zeros(2)
        self.network = nn.ModuleDict({"embedding": nn.Embedding(len(VOCABULARY), EMBEDDING)})

    def judge(self, words):
        x = self.network["embedding"](words)
        n, sentences, tokens, width = x.shape
        s, _ = self.word(x.reshape(n * sentences, tokens, width))
        v, weights = self.sentence(s.reshape(n, sentences, -1))
        return torch.log_softmax(v @ self.Wc + self.bc, -1), weights

    def loss(self, batch):
        return -self.judge(batch["words"])[0].gather(1, batch["positive"][:, None])[:, 0]

    def predict(self, batch):
        log_p, weights = self.judge(batch["words"])
        chosen, margin = choose(log_p.exp())
        return {
            "right": (chosen == batch["positive"])[:, None],
            "margin": margin,
            "loss": self.loss(batch),
            "decidingWeight": weights.gather(1, batch["deciding"][:, None])[:, 0],
        }


def make(rng):
    """Each sentence has one word that praises or blames; one sentence has `overall`, and decides."""
    deciding, positive = rng.randrange(SENTENCES), rng.randrange(2)
    sentences = []
    for i in range(SENTENCES):
        praises = positive if i == deciding else rng.randrange(2)
        words = [rng.choice(NEUTRAL) for _ in range(WORDS - 2)]
        words += [rng.choice(POSITIVE if praises else NEGATIVE), "overall" if i == deciding else rng.choice(NEUTRAL)]
        rng.shuffle(words)
        sentences.append(words)
    return {
        "key": " ".join(word for words in sentences for word in words),
        "words": [[VOCABULARY.index(word) for word in words] for words in sentences],
        "positive": positive,
        "deciding": deciding,
    }


def run():
    torch.manual_seed(1)
    names = ("words", "positive", "deciding")
    states = train(Model(), group(draw(make, 10000, False), *names), KEEP[-1], KEEP, rate=5e-3)
    held_out = draw(make, 200, True)
    return save(
        "hierarchical_attention",
        states,
        group(held_out, *names),
        held_out,
        task="judges 4 sentences of 6 words: the one with `overall` decides, by its word that praises or blames",
        function="hierarchicalAttention",
        chance=0.5,
        vocabulary=VOCABULARY,
        classes=["negative", "positive"],
    )
