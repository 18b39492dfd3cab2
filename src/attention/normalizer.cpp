#include "attention/normalizer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/infinity.hpp"
#include "core/random.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// What a score adds to the number of its row's keys: 1; 0 where it is -inf; NaN where it is NaN or +inf.
f32 count_of(f32 score) noexcept {
  return simd::select(score == splat(kMinusInfinity), splat(0.0f), score * splat(0.0f) + splat(1.0f));
}

/// s <- weight(s);  l <- l + the number of keys
void weigh(const Normalizer& normalizer, ScoreTile& tile, RunningRows rows) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    float* const s = tile.s[r];
    f32 l = load(rows.l + r * f32::size);
    over_columns(tile, [&](std::size_t j) {
      const f32 score = load(s + j);
      l = l + count_of(score);
      store(s + j, weight_of(normalizer, score));
    });
    store(rows.l + r * f32::size, l);
  }
}

/// Whether a row of the tile has a NaN or +inf.
bool is_broken(const ScoreTile& tile, std::size_t r) noexcept {
  f32 counts = splat(0.0f);
  over_columns(tile, [&](std::size_t j) { counts = counts + count_of(load(tile.s[r] + j)); });
  return std::isnan(simd::reduce_add(counts));
}

/// visit(score, key) for the row's keys that have a score.
template <class Visit>
void for_each_score(const ScoreTile& tile, std::size_t r, Visit visit) noexcept {
  for (std::uint64_t left = tile.allowed[r]; left != 0; left &= left - 1) {
    const auto j = static_cast<std::size_t>(std::countr_zero(left));
    if (tile.s[r][j] != kMinusInfinity) visit(tile.s[r][j], static_cast<std::uint32_t>(tile.key_of(j)));
  }
}

/// Calls visit(r, highest) for the rows that are not broken and have scores in this tile; marks those that are broken.
template <class Visit>
void for_each_row(const ScoreTile& tile, RunningRows rows, Visit visit) noexcept {
  for (std::size_t r = 0; r < tile.queries; ++r) {
    if (is_broken(tile, r)) {
      rows.m[r] = std::numeric_limits<float>::quiet_NaN();
    } else if (const float highest = simd::reduce_max(load(tile.highest[r])); highest != kMinusInfinity) {
      visit(r, highest);
    }
  }
}

/// The row's choice <- the higher of it and value, of equals the one with the lower key
void choose(RunningRows rows, std::size_t r, double value, std::uint32_t key) noexcept {
  float* const at = rows.l + r * f32::size;
  const Chosen chosen = read_chosen(at), candidate = {value, key};
  const bool is_first = rows.m[r] == kMinusInfinity;
  if (!is_first && (value < chosen.value || (value == chosen.value && key > chosen.key))) return;
  std::memcpy(at, &candidate, sizeof candidate);
  if (is_first) rows.m[r] = 0.0f;
}

void choose_highest(const ScoreTile& tile, RunningRows rows) noexcept {
  for_each_row(tile, rows, [&](std::size_t r, float highest) {
    for_each_score(tile, r, [&](float score, std::uint32_t key) {
      if (score == highest) choose(rows, r, static_cast<double>(score), key);
    });
  });
}

void draw(const AttentionArgs& args, const ScoreTile& tile, RunningRows rows) noexcept {
  const Seed seed = to_seed(args.axes.normalizer.seed);
  const Place place = args.place(tile.batch);
  const auto head = static_cast<std::uint32_t>(args.head_of_all(tile.batch, tile.head));
  for_each_row(tile, rows, [&](std::size_t r, float) {
    const auto position = static_cast<std::uint32_t>(place.position(tile.query_of(r)));
    for_each_score(tile, r, [&](float score, std::uint32_t key) {
      const std::uint32_t word = philox(seed, key, position, head, Stream::Sampled)[0];
      choose(rows, r, static_cast<double>(score) + gumbel(word), key);
    });
  });
}

void keep_best(const AttentionArgs& args, const ScoreTile& tile, RunningRows rows) noexcept {
  const std::size_t k = most_kept(args);
  for_each_row(tile, rows, [&](std::size_t r, float highest) {
    float* const l = rows.l + r * f32::size;
    Best best = read_best(l, rows.o + r * rows.stride);
    if (best.count == k && highest < best.ranked[0].score) return;
    for_each_score(tile, r, [&](float score, std::uint32_t key) { offer(best, k, {score, key}); });
    *l = std::bit_cast<float>(static_cast<std::uint32_t>(best.count));
    if (rows.m[r] == kMinusInfinity) rows.m[r] = 0.0f;
  });
}

}  // namespace

bool sums_values(const AttentionArgs& args) noexcept {
  const NormalizerKind kind = args.axes.normalizer.kind;
  return kind == NormalizerKind::Softmax || kind == NormalizerKind::Relu || kind == NormalizerKind::Sigmoid;
}

bool is_row_global(const AttentionArgs& args) noexcept {
  const NormalizerKind kind = args.axes.normalizer.kind;
  return kind == NormalizerKind::Sparsemax || kind == NormalizerKind::Entmax15;
}

bool normalizes_lists(const AttentionArgs& args) noexcept {
  return args.plans != nullptr && (is_row_global(args) || args.axes.normalizer.kind == NormalizerKind::TopK);
}

std::size_t most_kept(const AttentionArgs& args) noexcept { return std::min(args.axes.normalizer.k, args.keys); }

void take_scores(const AttentionArgs& args, ScoreTile& tile, RunningRows rows) noexcept {
  switch (args.axes.normalizer.kind) {
    case NormalizerKind::Relu:
    case NormalizerKind::Sigmoid: return weigh(args.axes.normalizer, tile, rows);
    case NormalizerKind::Hard: return choose_highest(tile, rows);
    case NormalizerKind::Sampled: return draw(args, tile, rows);
    case NormalizerKind::TopK: return keep_best(args, tile, rows);
    case NormalizerKind::Softmax: raise(tile, rows); return exponentiate(tile, rows);
    case NormalizerKind::Sparsemax:
    case NormalizerKind::Entmax15: return;  // of whole rows
  }
}

f32 weight_of(const Normalizer& normalizer, f32 score) noexcept {
  if (normalizer.kind == NormalizerKind::Sigmoid) return simd::sigmoid(score + splat(normalizer.bias));
  return simd::select(score <= splat(0.0f), splat(0.0f), score);  // a NaN stays
}

Chosen read_chosen(const float* l) noexcept {
  Chosen chosen;
  static_assert(sizeof chosen <= f32::size * sizeof(float));
  std::memcpy(&chosen, l, sizeof chosen);
  return chosen;
}

Best read_best(const float* l, float* o) noexcept { return {reinterpret_cast<Ranked*>(o), std::bit_cast<std::uint32_t>(*l)}; }

}  // namespace fovea
