#include "ops/conv1d_backward.hpp"

#include <algorithm>

#include "gemm/column_sums.hpp"
#include "gemm/matmul.hpp"
#include "gemm/transposed_product.hpp"

namespace fovea {
namespace {

constexpr std::size_t kTokens = 256;  // of a block: those of a chunk of the weights' sums

struct Block {
  std::size_t batch, group, first, count;
};

struct Scratch {
  float *windows, *d_windows;  // [kTokens][kernel][C]
  float* d_y;                  // [kTokens][group_out]
  float *packed, *d_packed;    // the weight as [o, k, c], and its gradient
  Workspace multiply;

  Scratch(const Conv1dBackwardArgs& args, std::size_t threads, Workspace& workspace) noexcept {
    const Conv1dArgs& forward = args.forward;
    const std::size_t in = forward.group_in(), kernel = forward.kernel;
    windows = workspace.take<float>(args.d_weight != nullptr ? kTokens : 0, kernel, in);
    d_windows = workspace.take<float>(args.d_x != nullptr ? kTokens : 0, kernel, in);
    d_y = workspace.take<float>(kTokens, forward.group_out());
    packed = workspace.take<float>(args.d_x != nullptr ? forward.out_channels : 0, in, kernel);
    d_packed = workspace.take<float>(args.d_weight != nullptr ? forward.out_channels : 0, in, kernel);
    multiply = workspace.cut(std::max(matmul_workspace_bytes(threads), transposed_product_workspace_bytes(threads)));
  }
};

/// Calls visit(weight's index, packed index) of every entry of the weight.
template <class Visit>
void for_each_weight(const Conv1dArgs& args, Visit visit) noexcept {
  const std::size_t in = args.group_in();
  std::size_t at = 0;
  for (std::size_t o = 0; o < args.out_channels; ++o) {
    for (std::size_t c = 0; c < in; ++c) {
      for (std::size_t k = 0; k < args.kernel; ++k) visit(at++, (o * args.kernel + k) * in + c);
    }
  }
}

/// Calls visit(x's index, the window's index) of the entries of a block's windows that exist.
template <class Visit>
void for_each_entry(const Conv1dArgs& args, const Block& block, Visit visit) noexcept {
  const std::size_t in = args.group_in(), token = args.channels_last ? args.in_channels : 1,
                    channel = args.channels_last ? 1 : args.tokens;
  const std::size_t start = block.batch * args.tokens * args.in_channels + block.group * in * channel;
  std::size_t at = 0;
  for (std::size_t t = block.first; t < block.first + block.count; ++t) {
    for (std::size_t k = 0; k < args.kernel; ++k, at += in) {
      const std::size_t place = t * args.stride + k * args.dilation;
      if (place < args.padding || place - args.padding >= args.tokens) continue;
      const std::size_t from = start + (place - args.padding) * token;
      for (std::size_t c = 0; c < in; ++c) visit(from + c * channel, at + c);
    }
  }
}

/// d_y of a block as rows of tokens.
void gather_gradient(const Conv1dBackwardArgs& args, const Block& block, float* rows) noexcept {
  const Conv1dArgs& forward = args.forward;
  const std::size_t out = forward.group_out(), token = forward.channels_last ? forward.out_channels : 1,
                    channel = forward.channels_last ? 1 : forward.out_tokens;
  const float* const d_y = args.d_y + block.batch * forward.out_tokens * forward.out_channels + block.group * out * channel;
  for (std::size_t t = 0; t < block.count; ++t) {
    for (std::size_t o = 0; o < out; ++o) *rows++ = d_y[(block.first + t) * token + o * channel];
  }
}

Status add_block(const Conv1dBackwardArgs& args, const Block& block, const Scratch& scratch, ThreadPool* pool) noexcept {
  const Conv1dArgs& forward = args.forward;
  const std::size_t depth = forward.depth(), out = forward.group_out(), first_out = block.group * out;
  const auto rows_of = [&](auto* data, std::size_t count, std::size_t width) {
    return MatrixView<std::remove_pointer_t<decltype(data)>>{data, count, width, static_cast<std::ptrdiff_t>(width)};
  };
  gather_gradient(args, block, scratch.d_y);
  const MatrixView<const float> d_y = rows_of(static_cast<const float*>(scratch.d_y), block.count, out);
  if (args.d_bias != nullptr) add_column_sums(d_y, args.d_bias + first_out, pool);
  if (args.d_weight != nullptr) {
    std::fill_n(scratch.windows, block.count * depth, 0.0f);
    for_each_entry(forward, block, [&](std::size_t x, std::size_t window) { scratch.windows[window] = forward.x[x]; });
    const Status status = transposed_product(d_y, rows_of(static_cast<const float*>(scratch.windows), block.count, depth),
                                             rows_of(scratch.d_packed + first_out * depth, out, depth), /*replaces=*/false,
                                             scratch.multiply, pool);
    if (status != Status::Ok) return status;
  }
  if (args.d_x == nullptr) return Status::Ok;
  const Status status = matmul(d_y, rows_of(static_cast<const float*>(scratch.packed + first_out * depth), out, depth), nullptr,
                               rows_of(scratch.d_windows, block.count, depth), scratch.multiply, pool);
  for_each_entry(forward, block, [&](std::size_t x, std::size_t window) { args.d_x[x] += scratch.d_windows[window]; });
  return status;
}

}  // namespace

std::uint64_t conv1d_backward_workspace_bytes(const Conv1dBackwardArgs& args, std::size_t threads) noexcept {
  if (args.forward.groups == 0) return 0;
  return count_bytes([&](Workspace& workspace) { Scratch(args, threads, workspace); });
}

Status conv1d_backward(const Conv1dBackwardArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const Conv1dArgs& forward = args.forward;
  if (forward.groups == 0 || forward.kernel == 0 || forward.stride == 0) return Status::Shape;
  if (forward.in_channels % forward.groups != 0 || forward.out_channels % forward.groups != 0) return Status::Shape;
  const Scratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (args.d_x != nullptr) {
    for_each_weight(forward, [&](std::size_t own, std::size_t packed) { scratch.packed[packed] = forward.weight[own]; });
  }
  if (args.d_weight != nullptr) std::fill_n(scratch.d_packed, forward.out_channels * forward.depth(), 0.0f);
  for (std::size_t b = 0; b < forward.batch; ++b) {
    for (std::size_t group = 0; group < forward.groups; ++group) {
      for (std::size_t first = 0; first < forward.out_tokens; first += kTokens) {
        const Block block = {b, group, first, std::min(kTokens, forward.out_tokens - first)};
        if (const Status status = add_block(args, block, scratch, pool); status != Status::Ok) return status;
      }
    }
  }
  if (args.d_weight != nullptr) {
    for_each_weight(forward, [&](std::size_t own, std::size_t packed) { args.d_weight[own] += scratch.d_packed[packed]; });
  }
  return Status::Ok;
}

}  // namespace fovea
