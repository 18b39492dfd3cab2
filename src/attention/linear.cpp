#include "attention/linear.hpp"

#include <algorithm>

#include "attention/linear_chunks.hpp"
#include "attention/linear_recurrent.hpp"
#include "attention/linear_state.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

/// Causal calls of at most so many tokens go token by token: a state that is packed for so few costs more.
constexpr std::size_t kRecurrentQueries = 8;

/// Spans of a head that are summed side by side, for each thread.
constexpr std::size_t kWaveSpans = 4;

Status check(const LinearArgs& args) noexcept {
  if (args.width == 0 || args.value_width == 0 || args.kv_heads == 0 || args.heads % args.kv_heads != 0) return Status::Shape;
  if (args.features.width != args.width) return Status::Shape;
  if (args.causal && args.queries != args.keys) return Status::Shape;
  if (args.features.map == FeatureMap::Favor && (args.features.random == 0 || args.features.projection == nullptr)) {
    return Status::Value;
  }
  if (args.rule != UpdateRule::Linear && !args.causal) return Status::Value;
  if (args.features.map == FeatureMap::Softmax && (args.causal || args.normalize)) return Status::Value;
  if (args.is_gated() && args.decay_width != 1 && args.decay_width != args.features.count()) return Status::Shape;
  if ((args.is_gated() && args.decay.data == nullptr) || (args.is_delta() && args.beta.data == nullptr)) return Status::Value;
  if (args.s != nullptr && args.normalize && args.z == nullptr) return Status::Value;
  if (args.s != nullptr && args.features.is_stabilised() && args.m == nullptr) return Status::Value;
  if (args.chunk == 0) return Status::Value;
  for (std::size_t b = 0; args.key_lengths != nullptr && b < args.batch; ++b) {
    if (args.key_lengths[b] < 0 || static_cast<std::size_t>(args.key_lengths[b]) > args.keys) return Status::Value;
  }
  return Status::Ok;
}

bool is_recurrent(const LinearArgs& args) noexcept {
  return args.rule != UpdateRule::Linear || (args.causal && args.queries <= kRecurrentQueries);
}

std::size_t spans_of(std::size_t tokens) noexcept { return (tokens + kLinearSpan - 1) / kLinearSpan; }

bool is_short(const LinearArgs& args) noexcept {
  return is_short_work(args.batch * args.heads * (args.queries + args.keys), args.features.count(), args.value_width);
}

LinearHead head_at(const LinearArgs& args, std::size_t index) noexcept {
  return {index / args.kv_heads, index % args.kv_heads};
}

/// The sums of a head over all that has been seen.
struct Head {
  LinearHead at;
  LinearSums sums;
  float* rest;  // what rounding took from them
};

LinearSizes sizes_of(const LinearArgs& args) noexcept { return LinearSizes(args, /*in_panels=*/true); }

std::size_t thread_floats(const LinearArgs& args) noexcept {
  return LinearScratch::floats(args) + workspace_round(sizes_of(args).sum_floats());
}

std::size_t head_floats(const LinearArgs& args) noexcept {
  return 2 * workspace_round(sizes_of(args).sum_floats()) + workspace_round(args.width);
}

/// highest[f] <- the highest of all keys
void find_highest(const LinearArgs& args, const LinearHead& head, float* highest) noexcept {
  std::fill_n(highest, args.width, kMinusInfinity);
  for (std::size_t j = 0; j < args.length(head.batch); ++j) {
    const float* const k = args.k.row(head.batch, head.kv_head, j);
    for (std::size_t f = 0; f < args.width; ++f) highest[f] = std::max(highest[f], args.key_scale * k[f]);
  }
}

Head begin_head(const LinearArgs& args, std::size_t index, Workspace& workspace) noexcept {
  const LinearSizes sizes = sizes_of(args);
  Head head = {head_at(args, index), {workspace.take(sizes.sum_floats()), 0.0f}, workspace.take(sizes.sum_floats())};
  read_state(args, sizes, index, head.sums);
  std::fill_n(head.rest, sizes.sum_floats(), 0.0f);
  float* const highest = workspace.take(args.width);
  if (args.features.map == FeatureMap::Softmax) {
    find_highest(args, head.at, highest);
    head.at.highest = highest;
  }
  return head;
}

/// What the queries of a call that is not causal see.
void end_keys(const LinearArgs& args, Head& head) noexcept {
  if (args.features.map == FeatureMap::Softmax) divide_by_ones(sizes_of(args), head.sums, head.rest);
}

/// A head on one thread.
void attend_head(const LinearArgs& args, std::size_t index, Workspace workspace) noexcept {
  const LinearSizes sizes = sizes_of(args);
  Head head = begin_head(args, index, workspace);
  LinearSums part = {workspace.take(sizes.sum_floats()), 0.0f};
  const LinearScratch scratch = LinearScratch::take(args, workspace);
  for (std::size_t span = 0; span < spans_of(args.keys); ++span) {
    attend_span(args, head.at, span * kLinearSpan, args.causal ? &head.sums : nullptr, part, scratch);
    add_sums(sizes, head.sums, head.rest, part);
  }
  end_keys(args, head);
  for (std::size_t span = 0; !args.causal && span < spans_of(args.queries); ++span) {
    read_span(args, head.at, span * kLinearSpan, head.sums, scratch);
  }
  write_state(args, sizes, index, head.sums, head.rest);
}

/// A head on all threads, in the same bits: first the sums of spans side by side, then their outputs.
void attend_head_shared(const LinearArgs& args, std::size_t index, Workspace workspace, ThreadPool* pool) noexcept {
  const LinearSizes sizes = sizes_of(args);
  const std::size_t threads = threads_of(pool), wave = kWaveSpans * threads, each = thread_floats(args);
  Head head = begin_head(args, index, workspace);
  float* const parts = workspace.take(wave * sizes.sum_floats());
  float* const highest = workspace.take(wave);
  float* const threads_scratch = workspace.take(threads * each);
  const auto part_of = [&](std::size_t n) { return LinearSums{parts + n * sizes.sum_floats(), highest[n]}; };
  const auto on_threads = [&](std::size_t count, auto task) {
    run_on(pool, count, [&](std::size_t n, std::size_t thread) {
      Workspace own(threads_scratch + thread * each, each);
      LinearSums spare = {own.take(sizes.sum_floats()), 0.0f};
      task(n, spare, LinearScratch::take(args, own));
    });
  };
  for (std::size_t first = 0; first < spans_of(args.keys); first += wave) {
    const std::size_t count = std::min(wave, spans_of(args.keys) - first);
    on_threads(count, [&](std::size_t n, LinearSums&, const LinearScratch& scratch) {
      LinearSums part = part_of(n);
      attend_span(args, head.at, (first + n) * kLinearSpan, nullptr, part, scratch);
      highest[n] = part.m;
    });
    // Of every span: the state before it, in place of its own sums.
    Workspace spare_workspace(threads_scratch, each);
    LinearSums before = {spare_workspace.take(sizes.sum_floats()), 0.0f};
    for (std::size_t n = 0; n < count; ++n) {
      std::copy_n(head.sums.s, sizes.sum_floats(), before.s);
      before.m = head.sums.m;
      add_sums(sizes, head.sums, head.rest, part_of(n));
      std::copy_n(before.s, sizes.sum_floats(), parts + n * sizes.sum_floats());
      highest[n] = before.m;
    }
    if (!args.causal) continue;
    on_threads(count, [&](std::size_t n, LinearSums& spare, const LinearScratch& scratch) {
      const LinearSums start = part_of(n);
      attend_span(args, head.at, (first + n) * kLinearSpan, &start, spare, scratch);
    });
  }
  end_keys(args, head);
  if (!args.causal) {
    on_threads(spans_of(args.queries), [&](std::size_t n, LinearSums&, const LinearScratch& scratch) {
      read_span(args, head.at, n * kLinearSpan, head.sums, scratch);
    });
  }
  write_state(args, sizes, index, head.sums, head.rest);
}

/// Rows of a head that sees no key, and the state of one that only writes it.
void write_zeros(const LinearArgs& args, const LinearHead& head) noexcept {
  if (args.s != nullptr && args.features.map == FeatureMap::Softmax) {
    const std::size_t count = args.features.count() * args.value_width;
    std::fill_n(args.s + (head.batch * args.kv_heads + head.kv_head) * count, count, 0.0f);
  }
  for (std::size_t h = head.kv_head * args.group(); h < (head.kv_head + 1) * args.group(); ++h) {
    for (std::size_t i = 0; i < args.queries; ++i) std::fill_n(args.output.row(head.batch, h, i), args.value_width, 0.0f);
  }
}

/// For a head of its own on each thread.
std::size_t own_floats(const LinearArgs& args) noexcept {
  return is_recurrent(args) ? recurrent_workspace_floats(args) : head_floats(args) + thread_floats(args);
}

std::size_t shared_floats(const LinearArgs& args, std::size_t threads) noexcept {
  const std::size_t wave = kWaveSpans * threads;
  return head_floats(args) + workspace_round(wave * sizes_of(args).sum_floats()) + workspace_round(wave) +
         workspace_round(threads * thread_floats(args));
}

bool is_shared(const LinearArgs& args, std::size_t threads) noexcept {
  return !is_recurrent(args) && threads > 1 && args.batch * args.kv_heads < threads;
}

}  // namespace

std::size_t linear_workspace_floats(const LinearArgs& args, std::size_t threads) noexcept {
  return is_shared(args, threads) ? shared_floats(args, threads) : workspace_round(threads * own_floats(args));
}

Status linear_attention(const LinearArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (const Status status = check(args); status != Status::Ok) return status;
  ThreadPool* const helpers = is_short(args) ? nullptr : pool;
  const std::size_t heads = args.batch * args.kv_heads, threads = threads_of(pool);
  if (!workspace.holds(linear_workspace_floats(args, threads))) return Status::Memory;
  if (is_shared(args, threads)) {
    for (std::size_t index = 0; index < heads; ++index) {
      const LinearHead head = head_at(args, index);
      is_without_keys(args, head.batch, head.kv_head) ? write_zeros(args, head)
                                                      : attend_head_shared(args, index, workspace, helpers);
    }
    return Status::Ok;
  }
  const std::size_t each = own_floats(args);
  float* const scratch = workspace.take(threads * each);
  run_on(helpers, heads, [&](std::size_t index, std::size_t thread) {
    const LinearHead head = head_at(args, index);
    const Workspace own(scratch + thread * each, each);
    if (is_without_keys(args, head.batch, head.kv_head)) {
      write_zeros(args, head);
    } else if (is_recurrent(args)) {
      attend_recurrent(args, head.batch, head.kv_head, own);
    } else {
      attend_head(args, index, own);
    }
  });
  return Status::Ok;
}

}  // namespace fovea
