"""The attention-over-attention reader fills a blank: who likes tea?"""

import torch
from torch import nn

from common import choose, draw, group, matrix, save, train

NAMES = ["Mary", "Tom", "Anna", "John", "Lucy", "Peter", "Emma", "Paul"]
VERBS = ["likes", "wants", "buys"]
THINGS = ["tea", "milk", "bread", "rice", "soup", "fish", "cake", "salt"]
VOCABULARY = [*NAMES, *VERBS, *THINGS, "X", "."]
EMBEDDING, HIDDEN = 12, 16
KEEP = (0, 100, 250, 2000)


class Model(nn.Module):
    """The params of `attentionOverAttention`."""

    def __init__(self):
        super().__init__()
        self.We = matrix(len(VOCABULARY), EMBEDDING, scale=len(VOCABULARY) ** 0.5)
        self.document, self.query = (nn.GRU(EMBEDDING, HIDDEN, batch_first=True, bidirectional=True) for _ in range(2))

    def probability(self, batch):
        """Of each word of the vocabulary; also with every query word counted alike, that is β = 1/|Q|."""
        document, query = batch["document"], batch["query"]
        match = self.document(self.We[document])[0] @ self.query(self.We[query])[0].transpose(1, 2)
        alpha, beta = torch.softmax(match, 1), torch.softmax(match, 2).mean(1)
        words = nn.functional.one_hot(document, len(VOCABULARY)).to(alpha.dtype)
        sums = lambda s: (s[:, None] @ words)[:, 0]
        return sums((alpha @ beta[:, :, None])[:, :, 0]), sums(alpha.mean(2)), beta

    def loss(self, batch):
        return -self.probability(batch)[0].gather(1, batch["answer"][:, None])[:, 0].clamp_min(1e-30).log()

    def predict(self, batch):
        probability, uniform, beta = self.probability(batch)
        chosen, margin = choose(probability)
        answer = batch["answer"][:, None]
        return {
            "right": (chosen[:, None] == answer).to(torch.float64),
            "margin": margin,
            "loss": self.loss(batch),
            "uniformBetaLoss": -uniform.gather(1, answer).log(),
            "blankBeta": beta[:, 0],
        }


def make(rng):
    """Two to five sentences `Mary likes tea .`, and the query `X likes tea`; two may have one verb, but not one thing."""
    count = rng.randint(2, 5)
    facts = list(zip(rng.sample(NAMES, count), [rng.choice(VERBS) for _ in range(count)], rng.sample(THINGS, count)))
    asked = rng.randrange(count)
    document = [word for fact in facts for word in (*fact, ".")]
    query = ["X", *facts[asked][1:]]
    ids = lambda words: [VOCABULARY.index(word) for word in words]
    return {
        "key": " ".join(document),
        "document": ids(document),
        "query": ids(query),
        "answer": VOCABULARY.index(facts[asked][0]),
    }


def run():
    torch.manual_seed(1)
    states = train(Model(), group(draw(make, 20000, False), "document", "query", "answer"), KEEP[-1], KEEP, size=64)
    held_out = draw(make, 200, True)
    return save(
        "attention_over_attention",
        states,
        group(held_out, "document", "query", "answer"),
        held_out,
        task="says who X is: `Mary likes tea . Tom wants bread .`, `X wants bread`",
        function="attentionOverAttention",
        chance=sum(1 / n for n in range(2, 6)) / 4,
        vocabulary=VOCABULARY,
    )
