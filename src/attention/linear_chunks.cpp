#include "attention/linear_chunks.hpp"

#include <algorithm>

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

static_assert(kLinearChunk <= kRowStride && kLinearChunk % kPanelColumns == 0);

/// By how much the exponents of a causal chunk may rise: what an early row sees is divided by the exponential of that.
constexpr float kHighestRise = 20.0f;

/// One chunk of one head.
struct Chunk {
  const LinearArgs& args;
  const LinearSizes sizes;
  const LinearHead& head;
  const LinearScratch& scratch;
  std::size_t from, queries, keys;
  float m = 0.0f;         // the stabiliser of its keys
  float state_m = 0.0f;   // that of the packed state
  bool is_finite = true;  // its values

  /// k <- φ(K), its exponents where they are stabilised;  m <- the highest of them, and of `before`. A causal chunk ends where
  /// they rise too far above the first key's.
  void take_keys(float before) noexcept {
    m = before;
    for (std::size_t j = 0; j < keys; ++j) {
      float* const row = scratch.k + j * sizes.feature_stride;
      write_features(args.features, args.k.row(head.batch, head.kv_head, from + j), args.key_scale, row);
      if (args.features.is_stabilised()) {
        const float highest = highest_of(row, sizes.features);
        if (j == 0) before = std::max(before, highest);
        if (args.causal && highest > before + kHighestRise) {
          queries = keys = j;
          break;
        }
        m = std::max(m, highest);
      }
      if (args.features.map == FeatureMap::Softmax) {
        std::transform(row, row + sizes.features, head.highest, row, [](float x, float highest) { return x - highest; });
        exponentiate_features(row, sizes.features, 0.0f, 1.0f);
      }
    }
  }

  /// k <- exp(k - m)
  void stabilise_keys() const noexcept {
    if (!args.features.is_stabilised()) return;
    for (std::size_t j = 0; j < keys; ++j) {
      exponentiate_features(scratch.k + j * sizes.feature_stride, sizes.features, m, args.features.weight());
    }
  }

  /// v <- column panels of (V, 1)
  void pack_values() noexcept {
    const SourceRows rows = {args.v.row(head.batch, head.kv_head, from), args.v.token};
    pack_columns(rows, keys, args.value_width, 0, keys, scratch.v);
    is_finite = !args.causal || all_finite(scratch.v, keys, args.value_width);
    if (!sizes.has_ones) return;
    const std::size_t column = args.value_width, panel = column / kPanelColumns;
    float* const ones = scratch.v + panel * keys * kPanelColumns;
    if (column % kPanelColumns == 0) std::fill_n(ones, keys * kPanelColumns, 0.0f);
    for (std::size_t j = 0; j < keys; ++j) ones[j * kPanelColumns + column % kPanelColumns] = 1.0f;
  }

  /// s <- s + φ(K)ᵀ V
  void add_to(LinearSums& part) const noexcept {
    for (std::size_t f = 0; f < sizes.features; f += kPanelRows) {
      const std::size_t here = std::min(kPanelRows, sizes.features - f);
      for (std::size_t j = 0; j < keys; ++j) {
        const float* const row = scratch.k + j * sizes.feature_stride + f;
        float* const to = scratch.k_rows + j * kPanelRows;
        for (std::size_t r = 0; r < kPanelRows; ++r) to[r] = r < here ? row[r] : 0.0f;
      }
      accumulate_panels(scratch.k_rows, scratch.v, keys, sizes.stride / kPanelColumns, part.s + f * sizes.stride, sizes.stride);
    }
  }

  /// state <- column panels of a exp(a.m - state_m) + b exp(b.m - state_m)
  void pack_state(const LinearSums& a, const LinearSums* b) noexcept {
    state_m = b != nullptr ? std::max(a.m, b->m) : a.m;
    if (keys > 0) state_m = std::max(state_m, m);
    const f32 a_shrink = splat(shrink_of(a.m, state_m)), b_shrink = splat(b != nullptr ? shrink_of(b->m, state_m) : 0.0f);
    float* to = scratch.state;
    for (std::size_t c = 0; c < sizes.stride; c += kPanelColumns) {
      for (std::size_t f = 0; f < sizes.features; ++f, to += kPanelColumns) {
        for (std::size_t i = 0; i < kPanelColumns; i += f32::size) {
          const std::size_t at = f * sizes.stride + c + i;
          f32 x = load(a.s + at) * a_shrink;
          if (b != nullptr) x = madd(load(b->s + at), b_shrink, x);
          store(to + i, x);
        }
      }
    }
  }

  /// o[r] <- o[r] + scores[r][j] v[j]
  void add_value(std::size_t r, std::size_t j) const noexcept {
    const f32 score = splat(scratch.scores[r * kRowStride + j]);
    for (std::size_t c = 0; c < sizes.stride; c += f32::size) {
      const float* const v = scratch.v + (c / kPanelColumns * keys + j) * kPanelColumns + c % kPanelColumns;
      float* const o = scratch.o + r * sizes.stride + c;
      store(o, madd(score, load(v), load(o)));
    }
  }

  /// The outputs of a strip of queries of one head: of the state, and in a causal call of the chunk's keys up to each query.
  void attend_strip(std::size_t query_head, std::size_t first, bool with_keys) const noexcept {
    const std::size_t rows = std::min(kPanelRows, queries - first), panels = sizes.stride / kPanelColumns;
    float exponent[kPanelRows];
    for (std::size_t r = 0; r < rows; ++r) {
      float* const row = scratch.q + r * sizes.feature_stride;
      write_features(args.features, args.q.row(head.batch, query_head, from + first + r), args.query_scale, row);
      exponent[r] = state_m;
      if (args.features.map == FeatureMap::Softmax) softmax_features(row, sizes.features);
      if (!args.features.is_stabilised()) continue;
      const float highest = highest_of(row, sizes.features);
      exponentiate_features(row, sizes.features, highest, args.features.weight());
      exponent[r] += highest;
    }
    pack_row_panel({scratch.q, static_cast<std::ptrdiff_t>(sizes.feature_stride)}, rows, sizes.features, 1.0f, scratch.q_rows);
    // The chunk's own keys first: added to the state's product one by one, each would be rounded to its size.
    std::fill_n(scratch.o, kPanelRows * sizes.stride, 0.0f);
    if (with_keys) {
      const std::size_t depth = std::min(keys, first + rows);
      multiply_panels(scratch.q_rows, scratch.k_columns, sizes.features, (depth + kPanelColumns - 1) / kPanelColumns,
                      scratch.scores, kRowStride);
      const float shrink = shrink_of(m, state_m);
      for (std::size_t r = 0; r < kPanelRows; ++r) {
        float* const row = scratch.scores + r * kRowStride;
        const std::size_t seen = std::min(first + r + 1, depth);
        for (std::size_t j = 0; shrink != 1.0f && j < seen; ++j) row[j] *= shrink;
        std::fill(row + seen, row + depth, 0.0f);
      }
      // Scores of later keys are 0, but 0 times infinity is NaN.
      const std::size_t seen_by_all = is_finite ? depth : std::min(depth, first + 1);
      accumulate_rows(scratch.scores, scratch.v, seen_by_all, keys, panels, scratch.o, sizes.stride);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t j = seen_by_all; j < std::min(depth, first + r + 1); ++j) add_value(r, j);
      }
    }
    accumulate_panels(scratch.q_rows, scratch.state, sizes.features, panels, scratch.o, sizes.stride);
    for (std::size_t r = 0; r < rows; ++r) {
      write_linear_row(args, scratch.o + r * sizes.stride, exponent[r],
                       args.output.row(head.batch, query_head, from + first + r));
    }
  }

  void attend(bool with_keys) const noexcept {
    if (with_keys) {
      pack_columns_of_transpose({scratch.k, static_cast<std::ptrdiff_t>(sizes.feature_stride)}, keys, sizes.features,
                                scratch.k_columns);
    }
    const std::size_t first_head = head.kv_head * args.group();
    for (std::size_t h = first_head; h < first_head + args.group(); ++h) {
      for (std::size_t row = 0; row < queries; row += kPanelRows) attend_strip(h, row, with_keys);
    }
  }
};

std::size_t chunk_of(const LinearArgs& args) noexcept { return std::clamp<std::size_t>(args.chunk, 1, kLinearChunk); }

/// How many of [from, to) are below `length`.
std::size_t count_below(std::size_t length, std::size_t from, std::size_t to) noexcept {
  return std::min(to, std::max(from, length)) - from;
}

}  // namespace

std::size_t LinearScratch::floats(const LinearArgs& args) noexcept {
  const LinearSizes sizes(args);
  return workspace_round(kLinearChunk * sizes.feature_stride) + workspace_round(kLinearChunk * sizes.features) +
         workspace_round(kLinearChunk * kPanelRows) + workspace_round(kLinearChunk * sizes.stride) +
         workspace_round(sizes.features * sizes.stride) + workspace_round(kPanelRows * sizes.feature_stride) +
         workspace_round(kPanelRows * sizes.features) + workspace_round(kPanelRows * sizes.stride) +
         workspace_round(kPanelRows * kRowStride);
}

LinearScratch LinearScratch::take(const LinearArgs& args, Workspace& workspace) noexcept {
  const LinearSizes sizes(args);
  LinearScratch scratch;
  scratch.k = workspace.take(kLinearChunk * sizes.feature_stride);
  scratch.k_columns = workspace.take(kLinearChunk * sizes.features);
  scratch.k_rows = workspace.take(kLinearChunk * kPanelRows);
  scratch.v = workspace.take(kLinearChunk * sizes.stride);
  scratch.state = workspace.take(sizes.features * sizes.stride);
  scratch.q = workspace.take(kPanelRows * sizes.feature_stride);
  scratch.q_rows = workspace.take(kPanelRows * sizes.features);
  scratch.o = workspace.take(kPanelRows * sizes.stride);
  scratch.scores = workspace.take(kPanelRows * kRowStride);
  return scratch;
}

void attend_span(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums* start, LinearSums& part,
                 const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args);
  const std::size_t length = args.length(head.batch), end = std::min(args.keys, from + kLinearSpan);
  part.clear(sizes, args.features.is_stabilised());
  for (std::size_t at = from; at < end;) {
    const std::size_t to = std::min(end, at + chunk_of(args));
    Chunk chunk = {args, sizes, head, scratch, at, to - at, count_below(length, at, to)};
    chunk.take_keys(part.m);
    chunk.stabilise_keys();
    at += chunk.queries;
    chunk.pack_values();
    if (start != nullptr) {
      chunk.pack_state(*start, &part);
      chunk.attend(chunk.keys > 0);
    }
    if (chunk.keys == 0) continue;
    part.raise(sizes, chunk.m);
    chunk.add_to(part);
  }
}

void read_span(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums& sums,
               const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args);
  const std::size_t end = std::min(args.queries, from + kLinearSpan);
  Chunk chunk = {args, sizes, head, scratch, from, end - from, 0};
  chunk.pack_state(sums, nullptr);
  chunk.attend(/*with_keys=*/false);
}

}  // namespace fovea
