"""A pointer-generator lists the names of a text, which it has never seen; then coverage is added, which ends repetition."""

import torch
from torch import nn

from common import choose, draw, evaluate, group, matrix, save, train, zeros

NAMES = ["Mary", "Tom", "Anna", "John"]
FILLERS = ["then", "saw", "and", "near", "the", "park", "with", "at", "noon", "day"]
UNKNOWN, START, END, REPORT = "unknown", "start", "end", "names:"
VOCABULARY = [*NAMES, *FILLERS, UNKNOWN, START, END, REPORT]
SYLLABLES = ["zo", "mi", "ka", "ru", "te", "lo", "ba", "si"]
EMBEDDING, HIDDEN, ALIGNMENT, PROJECTION = 12, 6, 8, 16
MIDDLE, BASELINE, FINETUNE = 400, 1000, 1000


class Model(nn.Module):
    """The params of `pointerGenerator`, and an embedding, a bidirectional GRU and the decoder's GRU around it."""

    def __init__(self, coverage=False):
        super().__init__()
        E, Hs, A, P, V = EMBEDDING, 2 * HIDDEN, ALIGNMENT, PROJECTION, len(VOCABULARY)
        self.Wh, self.Ws, self.v, self.battn = matrix(Hs, A), matrix(Hs, A), matrix(A), zeros(A)
        self.V, self.b, self.Vprime, self.bprime = matrix(2 * Hs, P), zeros(P), matrix(P, V), zeros(V)
        self.whstar, self.ws, self.wx, self.bptr = matrix(Hs), matrix(Hs), matrix(E), zeros()
        if coverage:
            self.wc = matrix(A)
        self.network = nn.ModuleDict(
            {
                "embedding": nn.Embedding(V, E),
                "encoder": nn.GRU(E, HIDDEN, batch_first=True, bidirectional=True),
                "decoder": nn.GRU(E, Hs, batch_first=True),
            }
        )

    def read(self, ids):
        """The embedding of words; those that the vocabulary lacks have that of `unknown`."""
        return self.network["embedding"](ids.where(ids < len(VOCABULARY), torch.tensor(VOCABULARY.index(UNKNOWN))))

    def encode(self, source):
        h, last = self.network["encoder"](self.read(source))
        return h, torch.cat([last[0], last[1]], -1)[None]

    def step(self, source, h, s, x, covered):
        """P(w), the weights and the coverage loss of one step; covered: the sum of the weights before."""
        e = h @ self.Wh + (s @ self.Ws)[:, None] + self.battn
        if hasattr(self, "wc"):
            e = e + covered[:, :, None] * self.wc
        a = torch.softmax(torch.tanh(e) @ self.v, -1)
        context = (a[:, None] @ h)[:, 0]
        vocabulary = torch.softmax((torch.cat([s, context], -1) @ self.V + self.b) @ self.Vprime + self.bprime, -1)
        p_gen = torch.sigmoid(context @ self.whstar + s @ self.ws + x @ self.wx + self.bptr)[:, None]
        most = source.shape[1]
        generated = torch.cat([p_gen * vocabulary, vocabulary.new_zeros(len(source), most)], -1)
        return generated.scatter_add(1, source, (1 - p_gen) * a), a, torch.minimum(a, covered).sum(-1)

    def losses(self, batch):
        """-ln P(target) and the coverage loss, both [N, steps]."""
        source, target = batch["source"], batch["target"]
        h, first = self.encode(source)
        start = torch.full((len(source), 1), VOCABULARY.index(START))
        x = self.read(torch.cat([start, target[:, :-1]], 1))
        states, _ = self.network["decoder"](x, first)
        covered, results = torch.zeros_like(h[:, :, 0]), []
        for t in range(target.shape[1]):
            p, a, coverage = self.step(source, h, states[:, t], x[:, t], covered)
            results.append((-p.gather(1, target[:, t, None])[:, 0].clamp_min(1e-30).log(), coverage))
            covered = covered + a
        return [torch.stack(part, 1) for part in zip(*results)]

    def loss(self, batch):
        nll, coverage = self.losses(batch)
        return (nll + coverage if hasattr(self, "wc") else nll).mean(-1)

    def predict(self, batch):
        source, target = batch["source"], batch["target"]
        h, state = self.encode(source)
        covered, words, margins = torch.zeros_like(h[:, :, 0]), [], []
        last = torch.full((len(source),), VOCABULARY.index(START))
        for _ in range(target.shape[1]):
            x = self.read(last)
            s, state = self.network["decoder"](x[:, None], state)
            p, a, _ = self.step(source, h, s[:, 0], x, covered)
            last, margin = choose(p)
            covered = covered + a
            words.append(last)
            margins.append(margin)
        words = torch.stack(words, 1)
        nll, coverage = self.losses(batch)
        earlier = (words[:, :, None] == words[:, None]).tril(-1).any(-1) & (words != VOCABULARY.index(END))
        return {
            "right": words == target,
            "margin": torch.stack(margins, 1).amin(-1),
            "loss": nll.mean(-1),
            "coverageLoss": coverage,
            "repeats": earlier,
        }


def make(rng):
    """A text with 5 to 8 names among fillers, most of them unknown to the vocabulary; the report has the names in order."""
    count = rng.randint(5, 8)
    strangers = {"".join(rng.choice(SYLLABLES) for _ in range(3)).capitalize() for _ in range(40)} - set(NAMES)
    strangers, known = rng.sample(sorted(strangers), count), rng.sample(NAMES, min(count, len(NAMES)))
    names = [known.pop() if known and rng.random() < 0.15 else strangers.pop() for _ in range(count)]
    source = []
    for name in names:
        source += [rng.choice(FILLERS) for _ in range(rng.randint(0, 2))] + [name]
    unknown = [name for name in names if name not in VOCABULARY]
    ids = lambda words: [
        VOCABULARY.index(word) if word in VOCABULARY else len(VOCABULARY) + unknown.index(word) for word in words
    ]
    words = [REPORT, *names, END]
    return {"key": " ".join(source), "text": source, "report": words, "source": ids(source), "target": ids(words)}


def covered(state):
    """A model with coverage that begins with the weights of one without."""
    model = Model(coverage=True)
    model.load_state_dict(state, strict=False)
    return model


def run():
    """The baseline, then the same with coverage; and, for comparison, what comes of the same steps without it, and with it throughout."""
    torch.manual_seed(1)
    batches = group(draw(make, 20000, False), "source", "target")
    whole = BASELINE + FINETUNE
    states = train(Model(), batches, BASELINE, (0, MIDDLE, BASELINE), size=32)
    baseline = states[-1][2]
    states += train(covered(baseline), batches, FINETUNE, (whole,), size=32, first=BASELINE)

    longer = Model()
    longer.load_state_dict(baseline)
    comparisons = {
        "the same steps without coverage": train(longer, batches, FINETUNE, (whole,), size=32, first=BASELINE),
        "with coverage from the first step": train(Model(coverage=True), batches, whole, (whole,), size=32),
    }
    held_out = draw(make, 200, True)
    tests = group(held_out, "source", "target")
    return save(
        "pointer_generator",
        states,
        tests,
        [{"key": "", "text": example["text"], "report": example["report"]} for example in held_out],
        task="lists the names of a text in order, most of them unknown to the vocabulary",
        function="pointerGenerator",
        phases=["random", "without coverage", "without coverage", "fine-tuned with coverage and its loss"],
        comparisons={name: {"steps": step, **evaluate(*rest, tests)} for name, [(step, *rest)] in comparisons.items()},
        chance=1 / len(VOCABULARY),
        vocabulary=VOCABULARY,
    )
