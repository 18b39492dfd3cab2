#include "ops/rotary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::store;

/// Tokens that one task turns.
constexpr std::size_t kTokens = 16;

/// A sine or cosine in double takes about as long as this many multiply-adds.
constexpr std::size_t kSine = 32;

double llama3(double f, const RotaryFrequencies& of) noexcept {
  const double turns = of.original * f / (2 * std::numbers::pi);  // within the original length
  if (turns > of.high) return f;
  if (turns < of.low) return f / of.factor;
  const double s = (turns - of.low) / (of.high - of.low);
  return (1 - s) * f / of.factor + s * f;
}

void write_frequencies(const RotaryFrequencies& of, std::size_t rotary, double* frequencies) noexcept {
  const auto width = static_cast<double>(rotary);
  // A single pair has frequency 1, whatever the base.
  const double base = rotary > 2 ? of.base * std::pow(of.ntk, width / (width - 2)) : of.base;
  for (std::size_t i = 0; i < rotary / 2; ++i) {
    const double f = std::pow(base, -2 * static_cast<double>(i) / width);
    frequencies[i] = of.scale * (of.original > 0 ? llama3(f, of) : f);
  }
}

/// The pairs of one row, `cos` and `sin` of each.
struct Turn {
  const float* cos;
  const float* sin;
  std::size_t pairs;
};

void turn(f32& u, f32& v, f32 cos, f32 sin) noexcept {
  const f32 turned = u * cos - v * sin;
  v = u * sin + v * cos;
  u = turned;
}

void turn(const float* u, const float* v, float cos, float sin, float* to_u, float* to_v) noexcept {
  const float from_u = *u, from_v = *v;
  *to_u = from_u * cos - from_v * sin;
  *to_v = from_u * sin + from_v * cos;
}

void turn_interleaved(const Turn& by, const float* x, float* out) noexcept {
  std::size_t i = 0;
  for (; i + f32::size <= by.pairs; i += f32::size) {
    f32 u = load(x + 2 * i), v = load(x + 2 * i + f32::size);
    simd::split_pairs(u, v);
    turn(u, v, load(by.cos + i), load(by.sin + i));
    simd::join_pairs(u, v);
    store(out + 2 * i, u);
    store(out + 2 * i + f32::size, v);
  }
  for (; i < by.pairs; ++i) turn(x + 2 * i, x + 2 * i + 1, by.cos[i], by.sin[i], out + 2 * i, out + 2 * i + 1);
}

void turn_halves(const Turn& by, const float* x, float* out) noexcept {
  const std::size_t half = by.pairs;
  std::size_t i = 0;
  for (; i + f32::size <= half; i += f32::size) {
    f32 u = load(x + i), v = load(x + half + i);
    turn(u, v, load(by.cos + i), load(by.sin + i));
    store(out + i, u);
    store(out + half + i, v);
  }
  for (; i < half; ++i) turn(x + i, x + half + i, by.cos[i], by.sin[i], out + i, out + half + i);
}

std::int64_t position_of(const RotaryArgs& args, std::size_t b, std::size_t t) noexcept {
  if (args.positions == nullptr) return std::int64_t{args.start} + static_cast<std::int64_t>(t);
  return args.positions[static_cast<std::ptrdiff_t>(b) * args.positions_batch + static_cast<std::ptrdiff_t>(t)];
}

/// The cosines and sines of a position: rows of the tables, or computed to `own`.
Turn turn_of(const RotaryArgs& args, std::int64_t position, const double* frequencies, float* own) noexcept {
  const std::size_t pairs = args.rotary / 2;
  if (args.cos != nullptr) {
    const std::size_t row = static_cast<std::size_t>(position) * pairs;
    return {args.cos + row, args.sin + row, pairs};
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const double angle = static_cast<double>(position) * frequencies[i];
    own[i] = static_cast<float>(std::cos(angle));
    own[pairs + i] = static_cast<float>(std::sin(angle));
  }
  return {own, own + pairs, pairs};
}

void turn_row(const RotaryArgs& args, const Turn& by, const float* x, float* out) noexcept {
  args.interleaved ? turn_interleaved(by, x, out) : turn_halves(by, x, out);
  if (out != x) std::copy_n(x + args.rotary, args.width - args.rotary, out + args.rotary);
}

bool are_in_tables(const RotaryArgs& args) noexcept {
  const std::size_t batch = args.positions_batch == 0 ? std::min<std::size_t>(args.batch, 1) : args.batch;
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t t = 0; t < args.tokens; ++t) {
      const std::int64_t position = position_of(args, b, t);
      if (position < 0 || position >= static_cast<std::int64_t>(args.table_rows)) return false;
    }
  }
  return true;
}

/// Then there is nothing to do, however many tokens there are.
bool has_no_rows(const RotaryArgs& args) noexcept { return args.batch == 0 || args.heads == 0; }

struct Scratch {
  double* frequencies;     // [R / 2]
  ThreadWorkspaces turns;  // of each thread R / 2 cosines, then as many sines

  Scratch(const RotaryArgs& args, std::size_t threads, Workspace& workspace) noexcept
      : frequencies(workspace.take<double>(args.rotary / 2)),
        turns(workspace, threads, [&](Workspace& own) { own.take<float>(args.rotary); }) {}
};

}  // namespace

std::uint64_t rotary_workspace_bytes(const RotaryArgs& args, std::size_t threads) noexcept {
  return has_no_rows(args) ? 0 : count_bytes([&](Workspace& workspace) { Scratch(args, threads, workspace); });
}

Status rotary(const RotaryArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (args.rotary % 2 != 0 || args.rotary > args.width || (args.cos == nullptr) != (args.sin == nullptr)) return Status::Shape;
  if (has_no_rows(args)) return Status::Ok;
  if (args.cos != nullptr && !are_in_tables(args)) return Status::Value;
  const Scratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (args.cos == nullptr) write_frequencies(args.frequencies, args.rotary, scratch.frequencies);

  // Where all sequences have the same positions, a token's angles serve all of them.
  const std::size_t groups = args.positions_batch == 0 ? 1 : args.batch,
                    together = args.batch / std::max<std::size_t>(groups, 1);
  const std::size_t blocks = (args.tokens + kTokens - 1) / kTokens;
  const bool is_short = is_short_work(args.tokens, groups, args.rotary, kSine + args.heads * together);
  parallel_for(is_short ? nullptr : pool, groups * blocks, [&](std::size_t task, std::size_t thread) {
    const std::size_t group = task / blocks, from = task % blocks * kTokens, to = std::min(args.tokens, from + kTokens);
    float* const own = scratch.turns.of(thread).take<float>(args.rotary);
    for (std::size_t t = from; t < to; ++t) {
      const Turn by = turn_of(args, position_of(args, group, t), scratch.frequencies, own);
      for (std::size_t b = group * together; b < (group + 1) * together; ++b) {
        for (std::size_t h = 0; h < args.heads; ++h) turn_row(args, by, args.x.row(b, h, t), args.out.row(b, h, t));
      }
    }
  });
  return Status::Ok;
}

}  // namespace fovea
