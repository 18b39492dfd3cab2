#include "ops/conv1d.hpp"

#include <algorithm>

#include "gemm/matmul.hpp"
#include "ops/conv1d_depthwise.hpp"
#include "ops/map.hpp"

namespace fovea {
namespace {

constexpr std::size_t kTokens = 132;  // of one task: whole row panels of the product, and nearly two of its column blocks

struct Block {
  std::size_t batch, group, first, count;
};

/// The scratch of one task.
struct BlockScratch {
  float* windows;  // [kTokens][depth], or the transpose
  Workspace product;

  BlockScratch(const Conv1dArgs& args, Workspace& workspace) noexcept
      : windows(workspace.take<float>(kTokens, args.group_in(), args.kernel)),
        product(workspace.cut(matmul_workspace_bytes())) {}
};

/// weight[o, c, k] -> packed[o, k, c], or of depthwise [k, o]
void pack_weight(const Conv1dArgs& args, float* packed) noexcept {
  const std::size_t in = args.group_in();
  const float* from = args.weight;
  for (std::size_t o = 0; o < args.out_channels; ++o) {
    for (std::size_t c = 0; c < in; ++c) {
      for (std::size_t k = 0; k < args.kernel; ++k) {
        packed[is_depthwise(args) ? k * args.out_channels + o : (o * args.kernel + k) * in + c] = *from++;
      }
    }
  }
}

/// Windows of the block as rows [k, c] of one token after another.
void gather_tokens(const Conv1dArgs& args, const Block& block, float* windows) noexcept {
  const std::size_t in = args.group_in();
  const float* const x = args.x + block.batch * args.tokens * args.in_channels + block.group * in;
  for (std::size_t t = block.first; t < block.first + block.count; ++t) {
    for (std::size_t k = 0; k < args.kernel; ++k, windows += in) {
      const std::size_t place = t * args.stride + k * args.dilation;
      if (place < args.padding || place - args.padding >= args.tokens) {
        std::fill_n(windows, in, 0.0f);
      } else {
        std::copy_n(x + (place - args.padding) * args.in_channels, in, windows);
      }
    }
  }
}

/// The windows' entries [c, k] as rows of tokens.
void gather_channels(const Conv1dArgs& args, const Block& block, float* windows) noexcept {
  const float* x = args.x + (block.batch * args.in_channels + block.group * args.group_in()) * args.tokens;
  for (std::size_t c = 0; c < args.group_in(); ++c, x += args.tokens) {
    for (std::size_t k = 0; k < args.kernel; ++k, windows += block.count) {
      for (std::size_t t = 0; t < block.count; ++t) {
        const std::size_t place = (block.first + t) * args.stride + k * args.dilation;
        const bool exists = place >= args.padding && place - args.padding < args.tokens;
        windows[t] = exists ? x[place - args.padding] : 0.0f;
      }
    }
  }
}

/// Whether the block's windows are rows that x holds already: neighbors in memory, and no padding among them.
bool lie_in_place(const Conv1dArgs& args, const Block& block) noexcept {
  const std::size_t last = (block.first + block.count - 1) * args.stride + args.kernel - 1;
  return (args.dilation == 1 || args.kernel == 1) && args.groups == 1 && block.first * args.stride >= args.padding &&
         last - args.padding < args.tokens;
}

Status run_tokens(const Conv1dArgs& args, const Block& block, const float* packed, const BlockScratch& scratch) noexcept {
  const std::size_t depth = args.depth(), out = args.group_out();
  float* const windows = scratch.windows;
  MatrixView<const float> a = {windows, block.count, depth, static_cast<std::ptrdiff_t>(depth)};
  if (lie_in_place(args, block)) {
    a.data = args.x + (block.batch * args.tokens + block.first * args.stride - args.padding) * args.in_channels;
    a.row_stride = static_cast<std::ptrdiff_t>(args.stride * args.in_channels);
  } else {
    gather_tokens(args, block, windows);
  }
  const MatrixView<const float> b = {packed + block.group * out * depth, depth, out, 1, static_cast<std::ptrdiff_t>(depth)};
  float* const y = args.y + (block.batch * args.out_tokens + block.first) * args.out_channels + block.group * out;
  const MatrixView<float> c = {y, block.count, out, static_cast<std::ptrdiff_t>(args.out_channels)};
  return matmul(a, b, args.bias != nullptr ? args.bias + block.group * out : nullptr, c, scratch.product);
}

Status run_channels(const Conv1dArgs& args, const Block& block, const BlockScratch& scratch) noexcept {
  const std::size_t depth = args.depth(), out = args.group_out();
  float* const windows = scratch.windows;
  MatrixView<const float> b = {windows, depth, block.count, static_cast<std::ptrdiff_t>(block.count)};
  if (args.kernel == 1 && args.stride == 1 && args.padding == 0 && args.out_tokens <= args.tokens) {
    b.data = args.x + (block.batch * args.in_channels + block.group * args.group_in()) * args.tokens + block.first;
    b.row_stride = static_cast<std::ptrdiff_t>(args.tokens);
  } else {
    gather_channels(args, block, windows);
  }
  const MatrixView<const float> a = {args.weight + block.group * out * depth, out, depth, static_cast<std::ptrdiff_t>(depth)};
  float* const y = args.y + (block.batch * args.out_channels + block.group * out) * args.out_tokens + block.first;
  const MatrixView<float> c = {y, out, block.count, static_cast<std::ptrdiff_t>(args.out_tokens)};
  const Status status = matmul(a, b, nullptr, c, scratch.product);
  for (std::size_t o = 0; o < out && args.bias != nullptr; ++o) {
    const simd::f32 bias = simd::splat(args.bias[block.group * out + o]);
    map(c.at(o, 0), block.count, c.at(o, 0), [bias](simd::f32 sum) { return sum + bias; });
  }
  return status;
}

struct Scratch {
  float* packed;  // the weight, as pack_weight lays it
  ThreadWorkspaces blocks;

  Scratch(const Conv1dArgs& args, std::size_t threads, Workspace& workspace) noexcept
      : packed(workspace.take<float>(args.channels_last ? args.out_channels : 0, args.group_in(), args.kernel)),
        blocks(workspace, is_depthwise(args) ? 0 : threads, [&](Workspace& own) { BlockScratch(args, own); }) {}
};

}  // namespace

std::uint64_t conv1d_workspace_bytes(const Conv1dArgs& args, std::size_t threads) noexcept {
  if (args.groups == 0) return 0;
  return count_bytes([&](Workspace& workspace) { Scratch(args, threads, workspace); });
}

Status conv1d(const Conv1dArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (args.groups == 0 || args.kernel == 0 || args.stride == 0) return Status::Shape;
  if (args.in_channels % args.groups != 0 || args.out_channels % args.groups != 0) return Status::Shape;
  const Scratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (args.channels_last) pack_weight(args, scratch.packed);
  if (is_depthwise(args)) {
    conv1d_depthwise(args, args.channels_last ? scratch.packed : args.weight, pool);
    return Status::Ok;
  }
  const std::size_t blocks = (args.out_tokens + kTokens - 1) / kTokens;
  const bool is_short = is_short_work(args.batch, args.out_tokens, args.out_channels, args.depth());
  parallel_for(is_short ? nullptr : pool, args.batch * args.groups * blocks, [&](std::size_t task, std::size_t thread) {
    const std::size_t first = task % blocks * kTokens, rest = task / blocks;
    const Block block = {rest / args.groups, rest % args.groups, first, std::min(kTokens, args.out_tokens - first)};
    Workspace own = scratch.blocks.of(thread);
    const BlockScratch piece(args, own);
    // The views are of one shape by their making, and the workspace suffices.
    static_cast<void>(args.channels_last ? run_tokens(args, block, scratch.packed, piece) : run_channels(args, block, piece));
  });
  return Status::Ok;
}

}  // namespace fovea
