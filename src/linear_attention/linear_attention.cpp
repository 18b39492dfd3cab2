#include "linear_attention/linear_attention.hpp"

#include <algorithm>

#include "core/infinity.hpp"
#include "linear_attention/chunks.hpp"
#include "linear_attention/head_workspace.hpp"
#include "linear_attention/recurrent_rules.hpp"
#include "linear_attention/state.hpp"

namespace fovea {
namespace {

/// The most tokens of a causal call that goes token by token: to pack a state for so few costs more.
constexpr std::size_t kRecurrentQueries = 8;

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
  if (args.s != nullptr && args.features.is_stabilized() && args.m == nullptr) return Status::Value;
  if (args.chunk == 0) return Status::Value;
  for (std::size_t b = 0; args.key_lengths != nullptr && b < args.batch; ++b) {
    if (args.key_lengths[b] < 0 || static_cast<std::size_t>(args.key_lengths[b]) > args.keys) return Status::Value;
  }
  return Status::Ok;
}

/// Whether no result has an element: then there is nothing to do, however many rows there are.
bool has_no_results(const LinearArgs& args) noexcept {
  return args.batch == 0 || (args.s == nullptr && (args.heads == 0 || args.queries == 0));
}

bool is_recurrent(const LinearArgs& args) noexcept {
  return args.rule != UpdateRule::Linear || (args.causal && args.queries <= kRecurrentQueries);
}

std::size_t segments_of(std::size_t tokens) noexcept { return (tokens + kLinearSegment - 1) / kLinearSegment; }

bool is_short(const LinearArgs& args) noexcept {
  return is_short_work(args.batch, args.heads, args.queries + args.keys, args.features.count(), args.value_width);
}

LinearHead head_at(const LinearArgs& args, std::size_t index) noexcept {
  return {index / args.kv_heads, index % args.kv_heads};
}

/// The sums of a head over all that has been seen.
struct Head {
  LinearHead at;
  LinearSums sums;
  float* compensation;  // what rounding took from them
};

/// key_max[f] <- the largest k[f] of all keys
void max_over_keys(const LinearArgs& args, const LinearHead& head, float* key_max) noexcept {
  std::fill_n(key_max, args.width, kMinusInfinity);
  for (std::size_t j = 0; j < args.length(head.batch); ++j) {
    const float* const k = args.k.row(head.batch, head.kv_head, j);
    for (std::size_t f = 0; f < args.width; ++f) key_max[f] = std::max(key_max[f], args.key_scale * k[f]);
  }
}

Head begin_head(const LinearArgs& args, std::size_t index, const HeadScratch& scratch) noexcept {
  const LinearSizes sizes = sizes_of(args);
  Head head = {head_at(args, index), scratch.sums, scratch.compensation};
  read_state(args, sizes, index, head.sums);
  std::fill_n(head.compensation, sizes.sum_floats(), 0.0f);
  if (args.features.map == FeatureMap::Softmax) {
    max_over_keys(args, head.at, scratch.key_max);
    head.at.key_max = scratch.key_max;
  }
  return head;
}

/// The sums that the queries of a call that is not causal read.
void end_keys(const LinearArgs& args, Head& head) noexcept {
  if (args.features.map == FeatureMap::Softmax) divide_by_ones(sizes_of(args), head.sums, head.compensation);
}

/// A head on one thread.
void attend_head(const LinearArgs& args, std::size_t index, Workspace workspace) noexcept {
  const LinearSizes sizes = sizes_of(args);
  const OwnScratch own(args, workspace);
  Head head = begin_head(args, index, own.head);
  const LinearSums& part = own.segment.sums;
  const LinearScratch& scratch = own.segment.chunk;
  for (std::size_t segment = 0; segment < segments_of(args.keys); ++segment) {
    attend_segment(args, head.at, segment * kLinearSegment, args.causal ? &head.sums : nullptr, part, scratch);
    add_sums(sizes, head.sums, head.compensation, part);
  }
  end_keys(args, head);
  for (std::size_t segment = 0; !args.causal && segment < segments_of(args.queries); ++segment) {
    read_segment(args, head.at, segment * kLinearSegment, head.sums, scratch);
  }
  write_state(args, sizes, index, head.sums, head.compensation);
}

/// A head on all threads, in the same bits: first the sums of segments in parallel, then their outputs.
void attend_head_shared(const LinearArgs& args, std::size_t index, const SharedScratch& scratch, ThreadPool* pool) noexcept {
  const LinearSizes sizes = sizes_of(args);
  const std::size_t wave = scratch.wave;
  Head head = begin_head(args, index, scratch.head);
  const auto part_of = [&](std::size_t n) {
    return LinearSums{scratch.parts.s + n * sizes.sum_floats(), scratch.parts.m + n * sizes.stabilizers};
  };
  const auto on_threads = [&](std::size_t count, auto task) {
    parallel_for(pool, count, [&](std::size_t n, std::size_t thread) {
      Workspace workspace = scratch.segments.of(thread);
      const SegmentScratch own(args, workspace);
      task(n, own.sums, own.chunk);
    });
  };
  for (std::size_t first = 0; first < segments_of(args.keys); first += wave) {
    const std::size_t count = std::min(wave, segments_of(args.keys) - first);
    on_threads(count, [&](std::size_t n, const LinearSums&, const LinearScratch& chunk) {
      attend_segment(args, head.at, (first + n) * kLinearSegment, nullptr, part_of(n), chunk);
    });
    // Replaces the sums of every segment by the state before it.
    Workspace workspace = scratch.segments.of(0);
    const LinearSums before = SegmentScratch(args, workspace).sums;
    for (std::size_t n = 0; n < count; ++n) {
      head.sums.copy_to(sizes, before);
      add_sums(sizes, head.sums, head.compensation, part_of(n));
      before.copy_to(sizes, part_of(n));
    }
    if (!args.causal) continue;
    on_threads(count, [&](std::size_t n, const LinearSums& spare, const LinearScratch& chunk) {
      const LinearSums start = part_of(n);
      attend_segment(args, head.at, (first + n) * kLinearSegment, &start, spare, chunk);
    });
  }
  end_keys(args, head);
  if (!args.causal) {
    on_threads(segments_of(args.queries), [&](std::size_t n, const LinearSums&, const LinearScratch& chunk) {
      read_segment(args, head.at, n * kLinearSegment, head.sums, chunk);
    });
  }
  write_state(args, sizes, index, head.sums, head.compensation);
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
ThreadWorkspaces take_own(const LinearArgs& args, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [&](Workspace& own) {
            if (is_recurrent(args)) {
              take_recurrent_scratch(args, own);
            } else {
              OwnScratch(args, own);
            }
          }};
}

bool is_shared(const LinearArgs& args, std::size_t threads) noexcept {
  return !is_recurrent(args) && threads > 1 && args.batch * args.kv_heads < threads;
}

}  // namespace

std::uint64_t linear_workspace_bytes(const LinearArgs& args, std::size_t threads) noexcept {
  if (check(args) != Status::Ok || has_no_results(args)) return 0;
  return count_bytes([&](Workspace& workspace) {
    if (is_shared(args, threads)) {
      SharedScratch(args, threads, workspace);
    } else {
      take_own(args, threads, workspace);
    }
  });
}

Status linear_attention(const LinearArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (const Status status = check(args); status != Status::Ok || has_no_results(args)) return status;
  ThreadPool* const helpers = is_short(args) ? nullptr : pool;
  const std::size_t heads = args.batch * args.kv_heads, threads = threads_of(pool);
  if (is_shared(args, threads)) {
    const SharedScratch scratch(args, threads, workspace);
    if (!workspace.sufficed()) return Status::Memory;
    for (std::size_t index = 0; index < heads; ++index) {
      const LinearHead head = head_at(args, index);
      is_without_keys(args, head.batch, head.kv_head) ? write_zeros(args, head)
                                                      : attend_head_shared(args, index, scratch, helpers);
    }
    return Status::Ok;
  }
  const ThreadWorkspaces scratch = take_own(args, threads, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  parallel_for(helpers, heads, [&](std::size_t index, std::size_t thread) {
    const LinearHead head = head_at(args, index);
    const Workspace own = scratch.of(thread);
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
