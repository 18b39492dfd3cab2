#include "attention/linear_recurrent.hpp"

#include <algorithm>
#include <cmath>

#include "attention/linear_fading.hpp"
#include "attention/linear_state.hpp"
#include "attention/linear_touch.hpp"
#include "attention/linear_walk.hpp"

namespace fovea {
namespace {

/// A piece has as many tokens as these floats hold rows of features, so that they stay near while the state is walked.
constexpr std::size_t kPieceFloats = 16384;
constexpr std::size_t kMostTokens = 48;

/// Asked for before the arguments are checked, so any of them may be 0.
struct PieceSizes {
  std::size_t tokens, rows;  // rows: of queries

  PieceSizes(const LinearArgs& args, const LinearSizes& sizes) noexcept {
    const std::size_t group = args.kv_heads == 0 ? 1 : args.group();
    const std::size_t most = kPieceFloats / std::max<std::size_t>((3 + group) * sizes.feature_stride, 1);
    tokens = std::clamp<std::size_t>(std::min(most, args.queries), 1, kMostTokens);
    rows = tokens * group;
  }
};

struct Scratch {
  LinearSums sums;
  LinearFading fading;
  float *k, *expects;  // [tokens][feature_stride]
  float* q;            // [rows][feature_stride]
  float* v;            // [tokens][stride]
  float* o;            // [rows][stride]
  float* beta;         // [tokens]
  float* exponent;     // [rows]: what φ(q) was divided by the exponential of
  float* touched;      // [1]
};

struct Recurrence {
  const LinearArgs& args;
  LinearSizes sizes;
  std::size_t batch, kv_head;
  Scratch scratch;

  /// k <- φ(k[from...]), the sums brought to their stabiliser. Returns how many: a key whose exponents rise above all before
  /// is the first of its piece.
  std::size_t take_keys(std::size_t from, std::size_t tokens) noexcept {
    for (std::size_t t = 0; t < tokens; ++t) {
      float* const k = scratch.k + t * sizes.feature_stride;
      write_features(args.features, args.k.row(batch, kv_head, from + t), args.key_scale, k);
      if (!args.features.is_stabilised()) continue;
      const float highest = std::max(scratch.sums.m, highest_of(k, sizes.features));
      if (t > 0 && highest > scratch.sums.m) return t;
      scratch.sums.raise(sizes, highest);
      exponentiate_features(k, sizes.features, highest, args.features.weight());
    }
    return tokens;
  }

  std::size_t take_decays(std::size_t from, std::size_t tokens) noexcept {
    for (std::size_t t = 0; t < tokens; ++t) {
      if (!scratch.fading.take(args, sizes, args.decay.row(batch, kv_head, from + t), t)) return t;
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
      if (!args.features.is_stabilised()) continue;
      scratch.exponent[row] = highest_of(q, sizes.features);
      exponentiate_features(q, sizes.features, scratch.exponent[row], args.features.weight());
    }
  }

  void fade(std::size_t tokens) noexcept {
    for (std::size_t t = 0; t < tokens; ++t) {
      const std::size_t row = t * sizes.feature_stride;
      scratch.fading.fade_key(sizes, t, scratch.k + row, args.is_delta() ? scratch.expects + row : nullptr);
      for (std::size_t r = t * args.group(); r < (t + 1) * args.group(); ++r) {
        scratch.fading.fade_query(sizes, t, scratch.q + r * sizes.feature_stride);
      }
    }
    scratch.fading.end(sizes, tokens);
  }

  /// The keys of a piece, `most` of them at most.
  LinearPiece begin(std::size_t from, std::size_t most) noexcept {
    const std::size_t length = args.length(batch);
    LinearPiece piece;
    piece.group = args.group();
    piece.q = scratch.q;
    piece.o = scratch.o;
    piece.has_keys = from < length;
    if (!piece.has_keys) {
      piece.tokens = std::min(most, args.queries - from);
      scratch.fading.settle(sizes, scratch.sums.s);
      return piece;
    }
    piece.tokens = take_keys(from, std::min(most, length - from));
    if (args.is_gated()) piece.tokens = take_decays(from, piece.tokens);
    for (std::size_t t = 0; t < piece.tokens; ++t) {
      write_values(args, sizes, args.v.row(batch, kv_head, from + t), scratch.v + t * sizes.stride);
      if (args.is_delta()) scratch.beta[t] = *args.beta.row(batch, kv_head, from + t);
    }
    piece.k = scratch.k;
    piece.v = scratch.v;
    if (args.is_gated()) piece.decay = scratch.fading.decay;
    if (args.is_delta()) {
      piece.expects = args.is_gated() ? scratch.expects : scratch.k;
      piece.beta = scratch.beta;
      // Both factors of what is expected were divided by exp(m).
      piece.expected_scale = std::exp(2.0 * static_cast<double>(scratch.sums.m));
    }
    return piece;
  }

  /// Returns how many tokens it was.
  std::size_t attend(std::size_t from, std::size_t most) noexcept {
    const LinearPiece piece = begin(from, most);
    const std::size_t rows = piece.tokens * args.group();
    take_queries(from, rows);
    if (piece.decay != nullptr) fade(piece.tokens);
    walk_piece(sizes, piece, scratch.sums.s);
    for (std::size_t row = 0; row < rows; ++row) {
      write_linear_row(args, scratch.o + row * sizes.stride, scratch.exponent[row] + scratch.sums.m,
                       args.output.row(batch, kv_head * args.group() + row % args.group(), from + row / args.group()));
    }
    return piece.tokens;
  }
};

}  // namespace

std::size_t recurrent_workspace_floats(const LinearArgs& args) noexcept {
  const LinearSizes sizes(args);
  const PieceSizes piece(args, sizes);
  return workspace_round(sizes.sum_floats()) + workspace_round(sizes.feature_stride) +
         3 * workspace_round(piece.tokens * sizes.feature_stride) + workspace_round(piece.rows * sizes.feature_stride) +
         workspace_round(piece.tokens * sizes.stride) + workspace_round(piece.rows * sizes.stride) +
         workspace_round(piece.tokens) + workspace_round(piece.rows) + workspace_round(1);
}

void attend_recurrent(const LinearArgs& args, std::size_t batch, std::size_t kv_head, Workspace workspace) noexcept {
  const LinearSizes sizes(args);
  const PieceSizes piece(args, sizes);
  Recurrence recurrence = {args, sizes, batch, kv_head, {}};
  Scratch& scratch = recurrence.scratch;
  scratch.sums.s = workspace.take(sizes.sum_floats());
  scratch.fading.left = workspace.take(sizes.feature_stride);
  scratch.fading.decay = workspace.take(piece.tokens * sizes.feature_stride);
  scratch.k = workspace.take(piece.tokens * sizes.feature_stride);
  scratch.expects = workspace.take(piece.tokens * sizes.feature_stride);
  scratch.q = workspace.take(piece.rows * sizes.feature_stride);
  scratch.v = workspace.take(piece.tokens * sizes.stride);
  scratch.o = workspace.take(piece.rows * sizes.stride);
  scratch.beta = workspace.take(piece.tokens);
  scratch.exponent = workspace.take(piece.rows);
  scratch.touched = workspace.take(1);
  read_state(args, sizes, batch * args.kv_heads + kv_head, scratch.sums);
  // A call of few tokens reads them all before it needs them.
  std::size_t touched = args.queries > piece.tokens ? 0 : args.queries;
  for (std::size_t at = 0; at < args.queries;) {
    if (at >= touched) touched = at + touch_tokens(args, batch, kv_head, at, args.queries, scratch.touched);
    at += recurrence.attend(at, piece.tokens);
  }
  scratch.fading.settle(sizes, scratch.sums.s);
  write_state(args, sizes, batch * args.kv_heads + kv_head, scratch.sums, nullptr);
}

}  // namespace fovea
