#include "gemm/matmul_backward.hpp"

#include <algorithm>

#include "gemm/column_sums.hpp"
#include "gemm/matmul.hpp"
#include "gemm/packed_weights.hpp"
#include "gemm/panels.hpp"
#include "gemm/transposed_product.hpp"
#include "simd/map_onto.hpp"

namespace fovea {
namespace {

constexpr std::size_t kRows = 528;  // of d_a, whose product is in scratch: four row blocks of matmul
constexpr std::size_t kAdded = 64;  // rows of one task

/// Bᵀ is packed once for all of matmul's row blocks where these are several, and it is at most as large.
constexpr std::size_t kPackedRows = 132, kPackedFloats = std::size_t{1} << 18;

template <class T>
MatrixView<T> transposed(const MatrixView<T>& of) noexcept {
  return {of.data, of.columns, of.rows, of.column_stride, of.row_stride};
}

template <class T>
MatrixView<T> rows_of(const MatrixView<T>& of, std::size_t first, std::size_t count) noexcept {
  return {of.at(first, 0), count, of.columns, of.row_stride, of.column_stride};
}

std::size_t packed_floats(const MatmulBackwardArgs& args) noexcept {
  if (args.d_a.data == nullptr || args.a.rows <= kPackedRows || args.b.rows > kPackedFloats) return 0;
  const std::size_t floats = round_up(args.b.rows, kNr) * args.b.columns;
  return args.b.columns > kPackedFloats || floats > kPackedFloats ? 0 : floats;
}

struct Scratch {
  float* product;  // [kRows][K]: of dC Bᵀ, where it is added
  float* packed;   // Bᵀ, or null
  Workspace multiply;

  Scratch(const MatmulBackwardArgs& args, std::size_t threads, Workspace& workspace) noexcept
      : product(
            workspace.take<float>(args.d_a.data == nullptr || args.fresh_a ? 0 : std::min(kRows, args.a.rows), args.a.columns)),
        packed(packed_floats(args) == 0 ? nullptr : workspace.take<float>(packed_floats(args))),
        multiply(workspace.cut(std::max(matmul_workspace_bytes(threads), transposed_product_workspace_bytes(threads)))) {}
};

Status add_to_a(const MatmulBackwardArgs& args, const Scratch& scratch, ThreadPool* pool) noexcept {
  RightFactor right = transposed(args.b);
  if (scratch.packed != nullptr) {
    pack_weights(right.view, scratch.packed, kNr * right.view.rows);
    right = {{scratch.packed, right.view.rows, right.view.columns}, WeightFormat::Panels};
  }
  if (args.fresh_a) return matmul(args.d_c, right, nullptr, args.d_a, scratch.multiply, pool);
  const std::size_t columns = args.a.columns;
  for (std::size_t first = 0; first < args.a.rows; first += kRows) {
    const std::size_t count = std::min(kRows, args.a.rows - first);
    const MatrixView<float> product = {scratch.product, count, columns, static_cast<std::ptrdiff_t>(columns)};
    const Status status = matmul(rows_of(args.d_c, first, count), right, nullptr, product, scratch.multiply, pool);
    if (status != Status::Ok) return status;
    // Rows of stride 0 are one: then they are added in order, by one thread.
    const bool is_short = args.d_a.row_stride == 0 || is_short_work(count, columns);
    parallel_for(is_short ? nullptr : pool, (count + kAdded - 1) / kAdded, [&](std::size_t task, std::size_t) {
      for (std::size_t r = task * kAdded; r < std::min(count, (task + 1) * kAdded); ++r) {
        add_onto(args.d_a.at(first + r, 0), columns, product.at(r, 0));
      }
    });
  }
  return Status::Ok;
}

Status add_to_b(const MatmulBackwardArgs& args, const Scratch& scratch, ThreadPool* pool) noexcept {
  if (args.b.column_stride != 1)
    return transposed_product(args.d_c, args.a, transposed(args.d_b), args.fresh_b, scratch.multiply, pool);
  return transposed_product(args.a, args.d_c, args.d_b, args.fresh_b, scratch.multiply, pool);
}

template <class A, class B>
bool are_alike(const MatrixView<A>& a, const MatrixView<B>& b) noexcept {
  return a.rows == b.rows && a.columns == b.columns && a.row_stride == b.row_stride && a.column_stride == b.column_stride;
}

bool are_valid(const MatmulBackwardArgs& args) noexcept {
  if (args.a.columns != args.b.rows || args.d_c.rows != args.a.rows || args.d_c.columns != args.b.columns) return false;
  if (args.a.column_stride != 1 || args.d_c.column_stride != 1) return false;
  if (args.b.column_stride != 1 && args.b.row_stride != 1) return false;
  return (args.d_a.data == nullptr || are_alike(args.d_a, args.a)) && (args.d_b.data == nullptr || are_alike(args.d_b, args.b));
}

}  // namespace

std::uint64_t matmul_backward_workspace_bytes(const MatmulBackwardArgs& args, std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { Scratch(args, threads, workspace); });
}

Status matmul_backward(const MatmulBackwardArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (!are_valid(args)) return Status::Shape;
  const Scratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  Status status = Status::Ok;
  if (args.d_a.data != nullptr) status = add_to_a(args, scratch, pool);
  if (args.d_b.data != nullptr && status == Status::Ok) status = add_to_b(args, scratch, pool);
  if (args.d_bias != nullptr && status == Status::Ok) add_column_sums(args.d_c, args.d_bias, pool);
  return status;
}

}  // namespace fovea
