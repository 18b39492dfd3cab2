#include "ops/rotary_backward.hpp"

#include <algorithm>

#include "simd/map_onto.hpp"

namespace fovea {
namespace {

struct Scratch {
  float* turned;  // [B, H, T, D], where it is added
  float* sin;     // of the tables, negated
  Workspace rotate;

  Scratch(const RotaryBackwardArgs& args, std::size_t threads, Workspace& workspace) noexcept {
    const RotaryArgs& forward = args.forward;
    turned = workspace.take<float>(args.d_x == args.d_out ? std::size_t{0} : forward.batch, forward.heads, forward.tokens,
                                   forward.width);
    sin = workspace.take<float>(forward.sin == nullptr ? std::size_t{0} : forward.table_rows, forward.rotary / 2);
    rotate = workspace.cut(rotary_workspace_bytes(forward, threads));
  }
};

}  // namespace

std::uint64_t rotary_backward_workspace_bytes(const RotaryBackwardArgs& args, std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { Scratch(args, threads, workspace); });
}

Status rotary_backward(const RotaryBackwardArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const RotaryArgs& forward = args.forward;
  const Scratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  RotaryArgs back = forward;
  back.x = {args.d_out, forward.out.batch, forward.out.head, forward.out.token};
  back.frequencies.scale = -forward.frequencies.scale;
  if (forward.sin != nullptr) {
    const std::size_t entries = forward.table_rows * (forward.rotary / 2);
    std::transform(forward.sin, forward.sin + entries, scratch.sin, [](float sine) { return -sine; });
    back.sin = scratch.sin;
  }
  const HeadsView<float> d_x = {args.d_x, forward.x.batch, forward.x.head, forward.x.token};
  if (args.d_x == args.d_out) {
    back.out = d_x;
    return rotary(back, scratch.rotate, pool);
  }
  const auto width = static_cast<std::ptrdiff_t>(forward.width), tokens = static_cast<std::ptrdiff_t>(forward.tokens);
  back.out = {scratch.turned, static_cast<std::ptrdiff_t>(forward.heads) * tokens * width, tokens * width, width};
  const Status status = rotary(back, scratch.rotate, pool);
  if (status != Status::Ok) return status;
  // By one thread, in order: entries of x whose stride is 0 are one array.
  for (std::size_t b = 0; b < forward.batch; ++b) {
    for (std::size_t h = 0; h < forward.heads; ++h) {
      for (std::size_t t = 0; t < forward.tokens; ++t) add_onto(d_x.row(b, h, t), forward.width, back.out.row(b, h, t));
    }
  }
  return Status::Ok;
}

}  // namespace fovea
