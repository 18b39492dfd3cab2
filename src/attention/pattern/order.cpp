#include "attention/pattern/order.hpp"

#include "gemm/panels.hpp"

namespace fovea {
namespace {

using Kind = QueryOrder::Kind;

QueryOrder order_of(PatternNode leaf) noexcept {
  switch (leaf.op()) {
    case PatternOp::Atrous: return {Kind::Residue, leaf.operand(0)};
    case PatternOp::Axial:
      return leaf.operand(2) == 1 ? QueryOrder{} : QueryOrder{Kind::Line, leaf.operand(1), leaf.operand(2), leaf.operand(0)};
    case PatternOp::Buckets: return {Kind::Bucket, 0, 0, 0, leaf.operands(0)};
    default: return {};
  }
}

PatternNode leaf_of(const std::int32_t* operands) noexcept { return PatternNode(operands - 2); }

}  // namespace

std::size_t QueryOrder::classes() const noexcept {
  switch (kind) {
    case Kind::Natural: return 1;
    case Kind::Residue: return static_cast<std::size_t>(length);
    case Kind::Line: return static_cast<std::size_t>(size / length);
    case Kind::Bucket: return leaf_of(buckets).size(4);
  }
  return 1;
}

std::size_t QueryOrder::class_of(const PatternRow& row) const noexcept {
  switch (kind) {
    case Kind::Natural: return 0;
    case Kind::Residue: return static_cast<std::size_t>(floor_mod(row.p, length));
    case Kind::Line:
      if (row.p < 0 || row.p >= size) return classes();
      return static_cast<std::size_t>(row.p / (length * stride) * stride + row.p % stride);
    case Kind::Bucket: {
      const std::int64_t at = table_row(leaf_of(buckets), row);
      return at < 0 ? classes() : leaf_of(buckets).size(5 + static_cast<std::size_t>(at));
    }
  }
  return 0;
}

QueryOrder preferred_order(PatternNode leaf, std::size_t queries) noexcept {
  const QueryOrder order = order_of(leaf);
  const std::size_t classes = order.classes();
  return classes > 1 && classes <= queries / kMr ? order : QueryOrder{};
}

bool is_uniform(PatternNode leaf, const QueryOrder& order) noexcept {
  switch (leaf.op()) {
    case PatternOp::All:
    case PatternOp::PeriodicKeys: return true;
    case PatternOp::Atrous: return order.kind == Kind::Residue && order.length % leaf.operand(0) == 0;
    case PatternOp::Axial:
    case PatternOp::Buckets: return order.kind != Kind::Natural && order == order_of(leaf);
    default: return false;
  }
}

}  // namespace fovea
