#include "linear_attention/recurrent_rules.hpp"

#include <algorithm>
#include <cmath>

#include "linear_attention/cumulative_decay.hpp"
#include "linear_attention/prefetch_rows.hpp"
#include "linear_attention/state.hpp"
#include "linear_attention/state_update.hpp"

namespace fovea {
namespace {

/// Floats of a block's rows of features, which stay in cache while the state is walked. At 8, 16, 48 tokens, D=64, N=16,384: gated
/// 8.8, 8.7, 8.4 ms, gatedDelta 11.4, 11.0, 10.7 (Node 24, the lowest of 25, 2026-11-21).
constexpr std::size_t kBlockFloats = 16384;
constexpr std::size_t kMostTokens = 48;

struct BlockSizes {
  std::size_t tokens, rows;  // rows: of queries

  BlockSizes(const LinearArgs& args, const LinearSizes& sizes) noexcept {
    const std::uint64_t most = kBlockFloats / saturated_product(3 + args.group(), sizes.feature_stride);
    tokens = static_cast<std::size_t>(std::clamp<std::uint64_t>(std::min<std::uint64_t>(most, args.queries), 1, kMostTokens));
    rows = tokens * args.group();
  }
};

struct Scratch {
  LinearSums sums;
  CumulativeDecay cumulative_decay;
  float *k, *prediction_keys;  // [tokens][feature_stride]
  float* q;                    // [rows][feature_stride]
  float* v;                    // [tokens][stride]
  float* o;                    // [rows][stride]
  float* beta;                 // [tokens]
  float* higher;               // [stabilizers]
  double* prediction_scale;    // [tokens]
  float* exponent;             // [rows]: what o was divided by the exponential of
  float* touched;              // [1]

  Scratch(const LinearSizes& sizes, const BlockSizes& block, Workspace& workspace) noexcept {
    sums = {sizes.take_sums(workspace), sizes.take_stabilizers(workspace)};
    higher = sizes.take_stabilizers(workspace);
    prediction_scale = workspace.take<double>(sizes.stabilizers > 0 ? block.tokens : 0);
    cumulative_decay.pending = workspace.take<float>(sizes.feature_stride);
    cumulative_decay.decay = workspace.take<float>(block.tokens, sizes.feature_stride);
    k = workspace.take<float>(block.tokens, sizes.feature_stride);
    prediction_keys = workspace.take<float>(block.tokens, sizes.feature_stride);
    q = workspace.take<float>(block.rows, sizes.feature_stride);
    v = workspace.take<float>(block.tokens, sizes.stride);
    o = workspace.take<float>(block.rows, sizes.stride);
    beta = workspace.take<float>(block.tokens);
    exponent = workspace.take<float>(block.rows);
    touched = workspace.take<float>(1u);
  }
};

struct Recurrence {
  const LinearArgs& args;
  LinearSizes sizes;
  std::size_t batch, kv_head;
  Scratch scratch;

  /// k <- φ(k[from...]), the sums brought to their stabilizers. Returns how many: a key with an exponent above all before is the
  /// first of its block.
  std::size_t take_keys(std::size_t from, std::size_t tokens) noexcept {
    for (std::size_t t = 0; t < tokens; ++t) {
      float* const k = scratch.k + t * sizes.feature_stride;
      write_features(args.features, args.k.row(batch, kv_head, from + t), args.key_scale, k);
      if (!args.features.is_stabilized()) continue;
      std::copy_n(scratch.sums.m, sizes.features, scratch.higher);
      raise_stabilizers(k, sizes.features, scratch.higher);
      if (t > 0 && !std::equal(scratch.higher, scratch.higher + sizes.features, scratch.sums.m)) return t;
      scratch.sums.rescale(sizes, scratch.higher);
      if (args.is_delta()) take_prediction_keys(k, t);
      exponentiate_features(k, sizes.features, scratch.sums.m, args.features.weight());
    }
    return tokens;
  }

  /// prediction_keys, prediction_scale <- the exponents k of a token plus the state's stabilizers, exponentiated
  void take_prediction_keys(const float* k, std::size_t t) noexcept {
    float* const keys = scratch.prediction_keys + t * sizes.feature_stride;
    add_vectors(k, scratch.sums.m, sizes.features, keys);
    const float max = max_of(keys, sizes.features);
    exponentiate_features(keys, sizes.features, max, args.features.weight());
    scratch.prediction_scale[t] = std::exp(static_cast<double>(max));
  }

  std::size_t take_decays(std::size_t from, std::size_t tokens) noexcept {
    for (std::size_t t = 0; t < tokens; ++t) {
      if (!scratch.cumulative_decay.take(args, sizes, args.decay.row(batch, kv_head, from + t), t)) return t;
    }
    return tokens;
  }

  /// q <- φ(q[from...]) of all query heads
  void take_queries(std::size_t from, std::size_t rows) noexcept {
    for (std::size_t row = 0; row < rows; ++row) {
      float* const q = scratch.q + row * sizes.feature_stride;
      const std::size_t head = kv_head * args.group() + row % args.group();
      write_features(args.features, args.q.row(batch, head, from + row / args.group()), args.query_scale, q);
      scratch.exponent[row] = 0.0f;
      if (!args.features.is_stabilized()) continue;
      add_vectors(q, scratch.sums.m, sizes.features, q);
      scratch.exponent[row] = max_of(q, sizes.features);
      exponentiate_features(q, sizes.features, scratch.exponent[row], args.features.weight());
    }
  }

  void fade(std::size_t tokens) noexcept {
    for (std::size_t t = 0; t < tokens; ++t) {
      const std::size_t row = t * sizes.feature_stride;
      float* const prediction_keys = args.is_delta() ? scratch.prediction_keys + row : nullptr;
      if (args.is_delta() && !args.features.is_stabilized()) {
        std::copy_n(scratch.k + row, sizes.feature_stride, prediction_keys);
      }
      scratch.cumulative_decay.scale_by_inverse_decay(sizes, t, scratch.k + row, prediction_keys);
      for (std::size_t r = t * args.group(); r < (t + 1) * args.group(); ++r) {
        scratch.cumulative_decay.scale_by_decay(sizes, t, scratch.q + r * sizes.feature_stride);
      }
    }
    scratch.cumulative_decay.end(sizes, tokens);
  }

  /// The keys of a block, `most` of them at most.
  TokenBlock begin(std::size_t from, std::size_t most) noexcept {
    const std::size_t length = args.length(batch);
    TokenBlock block;
    block.group = args.group();
    block.q = scratch.q;
    block.o = scratch.o;
    block.has_keys = from < length;
    if (!block.has_keys) {
      block.tokens = std::min(most, args.queries - from);
      scratch.cumulative_decay.flush(sizes, scratch.sums.s);
      return block;
    }
    block.tokens = take_keys(from, std::min(most, length - from));
    if (args.is_gated()) block.tokens = take_decays(from, block.tokens);
    for (std::size_t t = 0; t < block.tokens; ++t) {
      write_values(args, sizes, args.v.row(batch, kv_head, from + t), scratch.v + t * sizes.stride);
      if (args.is_delta()) scratch.beta[t] = *args.beta.row(batch, kv_head, from + t);
    }
    block.k = scratch.k;
    block.v = scratch.v;
    if (args.is_gated()) block.decay = scratch.cumulative_decay.decay;
    if (args.is_delta()) {
      block.prediction_keys = args.is_gated() || args.features.is_stabilized() ? scratch.prediction_keys : scratch.k;
      block.beta = scratch.beta;
      if (args.features.is_stabilized()) block.prediction_scale = scratch.prediction_scale;
    }
    return block;
  }

  /// Returns how many tokens it was.
  std::size_t attend(std::size_t from, std::size_t most) noexcept {
    const TokenBlock block = begin(from, most);
    const std::size_t rows = block.tokens * args.group();
    take_queries(from, rows);
    if (block.decay != nullptr) fade(block.tokens);
    update_state(sizes, block, scratch.sums.s);
    for (std::size_t row = 0; row < rows; ++row) {
      write_linear_row(args, scratch.o + row * sizes.stride, scratch.exponent[row],
                       args.output.row(batch, kv_head * args.group() + row % args.group(), from + row / args.group()));
    }
    return block.tokens;
  }
};

}  // namespace

void take_recurrent_scratch(const LinearArgs& args, Workspace& workspace) noexcept {
  const LinearSizes sizes(args);
  Scratch(sizes, BlockSizes(args, sizes), workspace);
}

void attend_recurrent(const LinearArgs& args, std::size_t batch, std::size_t kv_head, Workspace workspace) noexcept {
  const LinearSizes sizes(args);
  const BlockSizes block(args, sizes);
  Recurrence recurrence = {args, sizes, batch, kv_head, Scratch(sizes, block, workspace)};
  Scratch& scratch = recurrence.scratch;
  read_state(args, sizes, batch * args.kv_heads + kv_head, scratch.sums);
  // A call of few tokens reads them all before it needs them.
  std::size_t touched = args.queries > block.tokens ? 0 : args.queries;
  for (std::size_t at = 0; at < args.queries;) {
    if (at >= touched) touched = at + prefetch_tokens(args, batch, kv_head, at, args.queries, scratch.touched);
    at += recurrence.attend(at, block.tokens);
  }
  scratch.cumulative_decay.flush(sizes, scratch.sums.s);
  write_state(args, sizes, batch * args.kv_heads + kv_head, scratch.sums, nullptr);
}

}  // namespace fovea
