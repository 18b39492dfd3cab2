#pragma once
/// A pattern of one batch entry and head as a table of nodes, split into parts that are compiled one after another.
/// A leaf prefers an order of queries (order.hpp) in which a block of queries shares its keys. Children of a union may prefer
/// different orders. Each order is then a part: the keys of the children that prefer it. A part is a pass of the plan; it
/// leaves out the pairs of the parts before it, so that every pair is computed once. The part in natural order is the last:
/// pairs that other parts have taken would break its full blocks.
///
/// Example: (A or B) and C, with A = atrous(4), B = window(2, 0), C = keys up to the query's position.
///   table      0 And [1, 5)   1 Or [2, 4)   2 A   3 B   4 C         [first, end) of the nodes below
///   orders     A: residue of p mod 4;  B and C: natural;  Or: both, one for each child
///   And        has one child with several orders, its split, node 1, and is computed by parts as that child is:
///                (A ∪ B) ∩ C = (A ∩ C) ∪ (B ∩ C)
///   parts      0: A ∩ C, by residue          1: (B ∩ C) \ (A ∩ C), natural
///   at p = 9   A = {1, 5, 9, 13, …}   B = {7, 8, 9}   C = {0 … 9}
///              keys_of(9) = {1, 5, 7, 8, 9}   new_keys_of(9, part 0) = {1, 5, 9}   new_keys_of(9, part 1) = {7, 8}

#include <array>
#include <cstddef>
#include <cstdint>

#include "attention/pattern/interval_set.hpp"
#include "attention/pattern/leaves.hpp"
#include "attention/pattern/order.hpp"
#include "attention/pattern/program.hpp"
#include "core/workspace.hpp"

namespace fovea {

class PatternTree {
 public:
  static constexpr std::size_t kMostOrders = 12;

  /// `root` has passed check_pattern. Only to be used if the workspace sufficed.
  PatternTree(PatternNode root, std::size_t batch, std::size_t head, std::size_t queries, std::size_t keys,
              Workspace& workspace) noexcept;

  [[nodiscard]] std::size_t parts() const noexcept { return parts_; }
  [[nodiscard]] const QueryOrder& order(std::size_t part) const noexcept { return orders_[part_orders_[part]]; }

  /// Whether all queries of one class of the part's order are known to have the same new keys in it.
  [[nodiscard]] bool is_uniform(std::size_t part) const noexcept;

  /// The row's keys in a range, in all parts together. They are valid until the next call, and have room for one interval more.
  IntervalSet& keys_of(std::int64_t p, KeyRange range) noexcept;

  /// The row's keys in this part that no part before it has.
  IntervalSet& new_keys_of(std::int64_t p, KeyRange range, std::size_t part) noexcept;

  /// The most intervals of keys_of() and new_keys_of(), the one that may be added included.
  [[nodiscard]] std::size_t row_intervals() const noexcept { return list_intervals_; }

  /// Calls visit(PatternNode, CsrKind) for each list of pairs outside of complements, whose biases count.
  template <class Visit>
  void for_each_list(Visit visit) const noexcept {
    for (std::size_t index = 0; index < count_; ++index) {
      const PatternNode node = nodes_[index].node;
      if (node.op() == PatternOp::Csr && !nodes_[index].complemented) visit(node, static_cast<CsrKind>(node.operand(5)));
    }
  }

  [[nodiscard]] PatternRow row(std::int64_t p, KeyRange range) const noexcept { return {p, batch_, head_, keys_, range}; }
  [[nodiscard]] PatternRow row(std::int64_t p) const noexcept { return row(p, {0, keys_}); }

 private:
  struct Node {
    PatternNode node;
    std::uint32_t end;     // one past the last of its subtree
    std::uint32_t split;   // the child of an intersection that is computed in parts; 0 = none
    std::uint32_t orders;  // bit o: something in it is computed in order o
    bool complemented;
  };

  static constexpr std::uint32_t kAllOrders = ~std::uint32_t{0};

  void enter(PatternNode node, bool complemented) noexcept;
  std::uint32_t orders_of(std::size_t index, std::size_t queries) noexcept;
  std::uint32_t order_bit(const QueryOrder& order) noexcept;
  bool is_uniform(std::size_t index, const QueryOrder& order, std::uint32_t orders) const noexcept;
  /// Whether the child has to do with those parts of its parent that are computed in `orders`; and which of its own parts.
  bool is_computed(const Node& node, std::size_t child, std::uint32_t orders) const noexcept;
  std::uint32_t orders_within(const Node& node, std::size_t child, std::uint32_t orders) const noexcept;
  /// The row's range as far as those children of an intersection allow that are one interval.
  KeyRange range_within(std::size_t index, const PatternRow& row) noexcept;
  /// out <- the keys of the node, of its parts in `orders`; uses the lists from `level` on.
  void evaluate(std::size_t index, const PatternRow& row, std::uint32_t orders, std::size_t level, IntervalSet& out) noexcept;

  Node* nodes_ = nullptr;
  std::size_t count_ = 0;
  std::size_t batch_, head_, keys_;
  std::array<QueryOrder, kMostOrders> orders_{};
  std::size_t order_count_ = 0;
  std::array<std::uint32_t, kMostOrders> part_orders_{};
  std::size_t parts_ = 0;
  Interval* lists_ = nullptr;  // of room for the keys of any row each: two for every level, and three
  std::size_t list_intervals_ = 0;
  std::uint32_t* scratch_ = nullptr;
  std::array<IntervalSet, 3> results_;
};

}  // namespace fovea
