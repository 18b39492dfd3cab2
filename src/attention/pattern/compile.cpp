#include "attention/pattern/compile.hpp"

#include <algorithm>
#include <bit>

#include "attention/pattern/plan.hpp"
#include "attention/pattern/tree.hpp"
#include "attention/pattern/unit_writer.hpp"
#include "attention/problem/query_block.hpp"

namespace fovea {
namespace {

/// Rows of a unit: those that dense attention packs keys for; fewer where there are few queries, so that threads have units.
std::size_t block_rows(std::size_t queries) noexcept { return std::clamp(round_up(queries / 8, kMr), 6 * kMr, kQueryBlock); }

/// The most intervals that are kept of a block's rows: 124 for each of 264 rows.
constexpr std::size_t kMostKept = 32768;

/// The keys of a block's first rows, while there is room: these rows are not evaluated a second time.
class KeptRows {
 public:
  KeptRows(std::size_t most_rows, std::size_t row_intervals, Workspace& workspace) noexcept
      : capacity_(static_cast<std::size_t>(std::min<std::uint64_t>(kMostKept, std::uint64_t{most_rows} * row_intervals))),
        intervals_(workspace.take<Interval>(capacity_)),
        ends_(workspace.take<std::uint32_t>(most_rows)) {}

  void clear() noexcept { rows_ = 0; }

  /// Keeps the row that follows the rows before it, where these are kept and there is room.
  void keep(std::size_t row, const IntervalSet& keys) noexcept {
    if (row != rows_ || keys.count() > capacity_ - begin_of(row)) return;
    std::copy(keys.begin(), keys.end(), intervals_ + begin_of(row));
    ends_[row] = static_cast<std::uint32_t>(begin_of(row) + keys.count());
    ++rows_;
  }

  [[nodiscard]] bool has(std::size_t row) const noexcept { return row < rows_; }
  [[nodiscard]] IntervalSet at(std::size_t row) const noexcept {
    return IntervalSet(intervals_ + begin_of(row), ends_[row] - begin_of(row));
  }

 private:
  [[nodiscard]] std::size_t begin_of(std::size_t row) const noexcept { return row == 0 ? 0 : ends_[row - 1]; }

  std::size_t capacity_, rows_ = 0;
  Interval* intervals_;
  std::uint32_t* ends_;
};

struct Compiler {
  const PatternArgs& args;
  WordSink& sink;
  PatternTree tree;
  UnitWriter unit;
  KeptRows kept;
  std::uint32_t* queries;  // in the order of the pass
  std::uint32_t* classes;  // [classes + 2]: where each class begins
  std::uint64_t pairs = 0;
  std::size_t units = 0;

  Compiler(const PatternArgs& given, PatternNode root, WordSink& to, Workspace& workspace) noexcept
      : args(given),
        sink(to),
        tree(root, given.batch, given.head, given.queries, given.rules.keys, workspace),
        unit(given.rules.keys + given.rules.appended, block_rows(given.queries), to, workspace),
        kept(block_rows(given.queries), tree.row_intervals(), workspace),
        queries(workspace.take<std::uint32_t>(given.queries)),
        classes(workspace.take<std::uint32_t>(given.queries + 3)) {}

  /// The keys that the query has in this pass; appended keys come in the last one.
  const IntervalSet& keys_of(std::uint32_t query, std::size_t pass) noexcept {
    IntervalSet& keys = tree.new_keys_of(args.rules.position(query), args.rules.keys_of(query), pass);
    if (pass + 1 == tree.parts()) keys.add(args.rules.appended_keys());
    return keys;
  }

  [[nodiscard]] bool is_uniform(std::size_t pass) const noexcept { return tree.is_uniform(pass) && args.rules.is_uniform(); }

  /// queries <- all of them, class by class;  classes[c + 1] <- one past the last of class c
  std::size_t sort_queries(const QueryOrder& order) noexcept {
    const std::size_t count = order.classes() + 1;
    std::fill_n(classes, count + 1, 0);
    const auto class_of = [&](std::size_t query) { return order.class_of(tree.row(args.rules.position(query))); };
    for (std::size_t query = 0; query < args.queries; ++query) ++classes[class_of(query) + 1];
    for (std::size_t c = 0; c < count; ++c) classes[c + 1] += classes[c];
    for (std::size_t query = 0; query < args.queries; ++query) {
      queries[classes[class_of(query)]++] = static_cast<std::uint32_t>(query);
    }
    return count;  // every classes[c] is now the end of class c
  }

  void write_block(const std::uint32_t* rows, std::size_t count, std::size_t pass, bool uniform) noexcept {
    const std::uint32_t flags = (pass == 0 ? kFirstPass : 0) | (pass + 1 == tree.parts() ? kLastPass : 0);
    const std::size_t different = uniform ? 1 : count;
    bool empty = true;
    kept.clear();
    for (std::size_t row = 0; row < different; ++row) {
      const IntervalSet& intervals = keys_of(rows[row], pass);
      empty = empty && intervals.empty();
      unit.columns().add(intervals);
      kept.keep(row, intervals);
    }
    if (empty && flags == 0) return;
    unit.begin(count);
    for (std::size_t row = 0; row < different; ++row)
      unit.set_row(row, kept.has(row) ? kept.at(row) : keys_of(rows[row], pass));
    if (uniform) unit.repeat_row();
    ++units;
    pairs += unit.write(rows, flags);
  }

  void write_pass(std::size_t pass) noexcept {
    const QueryOrder& order = tree.order(pass);
    const std::size_t most = block_rows(args.queries), count = sort_queries(order);
    for (std::size_t c = 0, from = 0; c < count; from = classes[c++]) {
      // Queries outside of the leaf's tables are no class.
      const bool uniform = c + 1 < count && is_uniform(pass);
      for (std::size_t row = from; row < classes[c] && !sink.failed(); row += most) {
        write_block(queries + row, std::min<std::size_t>(most, classes[c] - row), pass, uniform);
      }
    }
  }
};

/// The places of the units, of each pass those with the most work first: they end together.
void write_unit_table(WordSink& sink, std::size_t passes) noexcept {
  const auto table = static_cast<std::uint32_t>(sink.size());
  sink.set(kUnitTable, table);
  if (sink.failed()) return;
  auto at = static_cast<std::uint32_t>(kFirstUnits + passes + 1);
  while (at < table && !sink.failed()) {
    sink.put(at);
    at += sink.words()[at];
  }
  if (sink.failed()) return;
  const std::uint32_t* const words = sink.words();
  std::uint32_t* const places = sink.words() + table;
  const auto goes_first = [words](std::uint32_t a, std::uint32_t b) {
    return words[a + 1] != words[b + 1] ? words[a + 1] > words[b + 1] : a < b;
  };
  for (std::size_t pass = 0; pass < passes; ++pass) {
    // A heap: a quarter of std::sort's code.
    std::uint32_t *const first = places + words[kFirstUnits + pass], *const last = places + words[kFirstUnits + pass + 1];
    std::make_heap(first, last, goes_first);
    std::sort_heap(first, last, goes_first);
  }
}

/// One table: what each query's row of `lists` adds to its logits, or the numbers of its pairs.
void write_bias(WordSink& sink, const PatternArgs& args, const PatternTree& tree, PatternNode lists, bool edges) noexcept {
  const std::size_t begin = sink.reserve_slot();
  sink.put(edges ? 1 : 0);
  const std::int32_t* const indptr = lists.operands(6);
  const std::int32_t* const indices = indptr + lists.size(0) * lists.size(1) * lists.size(2) + 1;
  const auto row_of = [&](std::size_t query) { return table_row(lists, tree.row(args.rules.position(query))); };
  std::uint32_t start = 0;
  for (std::size_t query = 0; query < args.queries; ++query) {
    sink.put(start);
    if (const std::int64_t row = row_of(query); row >= 0) start += static_cast<std::uint32_t>(indptr[row + 1] - indptr[row]);
  }
  sink.put(start);
  const auto put_pairs = [&](auto word_of) {
    for (std::size_t query = 0; query < args.queries; ++query) {
      const std::int64_t row = row_of(query);
      if (row < 0) continue;
      for (std::int32_t n = indptr[row]; n < indptr[row + 1]; ++n) sink.put(static_cast<std::uint32_t>(word_of(n)));
    }
  };
  put_pairs([&](std::int32_t n) { return indices[n]; });
  put_pairs([&](std::int32_t n) { return edges ? n : indices[lists.size(4) + static_cast<std::size_t>(n)]; });
  sink.set(begin, static_cast<std::uint32_t>(sink.size() - begin));
}

}  // namespace

std::uint64_t compile_workspace_bytes(const PatternArgs& args) noexcept {
  if (check_pattern(args.program, args.program_words, args.batch, args.head) != Status::Ok) return 0;
  return count_bytes([&](Workspace& workspace) {
    WordSink none(nullptr, 0, nullptr);
    Compiler(args, PatternNode(args.program), none, workspace);
  });
}

Status compile_pattern(const PatternArgs& args, WordSink& sink, Workspace workspace) noexcept {
  if (const Status status = check_pattern(args.program, args.program_words, args.batch, args.head); status != Status::Ok) {
    return status;
  }
  if (args.rules.length > args.rules.keys) return Status::Value;
  Compiler compiler(args, PatternNode(args.program), sink, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const std::size_t passes = compiler.tree.parts();
  for (std::size_t word = 0; word < kFirstUnits + passes + 1; ++word) sink.reserve_slot();
  for (std::size_t pass = 0; pass < passes; ++pass) {
    compiler.write_pass(pass);
    sink.set(kFirstUnits + pass + 1, static_cast<std::uint32_t>(compiler.units));
  }
  sink.set(kPasses, static_cast<std::uint32_t>(passes));
  sink.set(kUnits, static_cast<std::uint32_t>(compiler.units));
  sink.set(kPairs, std::bit_cast<std::uint32_t>(static_cast<float>(compiler.pairs)));
  write_unit_table(sink, passes);
  sink.set(kBiasTables, static_cast<std::uint32_t>(sink.size()));
  std::uint32_t tables = 0;
  compiler.tree.for_each_list([&](PatternNode lists, CsrKind kind) {
    const bool edges = kind == CsrKind::Graph && args.edges;
    if (kind != CsrKind::Biased && !edges) return;
    write_bias(sink, args, compiler.tree, lists, edges);
    ++tables;
  });
  sink.set(kTables, tables);
  return sink.failed() ? Status::Memory : Status::Ok;
}

}  // namespace fovea
