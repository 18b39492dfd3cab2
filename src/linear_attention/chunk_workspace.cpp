#include "linear_attention/chunk_workspace.hpp"

#include "gemm/panels.hpp"
#include "gemm/row_tiles.hpp"
#include "linear_attention/state.hpp"

namespace fovea {

static_assert(kLinearChunk <= kRowStride && kLinearChunk <= kLinearKeys && kLinearKeys % kNr == 0);

namespace {

/// Floats of one query, where its features are more than a block.
std::size_t block_floats(const LinearSizes& sizes) noexcept {
  return sizes.features > kStripStride ? round_up(sizes.features, kStripStride) : 0;
}

}  // namespace

LinearScratch LinearScratch::take(const LinearArgs& args, Workspace& workspace) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  LinearScratch scratch;
  scratch.k = workspace.take<float>(saturated_sum(saturated_product(kLinearKeys, sizes.feature_stride), kMr));
  scratch.k_columns = workspace.take<float>(kLinearChunk, sizes.features);
  scratch.v = workspace.take<float>(kLinearKeys, sizes.panels, kNr);
  scratch.state = sizes.take_sums(workspace);
  scratch.state_m = sizes.take_stabilizers(workspace);
  scratch.m = sizes.take_stabilizers(workspace);
  scratch.spare_m = sizes.take_stabilizers(workspace);
  scratch.q = workspace.take<float>(kMr, sizes.query_stride());
  scratch.q_blocks = block_floats(sizes) > 0 ? workspace.take<float>(kMr, block_floats(sizes)) : scratch.q;
  scratch.o = workspace.take<float>(kMr, sizes.stride);
  scratch.scores = workspace.take<float>(kMr, kRowStride);
  scratch.touched = workspace.take<float>(1u);
  return scratch;
}

}  // namespace fovea
