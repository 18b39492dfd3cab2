#pragma once
/// A pattern as one batch entry and head sees it: its nodes in a table, and the parts that it is computed in. The children of a
/// union may want different orders of queries; then those of each order are a part, and the whole is the union of the parts:
///   (A ∪ B) ∩ C = (A ∩ C) ∪ (B ∩ C)

#include <array>
#include <cstddef>
#include <cstdint>

#include "attention/pattern/key_spans.hpp"
#include "attention/pattern/leaves.hpp"
#include "attention/pattern/order.hpp"
#include "attention/pattern/program.hpp"
#include "core/workspace.hpp"

namespace fovea {

class PatternTree {
 public:
  static constexpr std::size_t kMostOrders = 12;

  static std::size_t workspace_floats(PatternNode root, std::size_t keys) noexcept;

  /// Of a program that check_pattern has passed. The workspace holds workspace_floats().
  PatternTree(PatternNode root, std::size_t batch, std::size_t head, std::size_t queries, std::size_t keys,
              Workspace& workspace) noexcept;

  [[nodiscard]] std::size_t parts() const noexcept { return parts_; }
  [[nodiscard]] const QueryOrder& order(std::size_t part) const noexcept { return orders_[part_orders_[part]]; }

  /// Whether all queries of one class of the part's order are known to have the same new keys in it.
  [[nodiscard]] bool is_uniform(std::size_t part) const noexcept;

  /// The row's keys in a range, in all parts together. They are valid until the next call.
  const KeySpans& keys_of(std::int64_t p, KeyRange range) noexcept;

  /// Those that the row has in this part and in none before it.
  const KeySpans& new_keys_of(std::int64_t p, KeyRange range, std::size_t part) noexcept;

  /// The biased Lists whose bias counts: those that are not in a complement. Calls visit(PatternNode).
  template <class Visit>
  void for_each_bias(Visit visit) const noexcept {
    for (std::size_t index = 0; index < count_; ++index) {
      if (nodes_[index].node.op() == PatternOp::Lists && nodes_[index].node.operand(5) != 0 && !nodes_[index].complemented) {
        visit(nodes_[index].node);
      }
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
  /// The row's range as far as those children of an intersection allow that are one span.
  KeyRange range_within(std::size_t index, const PatternRow& row) noexcept;
  /// out <- the keys of the node, of its parts in `orders`; uses the lists from `level` on.
  void evaluate(std::size_t index, const PatternRow& row, std::uint32_t orders, std::size_t level, KeySpans& out) noexcept;

  Node* nodes_ = nullptr;
  std::size_t count_ = 0;
  std::size_t batch_, head_, keys_;
  std::array<QueryOrder, kMostOrders> orders_{};
  std::size_t order_count_ = 0;
  std::array<std::uint32_t, kMostOrders> part_orders_{};
  std::size_t parts_ = 0;
  KeySpan* lists_ = nullptr;  // of room for any set of keys each: two for every level, and two
  std::size_t list_spans_ = 0;
  std::uint32_t* scratch_ = nullptr;
  std::array<KeySpans, 3> results_;
};

}  // namespace fovea
