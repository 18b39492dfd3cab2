#!/usr/bin/env python3
"""Outputs of small models of every family of fovea/models, computed by PyTorch in float64.

usage:  make_models.py MODELS_DIR

For each family a .json of its config, texts and outputs and a .safetensors of its weights under Hugging Face's names. Weights
are float32 numbers, drawn by a seed; outputs are float64: the states of an encoder, the logits of a decoder, for texts of
1, 5 and 19 tokens, windows being shorter than the longest. Written from the families' equations with PyTorch's own modules
where there are such (MultiheadAttention's function, layer_norm, gelu), not from the code under test.

`error_f32`: the largest difference of PyTorch's own evaluation in float32, `largest`: the largest magnitude of the outputs.

Needs python3 and torch (made with 1.13.1). A few seconds.
"""
import json
import math
import struct
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
LENGTHS = [1, 5, 19]


class Weights:
    """Named tensors, drawn when they are first asked for; in the order of asking."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.tensors = {}
        self.dtype = torch.float64

    def __call__(self, name, *shape, std=None, center=0.0):
        if name not in self.tensors:
            spread = std if std is not None else (0.25 if len(shape) == 1 else shape[1] ** -0.5)
            drawn = torch.randn(*shape, generator=self.generator, dtype=torch.float64) * spread + center
            self.tensors[name] = drawn.float()
        return self.tensors[name].to(self.dtype)

    def linear(self, x, name, out, bias=True):
        weight = self(name + ".weight", out, x.shape[-1])
        return F.linear(x, weight, self(name + ".bias", out) if bias else None)

    def conv1d(self, x, name, out):
        """GPT-2's linear layer, whose matrix is [in, out]."""
        weight = self(name + ".weight", x.shape[-1], out, std=x.shape[-1] ** -0.5)
        return x @ weight + self(name + ".bias", out)

    def layer_norm(self, x, name, eps, bias=True):
        width = x.shape[-1]
        weight = self(name + ".weight", width, center=1.0)
        return F.layer_norm(x, (width,), weight, self(name + ".bias", width) if bias else None, eps)

    def rms_norm(self, x, name, eps, plus_one=False):
        weight = self(name + ".weight", x.shape[-1], center=0.0 if plus_one else 1.0)
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * (weight + 1 if plus_one else weight)

    def table(self, name, rows, width):
        return self(name + ".weight", rows, width, std=1.0)


def split(x, heads):
    """[T, H * D] to [H, T, D]"""
    return x.unflatten(-1, (heads, -1)).transpose(0, 1)


def attend(q, k, v, scale, allowed=None, bias=None, cap=None):
    """q [H, T, D], k and v [KH, T, D] to [T, H * D]"""
    groups = q.shape[0] // k.shape[0]
    k, v = (one.repeat_interleave(groups, 0) for one in (k, v))
    scores = torch.einsum("htd,hsd->hts", q, k) * scale
    if cap is not None:
        scores = cap * torch.tanh(scores / cap)
    if bias is not None:
        scores = scores + bias.to(scores.dtype)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.einsum("hts,hsd->thd", scores.softmax(-1), v).flatten(1)


def rotate(x, base, width=None, interleaved=False, divisor=None):
    """Rotary positions of x [H, T, D], of its first `width` numbers, by complex multiplication."""
    width = width or x.shape[-1]
    frequency = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    if divisor is not None:
        frequency = divisor(frequency)
    angle = torch.outer(torch.arange(x.shape[1], dtype=torch.float64), frequency)
    turn = torch.polar(torch.ones_like(angle), angle)
    own = x[..., :width].double()
    pairs = own.unflatten(-1, (-1, 2)) if interleaved else own.unflatten(-1, (2, -1)).transpose(-1, -2)
    turned = torch.view_as_real(torch.complex(pairs[..., 0], pairs[..., 1]) * turn)
    turned = (turned if interleaved else turned.transpose(-1, -2)).flatten(-2)
    return torch.cat([turned.to(x.dtype), x[..., width:]], -1)


def distances(tokens):
    at = torch.arange(tokens)
    return at[None, :] - at[:, None]


ACTIVATIONS = {
    "gelu": F.gelu,
    "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_pytorch_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "relu": F.relu,
    "silu": F.silu,
}


def alibi_slopes(heads):
    def of_power(n):
        return [2 ** (-8 * (h + 1) / n) for h in range(n)]

    n = 2 ** math.floor(math.log2(heads))
    return of_power(n) + of_power(2 * n)[0::2][: heads - n]


def t5_buckets(tokens, buckets=32, most=128):
    """Two-way buckets of key minus query."""
    distance = distances(tokens)
    half = buckets // 2
    exact = half // 2
    size = distance.abs()
    far = exact + (torch.log(size.clamp(min=1).double() / exact) / math.log(most / exact) * (half - exact) + 1e-9).long()
    return torch.where(distance > 0, half, 0) + torch.where(size < exact, size, far.clamp(max=half - 1))


def bert(w, c, ids):
    """BERT, RoBERTa and its kin, MPNet, and Jina's form with ALiBi."""
    width, heads, eps, between = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"], c["intermediate_size"]
    tokens, family = len(ids), c["model_type"]
    alibi, mpnet = c.get("position_embedding_type") == "alibi", family == "mpnet"
    first = {"bert": 0, "mpnet": 2}.get(family, c.get("pad_token_id", 0) + 1)
    x = F.embedding(ids, w.table("embeddings.word_embeddings", c["vocab_size"], width))
    if not alibi:
        rows = w.table("embeddings.position_embeddings", c["max_position_embeddings"], width)
        x = x + rows[first : first + tokens]
    if not mpnet:
        x = x + w.table("embeddings.token_type_embeddings", c["type_vocab_size"], width)[0]
    x = w.layer_norm(x, "embeddings.LayerNorm", eps)
    bias = None
    if alibi:
        bias = -torch.tensor(alibi_slopes(heads), dtype=torch.float64)[:, None, None] * distances(tokens).abs()
    if mpnet:
        bias = w.table("encoder.relative_attention_bias", 32, heads)[t5_buckets(tokens)].permute(2, 0, 1)
    for n in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{n}."
        names = ["attention.attn." + one for one in "qkv"] if mpnet else ["attention.self." + one for one in ("query", "key", "value")]
        q, k, v = (split(w.linear(x, p + name, width), heads) for name in names)
        a = attend(q, k, v, (width / heads) ** -0.5, bias=bias)
        a = w.linear(a, p + ("attention.attn.o" if mpnet else "attention.output.dense"), width)
        x = w.layer_norm(x + a, p + ("attention.LayerNorm" if mpnet else "attention.output.LayerNorm"), eps)
        if alibi:
            gate, up = w.linear(x, p + "mlp.gated_layers", 2 * between, bias=False).chunk(2, -1)
            x = w.layer_norm(x + w.linear(F.gelu(gate) * up, p + "mlp.wo", width), p + "mlp.layernorm", eps)
        else:
            y = ACTIVATIONS[c["hidden_act"]](w.linear(x, p + "intermediate.dense", between))
            x = w.layer_norm(x + w.linear(y, p + "output.dense", width), p + "output.LayerNorm", eps)
    return x


def distilbert(w, c, ids):
    width, heads, eps = c["dim"], c["n_heads"], 1e-12
    x = F.embedding(ids, w.table("embeddings.word_embeddings", c["vocab_size"], width))
    x = x + w.table("embeddings.position_embeddings", c["max_position_embeddings"], width)[: len(ids)]
    x = w.layer_norm(x, "embeddings.LayerNorm", eps)
    for n in range(c["n_layers"]):
        p = f"transformer.layer.{n}."
        q, k, v = (split(w.linear(x, f"{p}attention.{one}_lin", width), heads) for one in "qkv")
        a = w.linear(attend(q, k, v, (width / heads) ** -0.5), p + "attention.out_lin", width)
        x = w.layer_norm(x + a, p + "sa_layer_norm", eps)
        y = w.linear(ACTIVATIONS[c["activation"]](w.linear(x, p + "ffn.lin1", c["hidden_dim"])), p + "ffn.lin2", width)
        x = w.layer_norm(x + y, p + "output_layer_norm", eps)
    return x


def modernbert(w, c, ids):
    width, heads, eps, between = c["hidden_size"], c["num_attention_heads"], c["norm_eps"], c["intermediate_size"]
    near = distances(len(ids)).abs() <= c["local_attention"] // 2
    x = F.embedding(ids, w.table("embeddings.tok_embeddings", c["vocab_size"], width))
    x = w.layer_norm(x, "embeddings.norm", eps, bias=False)
    for n in range(c["num_hidden_layers"]):
        p = f"layers.{n}."
        everywhere = n % c["global_attn_every_n_layers"] == 0
        h = x if n == 0 else w.layer_norm(x, p + "attn_norm", eps, bias=False)
        q, k, v = (split(one, heads) for one in w.linear(h, p + "attn.Wqkv", 3 * width, bias=False).chunk(3, -1))
        base = c["global_rope_theta"] if everywhere else c["local_rope_theta"]
        a = attend(rotate(q, base), rotate(k, base), v, (width / heads) ** -0.5, allowed=None if everywhere else near)
        x = x + w.linear(a, p + "attn.Wo", width, bias=False)
        gate, up = w.linear(w.layer_norm(x, p + "mlp_norm", eps, bias=False), p + "mlp.Wi", 2 * between, bias=False).chunk(2, -1)
        x = x + w.linear(F.gelu(gate) * up, p + "mlp.Wo", width, bias=False)
    return w.layer_norm(x, "final_norm", eps, bias=False)


def nomic_bert(w, c, ids):
    width, heads, eps = c["n_embd"], c["n_head"], c["layer_norm_epsilon"]
    rotary = 2 * int(c["rotary_emb_fraction"] * (width // heads) / 2)
    x = F.embedding(ids, w.table("embeddings.word_embeddings", c["vocab_size"], width))
    x = x + w.table("embeddings.token_type_embeddings", 2, width)[0]
    x = w.layer_norm(x, "emb_ln", eps)
    for n in range(c["n_layer"]):
        p = f"encoder.layers.{n}."
        q, k, v = (split(one, heads) for one in w.linear(x, p + "attn.Wqkv", 3 * width, bias=False).chunk(3, -1))
        q, k = (rotate(one, c["rotary_emb_base"], rotary, c["rotary_emb_interleaved"]) for one in (q, k))
        a = w.linear(attend(q, k, v, (width / heads) ** -0.5), p + "attn.out_proj", width, bias=False)
        x = w.layer_norm(x + a, p + "norm1", eps)
        y = w.linear(x, p + "mlp.fc11", c["n_inner"], bias=False) * F.silu(w.linear(x, p + "mlp.fc12", c["n_inner"], bias=False))
        x = w.layer_norm(x + w.linear(y, p + "mlp.fc2", width, bias=False), p + "norm2", eps)
    return x


def gpt2(w, c, ids):
    width, heads, eps = c["n_embd"], c["n_head"], c["layer_norm_epsilon"]
    words = w.table("transformer.wte", c["vocab_size"], width)
    x = F.embedding(ids, words) + w.table("transformer.wpe", c["n_positions"], width)[: len(ids)]
    past = distances(len(ids)) <= 0
    for n in range(c["n_layer"]):
        p = f"transformer.h.{n}."
        q, k, v = (split(one, heads) for one in w.conv1d(w.layer_norm(x, p + "ln_1", eps), p + "attn.c_attn", 3 * width).chunk(3, -1))
        x = x + w.conv1d(attend(q, k, v, (width / heads) ** -0.5, allowed=past), p + "attn.c_proj", width)
        y = ACTIVATIONS[c["activation_function"]](w.conv1d(w.layer_norm(x, p + "ln_2", eps), p + "mlp.c_fc", c["n_inner"]))
        x = x + w.conv1d(y, p + "mlp.c_proj", width)
    return w.layer_norm(x, "transformer.ln_f", eps) @ words.T


def llama3_divisor(scaling):
    factor, low, high = scaling["factor"], scaling["low_freq_factor"], scaling["high_freq_factor"]
    length = scaling["original_max_position_embeddings"]

    def divide(frequency):
        wavelength = 2 * math.pi / frequency
        smooth = (length / wavelength - low) / (high - low)
        between = (1 - smooth) * frequency / factor + smooth * frequency
        long_or_between = torch.where(wavelength > length / low, frequency / factor, between)
        return torch.where(wavelength < length / high, frequency, long_or_between)

    return divide


def llama(w, c, ids):
    """Llama and its kin."""
    family, width, eps = c["model_type"], c["hidden_size"], c["rms_norm_eps"]
    heads, kv_heads = c["num_attention_heads"], c["num_key_value_heads"]
    head = c.get("head_dim", width // heads)
    gemma = family.startswith("gemma")
    around = family in ("gemma2", "gemma3_text")
    qk_norm = family in ("qwen3", "gemma3_text")
    act = F.silu if not gemma else ACTIVATIONS["gelu_pytorch_tanh"]
    norm = lambda x, name: w.rms_norm(x, name, eps, plus_one=gemma)
    words = w.table("model.embed_tokens", c["vocab_size"], width)
    x = F.embedding(ids, words) * (math.sqrt(width) if gemma else 1)
    away = -distances(len(ids))
    scaling = c.get("rope_scaling")
    divisor = None
    if scaling is not None:
        divisor = llama3_divisor(scaling) if scaling["rope_type"] == "llama3" else lambda f: f / scaling["factor"]
    for n in range(c["num_hidden_layers"]):
        p = f"model.layers.{n}."
        base, own, window = c["rope_theta"], divisor, None
        if family == "mistral" or (family == "gemma2" and n % 2 == 0):
            window = c["sliding_window"]
        if family == "qwen2" and c.get("use_sliding_window") and n >= c["max_window_layers"]:
            window = c["sliding_window"]
        if family == "gemma3_text" and (n + 1) % c["sliding_window_pattern"] != 0:
            base, own, window = c["rope_local_base_freq"], None, c["sliding_window"]
        allowed = (away >= 0) if window is None else (away >= 0) & (away < window)
        h = norm(x, p + "input_layernorm")
        bias = family == "qwen2"
        q = split(w.linear(h, p + "self_attn.q_proj", heads * head, bias), heads)
        k = split(w.linear(h, p + "self_attn.k_proj", kv_heads * head, bias), kv_heads)
        v = split(w.linear(h, p + "self_attn.v_proj", kv_heads * head, bias), kv_heads)
        if qk_norm:
            q, k = norm(q, p + "self_attn.q_norm"), norm(k, p + "self_attn.k_norm")
        scale = c.get("query_pre_attn_scalar", head) ** -0.5
        a = attend(rotate(q, base, divisor=own), rotate(k, base, divisor=own), v, scale, allowed, cap=c.get("attn_logit_softcapping"))
        a = w.linear(a, p + "self_attn.o_proj", width, bias=False)
        if around:
            x = x + norm(a, p + "post_attention_layernorm")
            h = norm(x, p + "pre_feedforward_layernorm")
        else:
            x = x + a
            h = norm(x, p + "post_attention_layernorm")
        y = act(w.linear(h, p + "mlp.gate_proj", c["intermediate_size"], bias=False))
        y = y * w.linear(h, p + "mlp.up_proj", c["intermediate_size"], bias=False)
        y = w.linear(y, p + "mlp.down_proj", width, bias=False)
        x = x + (norm(y, p + "post_feedforward_layernorm") if around else y)
    x = norm(x, "model.norm")
    logits = x @ (words if c["tie_word_embeddings"] else w("lm_head.weight", c["vocab_size"], width)).T
    last = c.get("final_logit_softcapping")
    return logits if last is None else last * torch.tanh(logits / last)


BERT = dict(model_type="bert", architectures=["BertModel"], vocab_size=40, num_hidden_layers=2, intermediate_size=31,
            max_position_embeddings=23, type_vocab_size=2, hidden_act="gelu", layer_norm_eps=1e-12)
THREE = dict(hidden_size=12, num_attention_heads=3)
TWELVE = dict(hidden_size=24, num_attention_heads=12)
ROBERTA = dict(BERT, model_type="roberta", architectures=["RobertaModel"], type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1)
MPNET = dict(BERT, model_type="mpnet", architectures=["MPNetModel"], layer_norm_eps=1e-5)
MODERN = dict(model_type="modernbert", architectures=["ModernBertModel"], vocab_size=40, num_hidden_layers=4, intermediate_size=19,
              norm_eps=1e-5, global_attn_every_n_layers=3, local_attention=9, global_rope_theta=160000, local_rope_theta=10000,
              max_position_embeddings=40)
NOMIC = dict(model_type="nomic_bert", architectures=["NomicBertModel"], vocab_size=40, n_layer=2, n_inner=27, n_positions=40,
             activation_function="swiglu", layer_norm_epsilon=1e-12, rotary_emb_base=1000, rotary_emb_fraction=1,
             rotary_emb_interleaved=False)
LLAMA = dict(model_type="llama", architectures=["LlamaForCausalLM"], vocab_size=40, num_hidden_layers=2, intermediate_size=31,
             rms_norm_eps=1e-5, rope_theta=500, max_position_embeddings=40, tie_word_embeddings=False, hidden_act="silu")
GEMMA = dict(LLAMA, architectures=["GemmaForCausalLM"], model_type="gemma", rms_norm_eps=1e-6, tie_word_embeddings=True,
             hidden_act="gelu_pytorch_tanh")
LLAMA3 = dict(rope_type="llama3", factor=8, low_freq_factor=1, high_freq_factor=4, original_max_position_embeddings=40)

CASES = {
    "bert": (bert, dict(BERT, **THREE)),
    "bert_12_heads": (bert, dict(BERT, **TWELVE)),
    "bert_alibi": (bert, dict(BERT, **THREE, position_embedding_type="alibi")),
    "bert_alibi_12_heads": (bert, dict(BERT, **TWELVE, position_embedding_type="alibi")),
    "roberta": (bert, dict(ROBERTA, **THREE)),
    "xlm_roberta": (bert, dict(ROBERTA, **TWELVE, model_type="xlm-roberta", architectures=["XLMRobertaModel"])),
    "camembert": (bert, dict(ROBERTA, **THREE, model_type="camembert", architectures=["CamembertModel"], hidden_act="gelu_new")),
    "mpnet": (bert, dict(MPNET, **THREE)),
    "mpnet_12_heads": (bert, dict(MPNET, **TWELVE)),
    "distilbert": (distilbert, dict(model_type="distilbert", architectures=["DistilBertModel"], vocab_size=13, dim=12, n_heads=3,
                                    n_layers=2, hidden_dim=29, max_position_embeddings=23, activation="gelu")),
    "modernbert": (modernbert, dict(MODERN, **THREE)),
    "modernbert_12_heads": (modernbert, dict(MODERN, **TWELVE)),
    "nomic_bert": (nomic_bert, dict(NOMIC, n_embd=12, n_head=3)),
    "nomic_bert_pairs": (nomic_bert, dict(NOMIC, n_embd=24, n_head=3, rotary_emb_fraction=0.5, rotary_emb_interleaved=True)),
    "gpt2": (gpt2, dict(model_type="gpt2", architectures=["GPT2LMHeadModel"], vocab_size=40, n_embd=12, n_head=3, n_layer=2,
                        n_positions=40, n_inner=31, layer_norm_epsilon=1e-5, activation_function="gelu_new")),
    "llama": (llama, dict(LLAMA, **THREE, num_key_value_heads=1, head_dim=6)),
    "llama_12_heads": (llama, dict(LLAMA, **TWELVE, num_key_value_heads=3)),
    "llama3": (llama, dict(LLAMA, **THREE, num_key_value_heads=3, head_dim=8, tie_word_embeddings=True, rope_scaling=LLAMA3)),
    "mistral": (llama, dict(LLAMA, **THREE, model_type="mistral", architectures=["MistralForCausalLM"], num_key_value_heads=1,
                            sliding_window=5)),
    "qwen2": (llama, dict(LLAMA, **TWELVE, model_type="qwen2", architectures=["Qwen2ForCausalLM"], num_key_value_heads=3,
                          use_sliding_window=True, sliding_window=7, max_window_layers=1)),
    "qwen3": (llama, dict(LLAMA, **THREE, model_type="qwen3", architectures=["Qwen3ForCausalLM"], num_key_value_heads=1, head_dim=10)),
    "gemma": (llama, dict(GEMMA, **THREE, num_key_value_heads=1, head_dim=6, vocab_size=13)),
    "gemma2": (llama, dict(GEMMA, **THREE, model_type="gemma2", architectures=["Gemma2ForCausalLM"], num_key_value_heads=1,
                           head_dim=6, sliding_window=5, query_pre_attn_scalar=9, attn_logit_softcapping=3,
                           final_logit_softcapping=2)),
    "gemma3": (llama, dict(GEMMA, **TWELVE, model_type="gemma3_text", architectures=["Gemma3ForCausalLM"], num_key_value_heads=3,
                           head_dim=4, num_hidden_layers=3, sliding_window=6, sliding_window_pattern=2, rope_local_base_freq=100,
                           query_pre_attn_scalar=5, rope_scaling=dict(rope_type="linear", factor=8))),
}


def write_safetensors(path, tensors):
    header, at = {}, 0
    for name, tensor in tensors.items():
        size = 4 * tensor.numel()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    data = b"".join(struct.pack(f"<{tensor.numel()}f", *tensor.flatten().tolist()) for tensor in tensors.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def make(folder, number, name, family, config):
    weights = Weights(1000 + number)
    texts = [torch.randint(config["vocab_size"], (length,), generator=weights.generator) for length in LENGTHS]
    outputs = [family(weights, config, ids) for ids in texts]
    weights.dtype = torch.float32
    error = max((family(weights, config, ids).double() - want).abs().max().item() for ids, want in zip(texts, outputs))
    write_safetensors(folder / f"{name}.safetensors", weights.tensors)
    case = {
        "source": "make_models.py, torch " + torch.__version__,
        "config": config,
        "texts": [ids.tolist() for ids in texts],
        "outputs": [[float(f"{x:.12g}") for x in one.flatten().tolist()] for one in outputs],
        "error_f32": error,
        "largest": max(one.abs().max().item() for one in outputs),
    }
    (folder / f"{name}.json").write_text(json.dumps(case, separators=(",", ":")) + "\n")
    print(f"{name}: error of float32 {error:.2e}, largest {case['largest']:.3g}")


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, (family, config)) in enumerate(CASES.items()):
        make(folder, number, name, family, config)


if __name__ == "__main__":
    main()
