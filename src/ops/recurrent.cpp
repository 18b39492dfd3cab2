#include "ops/recurrent.hpp"

#include <algorithm>

#include "gemm/matmul.hpp"
#include "gemm/panels.hpp"
#include "ops/recurrent_step.hpp"

namespace fovea {
namespace {

using Extents = RecurrentExtents;
using Lane = DirectionBuffers;

/// Tokens of W_ih x that are computed ahead: enough rows for the product's blocks, and no more than stays in cache.
constexpr std::size_t kAheadRows = 132;
constexpr std::size_t kAheadFloats = std::size_t{1} << 19;

std::size_t tokens_ahead(const RecurrentArgs& args, std::size_t columns) noexcept {
  const double each = static_cast<double>(args.batch) * static_cast<double>(columns);
  const auto fits = static_cast<std::size_t>(static_cast<double>(kAheadFloats) / std::max(each, 1.0));
  const std::size_t enough = (kAheadRows + args.batch - 1) / std::max<std::size_t>(args.batch, 1);
  return std::min(std::max({fits, enough, std::size_t{1}}), args.tokens);
}

constexpr std::size_t gates_of(RecurrentCell cell) noexcept {
  if (cell == RecurrentCell::Lstm) return 4;
  return cell == RecurrentCell::Gru || cell == RecurrentCell::GruResetBefore ? 3 : 1;
}

Extents extents_of(const RecurrentArgs& args) noexcept {
  Extents e;
  e.gates = gates_of(args.cell);
  e.columns = clamped_count(saturated_product(e.gates, args.hidden));
  e.padded = round_up(args.hidden, kNr);
  e.state = round_up(args.state, kNr);
  e.product = std::max(clamped_count(saturated_product(e.gates, e.padded)), e.state);
  e.ahead = tokens_ahead(args, e.columns);
  return e;
}

Lane take_lane(const RecurrentArgs& args, const Extents& e, Workspace& workspace) noexcept {
  const bool has_cell = args.cell == RecurrentCell::Lstm;
  const bool has_out = args.projects() || args.cell == RecurrentCell::GruResetBefore;
  Lane lane;
  lane.weights = workspace.take<float>(e.gates, e.padded, args.state);
  lane.bias = workspace.take<float>(e.gates, e.padded);
  lane.projection = workspace.take<float>(args.projects() ? e.state : 0, args.hidden);
  lane.h = workspace.take<float>(args.batch, e.state);
  lane.c = workspace.take<float>(has_cell ? args.batch : 0, e.padded);
  lane.product = workspace.take<float>(args.batch, e.product);
  lane.out = workspace.take<float>(has_out ? args.batch : 0, e.padded);
  lane.x = workspace.take<float>(e.ahead, args.batch, args.width);
  // Whole vectors are read behind the last row.
  lane.input = workspace.take<float>(saturated_sum(saturated_product(e.ahead, args.batch, e.columns), kNr));
  return lane;
}

struct Scratch {
  std::array<Lane, 2> lanes{};
  Workspace product;

  Scratch(const RecurrentArgs& args, const Extents& e, std::size_t threads, Workspace& workspace) noexcept {
    for (std::size_t d = 0; d < args.direction_count; ++d) lanes[d] = take_lane(args, e, workspace);
    product = workspace.cut(matmul_workspace_bytes(threads));
  }
};

void pack_weights(const RecurrentArgs& args, const RecurrentDirection& direction, const Extents& e, const Lane& lane) noexcept {
  const auto depth = static_cast<std::ptrdiff_t>(args.state);
  for (std::size_t g = 0; g < e.gates; ++g) {
    pack_columns_of_transpose({direction.weight_hh + g * args.hidden * args.state, depth}, args.hidden, args.state,
                              lane.weights + g * e.padded * args.state);
    std::fill_n(lane.bias + g * e.padded, e.padded, 0.0f);
    if (direction.bias_hh != nullptr) std::copy_n(direction.bias_hh + g * args.hidden, args.hidden, lane.bias + g * e.padded);
  }
  if (direction.weight_hr == nullptr) return;
  pack_columns_of_transpose({direction.weight_hr, static_cast<std::ptrdiff_t>(args.hidden)}, args.state, args.hidden,
                            lane.projection);
}

/// to[b] <- from[b] of [B, width], or 0, in rows `stride` apart.
void load_state(const float* from, std::size_t batch, std::size_t width, std::size_t stride, float* to) noexcept {
  std::fill_n(to, batch * stride, 0.0f);
  for (std::size_t b = 0; b < batch && from != nullptr; ++b) std::copy_n(from + b * width, width, to + b * stride);
}

void store_state(const float* from, std::size_t batch, std::size_t width, std::size_t stride, float* to) noexcept {
  for (std::size_t b = 0; b < batch; ++b) std::copy_n(from + b * stride, width, to + b * width);
}

/// input <- W_ih x[t] + b_ih for t in [from, to), all sequences of one token side by side
Status project(const RecurrentArgs& args, const RecurrentDirection& direction, const Extents& e, const Lane& lane,
               std::size_t from, std::size_t to, Workspace workspace, ThreadPool* pool) noexcept {
  float* row = lane.x;
  for (std::size_t t = from; t < to; ++t) {
    for (std::size_t b = 0; b < args.batch && args.width > 0; ++b, row += args.width) {
      const float* const x =
          args.x + static_cast<std::ptrdiff_t>(b) * args.x_batch + static_cast<std::ptrdiff_t>(t) * args.x_token;
      std::copy_n(x, args.width, row);
    }
  }
  const std::size_t rows = (to - from) * args.batch;
  const auto width = static_cast<std::ptrdiff_t>(args.width);
  return matmul({lane.x, rows, args.width, width},
                MatrixView<const float>{direction.weight_ih, args.width, e.columns, 1, width}, direction.bias_ih,
                {lane.input, rows, e.columns, static_cast<std::ptrdiff_t>(e.columns)}, workspace, pool);
}

/// Sequences of one task: whole register tiles, and one task for each thread.
std::size_t block_of(const RecurrentArgs& args, std::size_t threads) noexcept {
  const std::size_t tasks = (threads + args.direction_count - 1) / args.direction_count;
  return round_up(std::max<std::size_t>(1, (args.batch + tasks - 1) / tasks), kMr);
}

bool are_valid(const RecurrentArgs& args) noexcept {
  const bool is_projected = args.projects();
  if (args.hidden == 0 || args.state == 0 || args.direction_count == 0 || args.direction_count > 2) return false;
  if (is_projected ? args.cell != RecurrentCell::Lstm : args.state != args.hidden) return false;
  for (std::size_t d = 0; d < args.direction_count; ++d) {
    if ((args.directions[d].weight_hr != nullptr) != is_projected) return false;
  }
  for (std::size_t b = 0; b < args.batch && args.lengths != nullptr; ++b) {
    if (args.lengths[b] < 0 || static_cast<std::size_t>(args.lengths[b]) > args.tokens) return false;
  }
  return true;
}

}  // namespace

std::uint64_t recurrent_workspace_bytes(const RecurrentArgs& args, std::size_t threads) noexcept {
  if (!are_valid(args)) return 0;
  const Extents e = extents_of(args);
  return count_bytes([&](Workspace& workspace) { Scratch(args, e, threads, workspace); });
}

Status recurrent(const RecurrentArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (!are_valid(args)) return Status::Shape;
  const std::size_t threads = threads_of(pool);
  const Extents e = extents_of(args);
  const Scratch scratch(args, e, threads, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const std::array<Lane, 2>& lanes = scratch.lanes;
  for (std::size_t d = 0; d < args.direction_count; ++d) {
    const RecurrentDirection& direction = args.directions[d];
    pack_weights(args, direction, e, lanes[d]);
    load_state(direction.initial_hidden, args.batch, args.state, e.state, lanes[d].h);
    if (args.cell == RecurrentCell::Lstm) load_state(direction.initial_cell, args.batch, args.hidden, e.padded, lanes[d].c);
  }
  const std::size_t block = block_of(args, threads), blocks = (args.batch + block - 1) / block;
  const bool is_short = is_short_work(args.batch, e.ahead, e.columns, args.state);
  for (std::size_t done = 0; done < args.tokens && args.batch > 0; done += e.ahead) {
    const std::size_t count = std::min(e.ahead, args.tokens - done);
    // The direction that runs backward comes to the last tokens first.
    const auto from = [&](std::size_t d) { return args.directions[d].backward ? args.tokens - done - count : done; };
    for (std::size_t d = 0; d < args.direction_count; ++d) {
      const Status status = project(args, args.directions[d], e, lanes[d], from(d), from(d) + count, scratch.product, pool);
      if (status != Status::Ok) return status;
    }
    parallel_for(is_short ? nullptr : pool, args.direction_count * blocks, [&](std::size_t task, std::size_t) {
      const std::size_t d = task % args.direction_count, first = task / args.direction_count * block;
      const RecurrentStep step(args, e, lanes[d], d, first, std::min(args.batch, first + block));
      for (std::size_t n = 0; n < count; ++n) {
        const std::size_t place = args.directions[d].backward ? count - 1 - n : n;
        step.run(from(d) + place, lanes[d].input + place * args.batch * e.columns);
      }
    });
  }
  for (std::size_t d = 0; d < args.direction_count; ++d) {
    store_state(lanes[d].h, args.batch, args.state, e.state, args.directions[d].hidden);
    if (args.cell == RecurrentCell::Lstm) store_state(lanes[d].c, args.batch, args.hidden, e.padded, args.directions[d].cell);
  }
  return Status::Ok;
}

}  // namespace fovea
