#include "attention/score/score_products.hpp"

#include <algorithm>

#include "attention/score/additive_score.hpp"
#include "attention/score/score_mods.hpp"
#include "core/thread_pool.hpp"
#include "gemm/gathered_rows.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

bool is_additive(const AttentionArgs& args) noexcept { return args.variant.score == Score::Additive; }

/// Multiply-adds in the time of one term of a score.
std::size_t term_work(const AttentionArgs& args) noexcept {
  return args.variant.packs_exp_2x() ? 4 : is_additive(args) ? 2 : 1;
}

}  // namespace

std::size_t pair_work(const AttentionArgs& args) noexcept { return args.width * term_work(args) + args.value_width; }

bool is_short_call(const AttentionArgs& args) noexcept {
  return is_short_work(args.batch, args.heads, args.queries, args.keys - args.kv_layout.evicted_rows, pair_work(args));
}

void pack_query_panel(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panel) noexcept {
  pack_row_panel(rows, count, args.width, query_scale(args), panel);
  if (args.variant.packs_exp_2x()) exp_2x(panel, kMr * args.width);
}

void pack_key_panels(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panels) noexcept {
  pack_columns_of_transpose(rows, count, args.width, panels);
  if (args.variant.packs_exp_2x()) exp_2x(panels, round_up(count, kNr) * args.width);
}

void multiply_packed(const AttentionArgs& args, std::size_t head, const float* q, const float* k, std::size_t panels,
                     float* s) noexcept {
  if (is_additive(args)) {
    additive_scores(args.variant.additive_of(head), q, k, args.width, panels, s, kKeyTile);
  } else {
    multiply_panels(q, k, args.width, panels, s, kKeyTile);
  }
}

void scale_query(const AttentionArgs& args, const float* query, float* out) noexcept {
  const simd::f32 scale = simd::splat(query_scale(args));
  std::size_t d = 0;
  for (; d + simd::f32::size <= args.width; d += simd::f32::size) simd::store(out + d, simd::load(query + d) * scale);
  for (; d < args.width; ++d) out[d] = query[d] * scale.get(0);
}

void multiply_queries(const AttentionArgs& args, std::size_t head, std::span<const StreamProducts> queries,
                      const RowStreams& keys) noexcept {
  if (!is_additive(args)) return multiply_streams(queries, keys, args.k.token, args.width);
  for (const auto& [query, out] : queries) {
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (keys[s].count > 0) multiply_gathered(args, head, query, {keys[s].rows, args.k.token}, keys[s].count, out[s]);
    }
  }
}

void multiply_gathered(const AttentionArgs& args, std::size_t head, const float* query, SourceRows keys, std::size_t count,
                       float* out) noexcept {
  if (is_additive(args)) {
    gathered_additive_scores(args.variant.additive_of(head), query, keys, count, args.width, out);
  } else {
    gathered_dots(query, keys, count, args.width, out);
  }
}

}  // namespace fovea
