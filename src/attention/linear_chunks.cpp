#include "attention/linear_chunks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/infinity.hpp"
#include "ops/touch.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

/// By how much the exponents of a causal chunk may rise: what an early row sees is divided by the exponential of that.
constexpr float kHighestRise = 20.0f;

constexpr float kLanes[f32::size] = {0, 1, 2, 3};

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

  /// Where the sum is stored nobody looks: it keeps the reads from being left out.
  void touch_rows(bool with_queries) const noexcept {
    std::uint32_t sum = touch(args.k.row(head.batch, head.kv_head, from), args.k.token, keys, args.width);
    sum += touch(args.v.row(head.batch, head.kv_head, from), args.v.token, keys, args.value_width);
    const std::size_t first_head = head.kv_head * args.group();
    if (with_queries) sum += touch(args.q.row(head.batch, first_head, from), args.q.token, queries, args.width);
    *scratch.touched = std::bit_cast<float>(sum);
  }

  /// k <- φ(K), its exponents where they are stabilised;  m <- the highest of them, and of `before`. A causal chunk ends where
  /// they rise too far above the first key's.
  void take_keys(float before) noexcept {
    m = before;
    write_features(args.features, args.k.row(head.batch, head.kv_head, from), args.k.token, keys, args.key_scale, scratch.k,
                   sizes.feature_stride);
    for (std::size_t j = 0; args.features.is_stabilised() && j < keys; ++j) {
      const float highest = highest_of(scratch.k + j * sizes.feature_stride, sizes.features);
      if (j == 0) before = std::max(before, highest);
      if (args.causal && highest > before + kHighestRise) {
        queries = keys = j;
        break;
      }
      m = std::max(m, highest);
    }
    for (std::size_t j = 0; args.features.map == FeatureMap::Softmax && j < keys; ++j) {
      float* const row = scratch.k + j * sizes.feature_stride;
      std::transform(row, row + sizes.features, head.highest, row, [](float x, float highest) { return x - highest; });
      exponentiate_features(row, sizes.features, 0.0f, 1.0f);
    }
  }

  /// k <- exp(k - m)
  void stabilise_keys() const noexcept {
    if (!args.features.is_stabilised()) return;
    for (std::size_t j = 0; j < keys; ++j) {
      exponentiate_features(scratch.k + j * sizes.feature_stride, sizes.features, m, args.features.weight());
    }
  }

  /// v <- column panels of V
  void pack_values() noexcept {
    const std::size_t depth = keys, width = args.value_width;
    f32 left = splat(0.0f), right = left;  // stay 0 unless something times 0 is NaN
    for (std::size_t j = 0; j < depth; ++j) {
      const float* const row = args.v.row(head.batch, head.kv_head, from + j);
      float* to = scratch.v + j * kPanelColumns;
      for (std::size_t c = 0; c < width; c += kPanelColumns, to += depth * kPanelColumns) {
        float padded[kPanelColumns] = {};
        const bool is_whole = c + kPanelColumns <= width;
        if (!is_whole) std::copy(row + c, row + width, padded);
        const float* const here = is_whole ? row + c : padded;
        const f32 x = load(here), y = load(here + f32::size);
        store(to, x);
        store(to + f32::size, y);
        left = madd(x, splat(0.0f), left);
        right = madd(y, splat(0.0f), right);
      }
    }
    is_finite = simd::reduce_add(left + right) == 0.0f;
  }

  /// s <- s + φ(K)ᵀ (V, 1)
  void add_to(LinearSums& part) const noexcept {
    accumulate_transpose(scratch.k, sizes.feature_stride, sizes.features, scratch.v, keys, sizes.panels, part.s);
    if (!sizes.has_ones) return;
    const std::size_t count = keys, stride = sizes.feature_stride;
    float* const z = part.s + sizes.z_at(0);
    for (std::size_t f = 0; f < stride; f += f32::size) {
      const float* k = scratch.k + f;
      f32 sum = load(z + f);
      for (std::size_t j = 0; j < count; ++j, k += stride) sum = sum + load(k);
      store(z + f, sum);
    }
  }

  /// state <- a exp(a.m - state_m) + b exp(b.m - state_m)
  void take_state(const LinearSums& a, const LinearSums& b) noexcept {
    state_m = std::max(a.m, b.m);
    if (keys > 0) state_m = std::max(state_m, m);
    const f32 a_shrink = splat(shrink_of(a.m, state_m)), b_shrink = splat(shrink_of(b.m, state_m));
    const float *const x = a.s, *const y = b.s;
    float* const to = scratch.state;
    const std::size_t count = sizes.sum_floats();
    for (std::size_t i = 0; i < count; i += f32::size) store(to + i, madd(load(y + i), b_shrink, load(x + i) * a_shrink));
  }

  /// o[r] <- o[r] + scores[r][j] v[j]
  void add_value(std::size_t r, std::size_t j) const noexcept {
    const f32 score = splat(scratch.scores[r * kRowStride + j]);
    for (std::size_t p = 0; p < sizes.panels; ++p) {
      for (std::size_t i = 0; i < kPanelColumns; i += f32::size) {
        float* const o = scratch.o + r * sizes.stride + p * kPanelColumns + i;
        store(o, madd(score, load(scratch.v + (p * keys + j) * kPanelColumns + i), load(o)));
      }
    }
  }

  /// q <- φ(Q) of a strip;   exponent[r] <- what its outputs are divided by the exponential of
  void take_queries(std::size_t query_head, std::size_t first, std::size_t rows, float* exponent) const noexcept {
    write_features(args.features, args.q.row(head.batch, query_head, from + first), args.q.token, rows, args.query_scale,
                   scratch.q, sizes.feature_stride);
    for (std::size_t r = 0; r < rows; ++r) {
      float* const row = scratch.q + r * sizes.feature_stride;
      exponent[r] = state_m;
      if (args.features.map == FeatureMap::Softmax) softmax_features(row, sizes.features);
      if (!args.features.is_stabilised()) continue;
      const float highest = highest_of(row, sizes.features);
      exponentiate_features(row, sizes.features, highest, args.features.weight());
      exponent[r] += highest;
    }
    pack_row_panel({scratch.q, static_cast<std::ptrdiff_t>(sizes.feature_stride)}, rows, sizes.features, 1.0f, scratch.q_rows);
  }

  /// o <- what a strip of queries sees of the chunk's own keys, each up to itself;   divisor[r] <- the same of v = 1
  void read_keys(std::size_t first, std::size_t rows, float* divisor) const noexcept {
    const std::size_t depth = std::min(keys, first + rows), columns = round_up(depth, kPanelColumns);
    multiply_panels(scratch.q_rows, scratch.k_columns, sizes.features, columns / kPanelColumns, scratch.scores, kRowStride);
    const f32 shrink = splat(shrink_of(m, state_m)), zero = splat(0.0f);
    for (std::size_t r = 0; r < rows; ++r) {
      float* const scores = scratch.scores + r * kRowStride;
      const f32 last = splat(static_cast<float>(std::min(first + r, depth - 1)));
      f32 sum = zero, column = load(kLanes);
      for (std::size_t j = 0; j < columns; j += f32::size, column = column + splat(float{f32::size})) {
        const f32 seen = simd::select(column <= last, load(scores + j) * shrink, zero);
        sum = sum + seen;
        store(scores + j, seen);
      }
      divisor[r] = simd::reduce_add(sum);
    }
    // Scores of later keys are 0, but 0 times infinity is NaN.
    const std::size_t seen_by_all = is_finite ? depth : std::min(depth, first + 1);
    multiply_rows_by_panels(scratch.scores, scratch.v, seen_by_all, keys, sizes.panels, scratch.o, sizes.stride);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t j = seen_by_all; j < std::min(depth, first + r + 1); ++j) add_value(r, j);
    }
  }

  /// The outputs of a strip of queries of one head: of the state, and in a causal call of the chunk's keys up to each query.
  void attend_strip(std::size_t query_head, std::size_t first, bool with_keys) const noexcept {
    const std::size_t rows = std::min(kPanelRows, queries - first);
    float exponent[kPanelRows], divisor[kPanelRows] = {};
    take_queries(query_head, first, rows, exponent);
    // The chunk's own keys first: added to the state's product one by one, each would be rounded to its size.
    if (with_keys) {
      read_keys(first, rows, divisor);
    } else {
      std::fill_n(scratch.o, kPanelRows * sizes.stride, 0.0f);
    }
    accumulate_panels(scratch.q_rows, scratch.state, sizes.features, sizes.rows, sizes.panels, scratch.o, sizes.stride);
    for (std::size_t r = 0; r < rows; ++r) {
      float* const o = scratch.o + r * sizes.stride;
      if (args.normalize) {
        o[args.value_width] =
            divisor[r] + sum_of_products(scratch.q + r * sizes.feature_stride, scratch.state + sizes.z_at(0), sizes.features);
      }
      write_linear_row(args, o, exponent[r], args.output.row(head.batch, query_head, from + first + r));
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

/// Where no query waits for them, keys are summed as many at once as there is room for.
std::size_t chunk_of(const LinearArgs& args) noexcept { return args.causal ? std::min(args.chunk, kLinearChunk) : kLinearKeys; }

/// How many of [from, to) are below `length`.
std::size_t count_below(std::size_t length, std::size_t from, std::size_t to) noexcept {
  return std::min(to, std::max(from, length)) - from;
}

}  // namespace

void attend_span(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums* start, LinearSums& part,
                 const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  const std::size_t length = args.length(head.batch), end = std::min(args.keys, from + kLinearSpan);
  part.clear(sizes, args.features.is_stabilised());
  for (std::size_t at = from; at < end;) {
    const std::size_t to = std::min(end, at + chunk_of(args));
    Chunk chunk = {args, sizes, head, scratch, at, to - at, count_below(length, at, to)};
    chunk.touch_rows(start != nullptr);
    chunk.take_keys(part.m);
    chunk.stabilise_keys();
    at += chunk.queries;
    chunk.pack_values();
    if (start != nullptr) {
      chunk.take_state(*start, part);
      chunk.attend(chunk.keys > 0);
    }
    if (chunk.keys == 0) continue;
    part.raise(sizes, chunk.m);
    chunk.add_to(part);
  }
}

void read_span(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums& sums,
               const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  const std::size_t end = std::min(args.queries, from + kLinearSpan);
  Chunk chunk = {args, sizes, head, scratch, from, end - from, 0};
  chunk.state_m = sums.m;
  std::copy_n(sums.s, sizes.sum_floats(), scratch.state);
  chunk.attend(/*with_keys=*/false);
}

}  // namespace fovea
