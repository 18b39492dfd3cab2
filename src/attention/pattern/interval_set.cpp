#include "attention/pattern/interval_set.hpp"

#include <algorithm>

namespace fovea {

std::size_t IntervalSet::keys() const noexcept {
  std::size_t sum = 0;
  for (const Interval& interval : *this) sum += interval.to - interval.from;
  return sum;
}

void unite(const IntervalSet& a, const IntervalSet& b, IntervalSet& out) noexcept {
  out.clear();
  const Interval *left = a.begin(), *right = b.begin();
  while (left != a.end() || right != b.end()) {
    const bool take_left = right == b.end() || (left != a.end() && left->from <= right->from);
    const Interval& next = take_left ? *left++ : *right++;
    out.add(next.from, next.to);
  }
}

void intersect(const IntervalSet& a, const IntervalSet& b, IntervalSet& out) noexcept {
  out.clear();
  const Interval *left = a.begin(), *right = b.begin();
  while (left != a.end() && right != b.end()) {
    out.add(std::max(left->from, right->from), std::min(left->to, right->to));
    (left->to < right->to ? left : right)++;
  }
}

void subtract(const IntervalSet& a, const IntervalSet& b, IntervalSet& out) noexcept {
  out.clear();
  const Interval* hole = b.begin();
  for (const Interval& interval : a) {
    std::uint32_t from = interval.from;
    while (hole != b.end() && hole->to <= from) ++hole;
    for (const Interval* h = hole; h != b.end() && h->from < interval.to; ++h) {
      out.add(from, std::min(h->from, interval.to));
      from = std::max(from, h->to);
    }
    out.add(from, interval.to);
  }
}

}  // namespace fovea
