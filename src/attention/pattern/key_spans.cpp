#include "attention/pattern/key_spans.hpp"

#include <algorithm>

namespace fovea {

std::size_t KeySpans::keys() const noexcept {
  std::size_t sum = 0;
  for (const KeySpan& span : *this) sum += span.to - span.from;
  return sum;
}

void unite(const KeySpans& a, const KeySpans& b, KeySpans& out) noexcept {
  out.clear();
  const KeySpan *left = a.begin(), *right = b.begin();
  while (left != a.end() || right != b.end()) {
    const bool take_left = right == b.end() || (left != a.end() && left->from <= right->from);
    const KeySpan& next = take_left ? *left++ : *right++;
    out.add(next.from, next.to);
  }
}

void intersect(const KeySpans& a, const KeySpans& b, KeySpans& out) noexcept {
  out.clear();
  const KeySpan *left = a.begin(), *right = b.begin();
  while (left != a.end() && right != b.end()) {
    out.add(std::max(left->from, right->from), std::min(left->to, right->to));
    (left->to < right->to ? left : right)++;
  }
}

void subtract(const KeySpans& a, const KeySpans& b, KeySpans& out) noexcept {
  out.clear();
  const KeySpan* hole = b.begin();
  for (const KeySpan& span : a) {
    std::uint32_t from = span.from;
    while (hole != b.end() && hole->to <= from) ++hole;
    for (const KeySpan* h = hole; h != b.end() && h->from < span.to; ++h) {
      out.add(from, std::min(h->from, span.to));
      from = std::max(from, h->to);
    }
    out.add(from, span.to);
  }
}

}  // namespace fovea
