#include "attention/linear_chunks.hpp"

namespace fovea {

static_assert(kLinearChunk <= kRowStride && kLinearChunk <= kLinearKeys && kLinearKeys % kPanelColumns == 0);

namespace {

/// Of one query, where its features are more than a block.
std::size_t block_floats(const LinearSizes& sizes) noexcept {
  return sizes.features > kStripStride ? round_up(sizes.features, kStripStride) : 0;
}

}  // namespace

std::size_t LinearScratch::floats(const LinearArgs& args) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  return workspace_round(kLinearKeys * sizes.feature_stride + kPanelRows) + workspace_round(kLinearChunk * sizes.features) +
         workspace_round(kLinearKeys * sizes.panels * kPanelColumns) + workspace_round(sizes.sum_floats()) +
         workspace_round(kPanelRows * sizes.query_stride()) + workspace_round(kPanelRows * block_floats(sizes)) +
         workspace_round(kPanelRows * sizes.stride) + workspace_round(kPanelRows * kRowStride) + workspace_round(1);
}

LinearScratch LinearScratch::take(const LinearArgs& args, Workspace& workspace) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  LinearScratch scratch;
  scratch.k = workspace.take(kLinearKeys * sizes.feature_stride + kPanelRows);
  scratch.k_columns = workspace.take(kLinearChunk * sizes.features);
  scratch.v = workspace.take(kLinearKeys * sizes.panels * kPanelColumns);
  scratch.state = workspace.take(sizes.sum_floats());
  scratch.q = workspace.take(kPanelRows * sizes.query_stride());
  scratch.q_blocks = block_floats(sizes) > 0 ? workspace.take(kPanelRows * block_floats(sizes)) : scratch.q;
  scratch.o = workspace.take(kPanelRows * sizes.stride);
  scratch.scores = workspace.take(kPanelRows * kRowStride);
  scratch.touched = workspace.take(1);
  return scratch;
}

}  // namespace fovea
