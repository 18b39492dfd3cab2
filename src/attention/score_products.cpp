#include "attention/score_products.hpp"

#include <algorithm>
#include <bit>

#include "attention/additive_score.hpp"
#include "core/bits.hpp"
#include "ops/listed_rows.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

bool is_additive(const AttentionArgs& args) noexcept { return args.axes.score == Score::Additive; }

const float* weights_of(const AttentionArgs& args, std::size_t head) noexcept {
  return args.axes.score_weights + static_cast<std::ptrdiff_t>(head) * args.axes.score_weights_head;
}

/// Bit j: the product of query row r and key j is NaN.
std::uint64_t unknown_products(const ScoreTile& tile, std::size_t r) noexcept {
  std::uint64_t unknown = 0;
  over_columns(tile, [&](std::size_t j) {
    const simd::f32 s = simd::load(tile.s[r] + j);
    unknown |= (s != s).mask() << j;
  });
  return unknown;
}

constexpr std::size_t kQuotientWork = 4;  // multiply-adds in the time of a quotient

}  // namespace

std::size_t pair_work(const AttentionArgs& args) noexcept {
  return args.width * (is_additive(args) ? kQuotientWork : 1) + args.value_width;
}

void pack_query_panel(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panel) noexcept {
  pack_row_panel(rows, count, args.width, query_scale(args), panel);
  if (is_additive(args)) make_factors(panel, kPanelRows * args.width);
}

void pack_key_panels(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panels) noexcept {
  pack_columns_of_transpose(rows, count, args.width, panels);
  if (is_additive(args)) make_factors(panels, round_up(count, kPanelColumns) * args.width);
}

void multiply_packed(const AttentionArgs& args, std::size_t head, const float* q, const float* k, std::size_t panels,
                     float* s) noexcept {
  if (is_additive(args)) {
    score_panels(q, k, weights_of(args, head), args.width, panels, s, kKeyTile);
  } else {
    multiply_panels(q, k, args.width, panels, s, kKeyTile);
  }
}

void scale_query(const AttentionArgs& args, const float* query, float* out) noexcept {
  const float scale = query_scale(args);
  std::transform(query, query + args.width, out, [scale](float x) { return x * scale; });
}

void multiply_streams(const AttentionArgs& args, std::size_t head, const float* query, const RowStreams& keys,
                      const std::array<float*, kStreams>& out) noexcept {
  if (!is_additive(args)) return multiply_rows(query, keys, args.k.token, args.width, out);
  for (std::size_t s = 0; s < kStreams; ++s) {
    if (keys[s].count > 0) multiply_edges(args, head, query, {keys[s].rows, args.k.token}, keys[s].count, out[s]);
  }
}

void multiply_edges(const AttentionArgs& args, std::size_t head, const float* query, SourceRows keys, std::size_t count,
                    float* out) noexcept {
  if (is_additive(args)) {
    score_listed(query, weights_of(args, head), keys, count, args.width, out);
  } else {
    multiply_listed(query, keys, count, args.width, out);
  }
}

void score_far_pairs(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept {
  if (!is_additive(args)) return;
  const bool shows_all = stage != LogitStage::Biased && !tile.planned;
  for (std::size_t r = 0; r < tile.queries; ++r) {
    std::uint64_t far = unknown_products(tile, r) & bit_range(0, tile.keys);
    if (!shows_all) far &= tile.allowed[r];
    std::size_t places[kKeyTile], count = 0;
    std::uint32_t keys[kKeyTile];
    float scores[kKeyTile];
    for (; far != 0; far &= far - 1, ++count) {
      places[count] = static_cast<std::size_t>(std::countr_zero(far));
      keys[count] = static_cast<std::uint32_t>(tile.key_of(places[count]));
    }
    if (count == 0) continue;
    const SourceRows rows = {args.k.row(tile.batch, tile.kv_head, 0), args.k.token, keys};
    score_listed(args.q.row(tile.batch, tile.head, tile.query_of(r)), weights_of(args, tile.head), rows, count, args.width,
                 scores);
    for (std::size_t n = 0; n < count; ++n) tile.s[r][places[n]] = scores[n];
  }
}

}  // namespace fovea
