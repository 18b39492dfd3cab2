#include "attention/pattern/tree.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fovea {
namespace {

constexpr std::size_t kLevelLists = 2, kResultLists = 3;

std::size_t nodes_of(PatternNode node) noexcept {
  if (node.op() < PatternOp::Or) return 1;
  std::size_t count = 1;
  PatternNode child = node.first_child();
  for (std::size_t index = 0; index < node.children(); ++index, child = child.next()) count += nodes_of(child);
  return count;
}

/// The most intervals of a row of the node: a union or intersection has no more than its children together, a complement one
/// more than its child.
std::uint64_t max_intervals_of(PatternNode node, std::size_t head, std::size_t keys) noexcept {
  const std::uint64_t most = IntervalSet::max_intervals(keys);
  if (node.op() < PatternOp::Or) return max_intervals(node, keys);
  if (node.op() == PatternOp::PerHead) return max_intervals_of(node.child(head), head, keys);
  std::uint64_t count = node.op() == PatternOp::Not ? 1 : 0;
  PatternNode child = node.first_child();
  for (std::size_t index = 0; index < node.children(); ++index, child = child.next()) {
    count += max_intervals_of(child, head, keys);
  }
  return std::min(count, most);
}

std::size_t scratch_words_of(PatternNode node, std::size_t head, std::size_t keys) noexcept {
  if (node.op() < PatternOp::Or) return scratch_words(node, keys);
  if (node.op() == PatternOp::PerHead) return scratch_words_of(node.child(head), head, keys);
  std::size_t words = 0;
  PatternNode child = node.first_child();
  for (std::size_t index = 0; index < node.children(); ++index, child = child.next()) {
    words = std::max(words, scratch_words_of(child, head, keys));
  }
  return words;
}

std::size_t lists_of(PatternNode root) noexcept { return kLevelLists * pattern_depth(root) + kResultLists; }

}  // namespace

PatternTree::PatternTree(PatternNode root, std::size_t batch, std::size_t head, std::size_t queries, std::size_t keys,
                         Workspace& workspace) noexcept
    : batch_(batch), head_(head), keys_(keys) {
  nodes_ = workspace.take<Node>(nodes_of(root));
  // A part less the parts before it has as many intervals as both together; one more is added behind.
  list_intervals_ = static_cast<std::size_t>(
      std::min<std::uint64_t>(2 * max_intervals_of(root, head, keys) + 1, IntervalSet::max_intervals(keys)));
  lists_ = workspace.take<Interval>(lists_of(root), list_intervals_);
  scratch_ = workspace.take<std::uint32_t>(scratch_words_of(root, head, keys));
  if (!workspace.sufficed()) return;
  for (std::size_t n = 0; n < kResultLists; ++n) {
    results_[n] = IntervalSet(lists_ + (kLevelLists * pattern_depth(root) + n) * list_intervals_);
  }
  enter(root, false);
  // The natural order comes last: in the others, what is left of it would break blocks that are full.
  const std::uint32_t wanted = orders_of(0, queries);
  for (std::uint32_t left = wanted & ~std::uint32_t{1}; left != 0; left &= left - 1) {
    part_orders_[parts_++] = static_cast<std::uint32_t>(std::countr_zero(left));
  }
  if ((wanted & 1) != 0) part_orders_[parts_++] = 0;
}

/// Appends the node's subtree, of Heads the one head's.
void PatternTree::enter(PatternNode node, bool complemented) noexcept {
  if (node.op() == PatternOp::PerHead) return enter(node.child(head_), complemented);
  const std::size_t index = count_++;
  nodes_[index] = {node, 0, 0, 0, complemented};
  if (node.op() >= PatternOp::Or) {
    PatternNode child = node.first_child();
    for (std::size_t n = 0; n < node.children(); ++n, child = child.next()) {
      enter(child, complemented || node.op() == PatternOp::Not);
    }
  }
  nodes_[index].end = static_cast<std::uint32_t>(count_);
}

std::uint32_t PatternTree::order_bit(const QueryOrder& order) noexcept {
  for (std::size_t index = 0; index < order_count_; ++index) {
    if (orders_[index] == order) return std::uint32_t{1} << index;
  }
  // The first is the natural order, which serves those that find no room.
  if (order_count_ == 0) order_count_ = 1;
  if (order.kind == QueryOrder::Kind::Natural || order_count_ == kMostOrders) return 1;
  orders_[order_count_] = order;
  return std::uint32_t{1} << order_count_++;
}

std::uint32_t PatternTree::orders_of(std::size_t index, std::size_t queries) noexcept {
  Node& node = nodes_[index];
  if (node.node.op() < PatternOp::Or) return node.orders = order_bit(preferred_order(node.node, queries));
  const std::uint32_t natural = order_bit({});
  std::uint32_t all = 0, one = 0;  // `one`: the first order that a child wants as a whole
  for (std::uint32_t child = static_cast<std::uint32_t>(index) + 1; child < node.end; child = nodes_[child].end) {
    const std::uint32_t theirs = orders_of(child, queries);
    all |= theirs;
    if (std::has_single_bit(theirs)) {
      if (one == 0 && theirs != natural) one = theirs;
    } else if (node.split == 0) {
      node.split = child;
    }
  }
  if (node.node.op() == PatternOp::Or) return node.orders = all;
  if (node.node.op() == PatternOp::Not) one = natural;
  if (node.node.op() == PatternOp::Not || one != 0) node.split = 0;
  return node.orders = node.split != 0 ? nodes_[node.split].orders : one != 0 ? one : natural;
}

bool PatternTree::is_uniform(std::size_t index, const QueryOrder& order, std::uint32_t orders) const noexcept {
  const Node& node = nodes_[index];
  if (node.node.op() < PatternOp::Or) return fovea::is_uniform(node.node, order);
  for (std::size_t child = index + 1; child < node.end; child = nodes_[child].end) {
    if (is_computed(node, child, orders) && !is_uniform(child, order, orders_within(node, child, orders))) return false;
  }
  return true;
}

bool PatternTree::is_uniform(std::size_t part) const noexcept {
  return part == 0 && is_uniform(0, order(part), std::uint32_t{1} << part_orders_[part]);
}

bool PatternTree::is_computed(const Node& node, std::size_t child, std::uint32_t orders) const noexcept {
  return node.node.op() != PatternOp::Or || (nodes_[child].orders & orders) != 0;
}

std::uint32_t PatternTree::orders_within(const Node& node, std::size_t child, std::uint32_t orders) const noexcept {
  return node.node.op() == PatternOp::Or || child == node.split ? orders : kAllOrders;
}

void PatternTree::evaluate(std::size_t index, const PatternRow& row, std::uint32_t orders, std::size_t level,
                           IntervalSet& out) noexcept {
  const Node& node = nodes_[index];
  const PatternOp op = node.node.op();
  if (op < PatternOp::Or) return leaf_keys(node.node, row, out, scratch_);
  IntervalSet one(lists_ + kLevelLists * level * list_intervals_), other(lists_ + (kLevelLists * level + 1) * list_intervals_);
  if (op == PatternOp::Not) {
    evaluate(index + 1, row, kAllOrders, level + 1, other);
    one.add(row.range);
    return subtract(one, other, out);
  }
  PatternRow inner = row;
  if (op == PatternOp::And) inner.range = range_within(index, row);
  std::size_t left = 0;
  for (std::size_t child = index + 1; child < node.end; child = nodes_[child].end) left += is_computed(node, child, orders);
  // Every step writes to the other of two lists, the last one to `out`.
  bool first = true;
  for (std::size_t child = index + 1; child < node.end; child = nodes_[child].end) {
    if (!is_computed(node, child, orders)) continue;
    IntervalSet &target = left % 2 == 1 ? out : other, &sofar = left % 2 == 1 ? other : out;
    evaluate(child, inner, orders_within(node, child, orders), level + 1, first ? target : one);
    if (!first) (op == PatternOp::Or ? unite : intersect)(sofar, one, target);
    first = false;
    --left;
  }
}

KeyRange PatternTree::range_within(std::size_t index, const PatternRow& row) noexcept {
  PatternRow within = row;
  Interval interval{};
  for (std::size_t child = index + 1; child < nodes_[index].end; child = nodes_[child].end) {
    if (!is_interval(nodes_[child].node.op())) continue;
    IntervalSet one(&interval);
    leaf_keys(nodes_[child].node, within, one, scratch_);
    within.range = one.empty() ? KeyRange{0, 0} : KeyRange{interval.from, interval.to};
  }
  return within.range;
}

IntervalSet& PatternTree::keys_of(std::int64_t p, KeyRange range) noexcept {
  evaluate(0, row(p, range), kAllOrders, 0, results_[0]);
  return results_[0];
}

IntervalSet& PatternTree::new_keys_of(std::int64_t p, KeyRange range, std::size_t part) noexcept {
  std::uint32_t before = 0;
  for (std::size_t n = 0; n < part; ++n) before |= std::uint32_t{1} << part_orders_[n];
  evaluate(0, row(p, range), std::uint32_t{1} << part_orders_[part], 0, results_[0]);
  if (before == 0 || results_[0].empty()) return results_[0];
  // Only keys between the first and the last of this part can be taken out of the parts before.
  evaluate(0, row(p, {results_[0].begin()->from, results_[0].end()[-1].to}), before, 0, results_[1]);
  subtract(results_[0], results_[1], results_[2]);
  return results_[2];
}

}  // namespace fovea
