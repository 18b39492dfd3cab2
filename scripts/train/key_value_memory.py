"""A key-value memory network answers from two facts: the ball is with Mary, Mary is in the kitchen."""

import torch
from torch import nn

from common import choose, draw, group, matrix, save, train

PEOPLE = ["Mary", "Tom", "Anna", "John", "Lucy", "Peter", "Emma", "Paul"]
THINGS = ["ball", "book", "apple", "key", "cup", "hat", "lamp", "coin"]
PLACES = ["kitchen", "garden", "hall", "office", "bathroom", "park", "bedroom", "school"]
OTHERS = ["with", "in", "where"]
FEATURES = [*PEOPLE, *THINGS, *PLACES, *OTHERS]
WIDTH, HOPS = 20, 2
KEEP = (0, 60, 90, 400)


class Model(nn.Module):
    """The params of `keyValueMemory`."""

    def __init__(self):
        super().__init__()
        F = len(FEATURES)
        self.A, self.B = matrix(F, WIDTH, scale=0.5 * F**0.5), matrix(F, WIDTH, scale=0.5 * F**0.5)
        self.R = matrix(HOPS, WIDTH, WIDTH)

    def probability(self, batch):
        bags = {name: value.to(self.A.dtype) for name, value in batch.items() if name != "answer"}
        keys, values, q = bags["keys"] @ self.A, bags["values"] @ self.A, bags["question"] @ self.A
        for R in self.R:
            p = torch.softmax((keys @ q[:, :, None])[:, :, 0], -1)
            q = (q + (p[:, None] @ values)[:, 0]) @ R
        places = bag(*PLACES).to(self.A.dtype)
        return torch.softmax(q @ (places @ self.B).T, -1)

    def loss(self, batch):
        return -self.probability(batch).gather(1, batch["answer"][:, None])[:, 0].log()

    def predict(self, batch):
        chosen, margin = choose(self.probability(batch))
        return {"right": (chosen == batch["answer"])[:, None], "margin": margin, "loss": self.loss(batch)}


def bag(*words):
    """A row for each word: 1 at the word."""
    return torch.eye(len(FEATURES))[[FEATURES.index(word) for word in words]]


def make(rng):
    """3 to 6 things, each with a person, and where these are; the facts in any order."""
    count = rng.randint(3, 6)
    people, things = rng.sample(PEOPLE, count), rng.sample(THINGS, count)
    places = [rng.choice(PLACES) for _ in range(count)]
    facts = [*zip(things, ["with"] * count, people), *zip(people, ["in"] * count, places)]
    rng.shuffle(facts)
    asked = rng.randrange(count)
    return {
        "key": " ".join(word for fact in facts for word in fact),
        "facts": facts,
        "thing": things[asked],
        "answer": PLACES.index(places[asked]),
        "keys": [(bag(subject) + bag(relation))[0].tolist() for subject, relation, _ in facts],
        "values": [bag(value)[0].tolist() for _, _, value in facts],
        "question": (bag("where") + bag(things[asked]))[0].tolist(),
    }


def run():
    torch.manual_seed(1)
    names = ("keys", "values", "question", "answer")
    states = train(Model(), group(draw(make, 10000, False), *names), KEEP[-1], KEEP, rate=5e-3)
    held_out = draw(make, 200, True)
    return save(
        "key_value_memory",
        states,
        group(held_out, *names),
        [{name: example[name] for name in ("facts", "thing", "answer")} for example in held_out],
        task="says where a thing is, by two facts: who has it, and where they are",
        function="keyValueMemory",
        chance=1 / len(PLACES),
        features=FEATURES,
        candidates=PLACES,
    )
