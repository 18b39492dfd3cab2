#include "attention/score/relative_keys.hpp"

#include "attention/score/clipped_distance.hpp"
#include "gemm/gathered_rows.hpp"
#include "gemm/panels.hpp"
#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {

RelativeProducts::RelativeProducts(const AttentionArgs& args, std::size_t rows, Workspace& workspace) noexcept
    : stride_(round_up(args.variant.relative_keys.distances(), kNr)),
      table_(workspace.take<float>(stride_, args.width)),
      products_(workspace.take<float>(rows, stride_)) {}

void RelativeProducts::multiply(const AttentionArgs& args, std::size_t head, const float* q,
                                std::size_t strips) const noexcept {
  if (stride_ == 0) return;
  const RelativeTable& table = args.variant.relative_keys;
  pack_columns_of_transpose({table.of(head), static_cast<std::ptrdiff_t>(args.width)}, table.distances(), args.width, table_);
  for (std::size_t strip = 0; strip < strips; ++strip) {
    const std::size_t row = strip * kMr;
    multiply_panels(q + row * args.width, table_, args.width, stride_ / kNr, products_ + row * stride_, stride_);
  }
}

void add_gathered_relative_keys(const AttentionArgs& args, ScoreTile& tile, const float* query) noexcept {
  const GatheredTableRows keys(args, tile, args.variant.relative_keys, args.width);
  alignas(16) float products[kKeyTile];
  gathered_dots(query, keys.rows, tile.keys, args.width, products);
  const std::size_t count = positioned_columns(args.position_rules(tile.batch), tile);
  map(tile.s[0], products, count, tile.s[0], [](simd::f32 s, simd::f32 product) { return s + product; });
}

}  // namespace fovea
