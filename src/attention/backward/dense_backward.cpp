#include "attention/backward/dense_backward.hpp"

#include <algorithm>

#include "attention/backward/row_scans.hpp"
#include "attention/dense/block_tiles.hpp"
#include "attention/score/score_products.hpp"
#include "attention/softmax/normalizer.hpp"

namespace fovea {
namespace {

/// The queries that may attend to any of the keys: both ends of keys_of() only grow.
KeyRange queries_of(const AttentionArgs& args, std::size_t batch, const KeyRange& keys) noexcept {
  const PositionRules rules = args.position_rules(batch);
  if (keys.to > rules.keys) return {args.query_from, args.query_to};
  const auto first_where = [&](auto holds) {
    std::size_t low = args.query_from, high = args.query_to;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      holds(rules.keys_of(middle)) ? high = middle : low = middle + 1;
    }
    return low;
  };
  return {first_where([&](const KeyRange& range) { return range.to > keys.from; }),
          first_where([&](const KeyRange& range) { return range.from >= keys.to; })};
}

constexpr std::size_t kKeysTogether = kTilesTogether * kKeyTile;
constexpr std::size_t kRowsTogether = kBlocksTogether * kBackwardRows;

std::size_t blocks_in(std::size_t count, std::size_t size) noexcept { return (count + size - 1) / size; }

/// One call: what it wants, and the terms of its rows.
struct Backward {
  const AttentionBackwardArgs& args;
  const RowTerms& rows;
  float* by_bucket;
  WantedGradients wanted;

  [[nodiscard]] const AttentionArgs& forward() const noexcept { return args.forward; }
  [[nodiscard]] std::size_t queries() const noexcept { return forward().query_to - forward().query_from; }
  [[nodiscard]] std::size_t kv_heads() const noexcept { return forward().batch * forward().kv_heads; }

  /// The terms of blocks of rows: their size, and how many there are.
  [[nodiscard]] std::size_t term_rows() const noexcept {
    return keeps_scores(forward()) ? panel_rows(forward()) : kBackwardRows;
  }
  [[nodiscard]] std::size_t term_blocks() const noexcept {
    return forward().batch * forward().heads * blocks_in(queries(), term_rows());
  }

  void compute_terms(std::size_t index, Workspace workspace) const noexcept {
    const std::size_t per_head = blocks_in(queries(), term_rows());
    const std::size_t first = forward().query_from + index % per_head * term_rows();
    const QueryBlock block = {forward().head_at(index / per_head), first, std::min(term_rows(), forward().query_to - first)};
    if (keeps_scores(forward())) return compute_whole_rows(block, workspace);
    const std::size_t row = forward().row_index(block.batch, block.head, first);
    bool any_sum = false;
    for (std::size_t i = 0; i < block.count; ++i) any_sum = any_sum || needs_sum(args, row + i);
    double sums[kBackwardRows] = {};
    if (any_sum) sum_scores(block, sums, workspace);
    rows.write(args, block, sums);
  }

  /// The gradients of keys and values of kTilesTogether tiles, and what these give to those of queries.
  void walk_queries(std::size_t kv_index, std::size_t key, const WantedGradients& of, BackwardScratch& scratch) const noexcept {
    const std::size_t batch = kv_index / forward().kv_heads, kv_head = kv_index % forward().kv_heads;
    const KeyRange range = {key, std::min(key + kKeysTogether, forward().keys)};
    const KeyRange seen = queries_of(forward(), batch, range);
    if (seen.from >= seen.to) return;
    const std::size_t tiles = blocks_in(range.to - range.from, kKeyTile), group = forward().heads / forward().kv_heads;
    for (std::size_t t = 0; t < tiles; ++t) scratch.keys[t].pack(args, batch, kv_head, tile_at(key + t * kKeyTile), of);
    for (std::size_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
      for (std::size_t first = seen.from; first < seen.to; first += kBackwardRows) {
        PackedQueries& queries = scratch.queries[0];
        queries.pack(args, rows, {{batch, head, kv_head}, first, std::min(kBackwardRows, seen.to - first)}, of);
        for (std::size_t t = 0; t < tiles; ++t) scratch.pairs.add(args, queries, scratch.keys[t], of);
      }
    }
    for (std::size_t t = 0; t < tiles; ++t) scratch.keys[t].add_sums(args, of);
  }

  /// All gradients of a key/value head, and those of its queries.
  void walk_head(std::size_t kv_index, const WantedGradients& of, BackwardScratch& scratch) const noexcept {
    for (std::size_t key = 0; key < forward().keys; key += kKeysTogether) walk_queries(kv_index, key, of, scratch);
  }

  /// The gradients of kBlocksTogether blocks of queries, and sums over their pairs.
  void walk_keys(const QueryBlock& queries, BackwardScratch& scratch) const noexcept {
    const WantedGradients of_queries = {wanted.d_q, false, false, wanted.pairs};
    const std::size_t blocks = blocks_in(queries.count, kBackwardRows);
    for (std::size_t n = 0; n < blocks; ++n) {
      const std::size_t first = n * kBackwardRows;
      scratch.queries[n].pack(args, rows, {queries, queries.first + first, std::min(kBackwardRows, queries.count - first)},
                              of_queries);
    }
    if (wanted.pairs) scratch.sums.begin(args, by_bucket);
    for_each_tile_of(queries, [&](const KeyTile& tile) {
      scratch.keys[0].pack(args, queries.batch, queries.kv_head, tile_at(tile.first), of_queries);
      for (std::size_t n = 0; n < blocks; ++n) {
        scratch.pairs.add(args, scratch.queries[n], scratch.keys[0], of_queries, &scratch.sums, n * kBackwardRows);
      }
    });
    if (wanted.pairs) scratch.sums.finish(args, queries, {queries.first, queries.count});
  }

 private:
  [[nodiscard]] TokenList tile_at(std::size_t key) const noexcept { return {key, std::min(kKeyTile, forward().keys - key)}; }

  void compute_whole_rows(const QueryBlock& block, Workspace workspace) const noexcept {
    constexpr WantedGradients kOfScores = {true, false, false, false};
    BackwardScratch scratch(args, workspace);
    scratch.whole.clear(forward(), block.count);
    scratch.queries[0].pack(args, rows, block, kOfScores);
    for_each_tile_of(block, [&](const KeyTile& tile) {
      scratch.keys[0].pack(args, block.batch, block.kv_head, tile_at(tile.first), kOfScores);
      fill_panels(args, scratch.queries[0], scratch.keys[0], scratch.whole);
    });
    scratch.whole.write_terms(args, block, rows);
  }

  void sum_scores(const QueryBlock& block, double* sums, Workspace workspace) const noexcept {
    BackwardScratch scratch(args, workspace);
    scratch.queries[0].pack(args, rows, block, {});
    for_each_tile_of(block, [&](const KeyTile& tile) {
      scratch.keys[0].pack(args, block.batch, block.kv_head, tile_at(tile.first), {});
      add_row_sums(args, scratch.queries[0], scratch.keys[0], sums);
    });
  }

  template <class Visit>
  void for_each_tile_of(const QueryBlock& block, Visit visit) const noexcept {
    for_each_tile(forward(), block, forward().position_rules(block.batch).keys_of(block.first, block.count), visit);
  }
};

/// Walks along the keys as tasks: one each, or all of a head's one after another where they add to one array, or all of a call.
class QueryWalks {
 public:
  QueryWalks(const AttentionBackwardArgs& args, bool pairs) noexcept
      : args_(args.forward),
        blocks_(blocks_in(args_.query_to - args_.query_from, kRowsTogether)),
        per_head_(args_.batch * blocks_),
        per_task_(!pairs                   ? 1
                  : shares_pair_sums(args) ? per_head_ * args_.heads
                                           : per_head_) {}

  [[nodiscard]] std::size_t tasks() const noexcept { return per_head_ * args_.heads / std::max<std::size_t>(per_task_, 1); }

  /// Calls visit(queries) for the walks of a task.
  template <class Visit>
  void for_each(std::size_t task, Visit visit) const noexcept {
    for (std::size_t index = task * per_task_; index < (task + 1) * per_task_; ++index) {
      const std::size_t head = index / per_head_, batch = index % per_head_ / blocks_;
      // In an order of falling work: of a causal head the last queries see the most keys.
      const std::size_t first = args_.query_from + (blocks_ - 1 - index % blocks_) * kRowsTogether;
      visit(QueryBlock{
          {batch, head, head / (args_.heads / args_.kv_heads)}, first, std::min(kRowsTogether, args_.query_to - first)});
    }
  }

 private:
  const AttentionArgs& args_;
  std::size_t blocks_, per_head_, per_task_;
};

}  // namespace

void dense_backward(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace, ThreadPool* pool) noexcept {
  const AttentionArgs& forward = args.forward;
  const WantedGradients wanted = wanted_of(args);
  const Backward backward = {args, workspace.rows, workspace.by_bucket, wanted};
  const auto with_scratch = [&](std::size_t thread, auto walk) {
    Workspace own = workspace.threads.of(thread);
    BackwardScratch scratch(args, own);
    walk(scratch);
  };
  if (is_short_call(forward)) pool = nullptr;
  parallel_for(pool, backward.term_blocks(),
               [&](std::size_t index, std::size_t thread) { backward.compute_terms(index, workspace.threads.of(thread)); });
  add_to_sinks(args, pool);

  if (shares_gradients(args)) pool = nullptr;
  // Arrays that are one are added to one after the other, whatever the number of threads.
  const bool is_one_array = wanted.d_q && (args.d_q.data == args.d_k.data || args.d_q.data == args.d_v.data);
  if (!is_one_array && !wanted.pairs && backward.kv_heads() >= threads_of(pool)) {
    parallel_for(pool, backward.kv_heads(), [&](std::size_t index, std::size_t thread) {
      with_scratch(thread, [&](BackwardScratch& scratch) { backward.walk_head(index, wanted, scratch); });
    });
    return;
  }
  if (wanted.of_queries()) {
    const QueryWalks walks(args, wanted.pairs);
    begin_buckets(args, workspace);
    parallel_for(pool, walks.tasks(), [&](std::size_t task, std::size_t thread) {
      with_scratch(thread, [&](BackwardScratch& scratch) {
        walks.for_each(task, [&](const QueryBlock& queries) { backward.walk_keys(queries, scratch); });
      });
    });
    end_buckets(args, workspace);
  }
  if (!wanted.of_keys()) return;
  const std::size_t tiles = blocks_in(forward.keys, kKeysTogether);
  parallel_for(pool, backward.kv_heads() * tiles, [&](std::size_t index, std::size_t thread) {
    with_scratch(thread, [&](BackwardScratch& scratch) {
      backward.walk_queries(index / tiles, index % tiles * kKeysTogether, {false, wanted.d_k, wanted.d_v, false}, scratch);
    });
  });
}

}  // namespace fovea
