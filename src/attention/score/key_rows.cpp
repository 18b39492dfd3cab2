#include "attention/score/key_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "attention/score/additive_score.hpp"
#include "gemm/gathered_rows.hpp"
#include "ops/float16.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

const std::uint16_t* float16_row(const StoredRows& rows, std::size_t row) noexcept {
  const auto& [data, batch, head, token] = rows.view;
  return HeadsView<const std::uint16_t>{reinterpret_cast<const std::uint16_t*>(data), batch, head, token}.row(
      rows.batch, rows.kv_head, row);
}

/// Whether the keys' rows follow each other in memory.
bool is_one_run(const KvLayout& store, const TokenList& keys) noexcept {
  return keys.list == nullptr && (keys.first + keys.count <= store.keep_first || keys.first >= store.first_kept());
}

/// Elements that are converted at a time.
constexpr std::size_t kChunk = 64;

/// floats <- `count` elements of a row of float16
void convert(const KvLayout& store, const std::uint16_t* row, std::size_t count, float* floats) noexcept {
  return store.converts_inline ? from_finite_float16(row, count, floats) : from_float16(row, count, floats);
}

/// chunk <- `count` elements of a row, from `from` on
void read_chunk(const KvLayout& store, const StoredRows& rows, std::size_t row, std::size_t from, std::size_t count,
                float* chunk) noexcept {
  if (store.float16) return convert(store, float16_row(rows, row) + from, count, chunk);
  std::copy_n(rows.view.row(rows.batch, rows.kv_head, row) + from, count, chunk);
}

}  // namespace

SourceRows gather_rows(const KvLayout& store, const StoredRows& rows, const TokenList& keys, float* scratch) noexcept {
  const auto& [view, width, batch, kv_head] = rows;
  if (!store.float16 && is_one_run(store, keys)) return {view.row(batch, kv_head, store.row_of(keys.first)), view.token};
  for (std::size_t i = 0; i < keys.count; ++i) {
    const std::size_t key = keys.at(i);
    float* const to = scratch + i * width;
    if (!store.holds(key)) {
      std::fill_n(to, width, 0.0f);
    } else if (store.float16) {
      convert(store, float16_row(rows, store.row_of(key)), width, to);
    } else {
      std::copy_n(view.row(batch, kv_head, store.row_of(key)), width, to);
    }
  }
  return {scratch, static_cast<std::ptrdiff_t>(width)};
}

const std::uint16_t* float16_run(const KvLayout& store, const StoredRows& rows, const TokenList& keys) noexcept {
  return store.float16 && is_one_run(store, keys) ? float16_row(rows, store.row_of(keys.first)) : nullptr;
}

void copy_row(const KvLayout& store, const StoredRows& rows, std::size_t key, float* out) noexcept {
  const std::size_t row = store.row_of(key);
  if (store.float16) return from_float16(float16_row(rows, row), rows.width, out);
  std::copy_n(rows.view.row(rows.batch, rows.kv_head, row), rows.width, out);
}

void add_row(const KvLayout& store, const StoredRows& rows, std::size_t key, float weight, float* out) noexcept {
  const std::size_t row = store.row_of(key);
  if (!store.float16) {
    gathered_axpy(&weight, 1, {rows.view.row(rows.batch, rows.kv_head, row), 0}, 1, rows.width, out);
    return;
  }
  float chunk[kChunk];
  for (std::size_t d = 0; d < rows.width; d += kChunk) {
    const std::size_t here = std::min(kChunk, rows.width - d);
    from_float16(float16_row(rows, row) + d, here, chunk);
    gathered_axpy(&weight, 1, {chunk, 0}, 1, here, out + d);
  }
}

void dots_with_keys(const KvLayout& store, const StoredRows& rows, std::span<const std::size_t> keys, const float* x,
                    double (&out)[kDotsTogether]) noexcept {
  const float* from[kDotsTogether];
  const auto row_of = [&](std::size_t n) { return store.row_of(keys[std::min(n, keys.size() - 1)]); };
  if (!store.float16) {
    for (std::size_t n = 0; n < kDotsTogether; ++n) from[n] = rows.view.row(rows.batch, rows.kv_head, row_of(n));
    return dots_in_double(x, from, rows.width, out);
  }
  float chunks[kDotsTogether][kChunk];
  std::copy(std::begin(chunks), std::end(chunks), from);
  std::fill_n(out, kDotsTogether, 0.0);
  for (std::size_t d = 0; d < rows.width; d += kChunk) {
    const std::size_t here = std::min(kChunk, rows.width - d);
    for (std::size_t n = 0; n < keys.size(); ++n) convert(store, float16_row(rows, row_of(n)) + d, here, chunks[n]);
    for (std::size_t n = keys.size(); n < kDotsTogether; ++n) from[n] = chunks[0];
    double sums[kDotsTogether];
    dots_in_double(x + d, from, here, sums);
    for (std::size_t n = 0; n < kDotsTogether; ++n) out[n] += sums[n];
  }
}

void additive_scores_with_keys(const KvLayout& store, const StoredRows& rows, std::span<const std::uint32_t> keys,
                               const AdditiveScore& score, const float* x, float* out) noexcept {
  constexpr std::size_t kTogether = simd::f32::size;
  const std::size_t count = keys.size();
  std::uint32_t list[kKeyTile];
  std::transform(keys.begin(), keys.end(), list,
                 [&](std::size_t key) { return static_cast<std::uint32_t>(store.row_of(key)); });
  float sums[kKeyTile], chunks[kTogether][kChunk];
  std::fill_n(out, count, 0.0f);
  for (std::size_t d = 0; d < rows.width; d += kChunk) {
    const std::size_t here = std::min(kChunk, rows.width - d);
    const AdditiveScore part = {score.w + d, score.f};
    if (!store.float16) {
      const SourceRows of_keys = {rows.view.row(rows.batch, rows.kv_head, 0) + d, rows.view.token, list};
      gathered_additive_scores(part, x + d, of_keys, count, here, sums);
    }
    for (std::size_t n = 0; store.float16 && n < count; n += kTogether) {
      const std::size_t together = std::min(kTogether, count - n);
      for (std::size_t i = 0; i < together; ++i) read_chunk(store, rows, list[n + i], d, here, chunks[i]);
      gathered_additive_scores(part, x + d, {chunks[0], kChunk}, together, here, sums + n);
    }
    for (std::size_t n = 0; n < count; ++n) out[n] += sums[n];
  }
}

double dot_with_sum(const KvLayout& store, const StoredRows& rows, std::size_t key, const float* x,
                    const float* added) noexcept {
  const std::size_t row = store.row_of(key);
  float chunk[kChunk];
  double sum = 0;
  for (std::size_t d = 0; d < rows.width; d += kChunk) {
    const std::size_t here = std::min(kChunk, rows.width - d);
    read_chunk(store, rows, row, d, here, chunk);
    for (std::size_t i = 0; i < here; ++i) {
      sum += static_cast<double>(x[d + i]) * (static_cast<double>(chunk[i]) + static_cast<double>(added[d + i]));
    }
  }
  return sum;
}

}  // namespace fovea
