#pragma once
/// How threads share out a product: parts of its rows and columns. No element depends on it.

#include <algorithm>
#include <cstddef>

#include "core/thread_pool.hpp"

namespace fovea {

struct ProductSizes {
  std::size_t rows, columns, depth;
};

/// Rows [row, row + rows) × columns [column, column + columns) of the result.
struct GridTask {
  std::size_t row, rows, column, columns;
};

/// The limits that a kernel sets to its tasks.
struct GridRules {
  std::size_t most_rows;  // of one task
  std::size_t row_panel;  // rows come in multiples of it
  bool splits_rows;       // before columns: where a part of them costs no packing of B
};

class TaskGrid {
 public:
  TaskGrid(const ProductSizes& sizes, const GridRules& rules, std::size_t threads) noexcept
      : sizes_(sizes),
        rows_(std::min(rules.most_rows, std::max<std::size_t>(sizes.rows, 1))),
        columns_(std::max<std::size_t>(sizes.columns, 1)) {
    if (threads <= 1 || sizes.rows == 0 || is_short_work(std::max(sizes.rows, kReadRows), sizes.columns, sizes.depth)) return;
    const std::size_t wanted = kTasksPerThread * threads;
    if (rules.splits_rows) {
      const std::size_t least = std::max(kLeastRows, up(divide_up(sizes.rows, wanted), rules.row_panel));
      rows_ = std::min(rows_, least);
    }
    const std::size_t parts = divide_up(wanted, divide_up(sizes.rows, rows_));
    columns_ = std::max(kLeastColumns, up(divide_up(sizes.columns, parts), kLeastColumns));
  }

  [[nodiscard]] std::size_t tasks() const noexcept {
    return divide_up(sizes_.rows, rows_) * divide_up(sizes_.columns, columns_);
  }

  [[nodiscard]] GridTask task(std::size_t index) const noexcept {
    const std::size_t across = divide_up(sizes_.columns, columns_);
    const std::size_t row = index / across * rows_, column = index % across * columns_;
    return {row, std::min(rows_, sizes_.rows - row), column, std::min(columns_, sizes_.columns - column)};
  }

 private:
  static constexpr std::size_t kReadRows = 5;  // reading B takes as long as multiplying it by this many rows
  static constexpr std::size_t kTasksPerThread = 2;
  static constexpr std::size_t kLeastRows = 24;
  static constexpr std::size_t kLeastColumns = 64;

  static constexpr std::size_t divide_up(std::size_t n, std::size_t by) noexcept { return n / by + (n % by != 0 ? 1 : 0); }
  static constexpr std::size_t up(std::size_t n, std::size_t multiple) noexcept { return divide_up(n, multiple) * multiple; }

  ProductSizes sizes_;
  std::size_t rows_, columns_;
};

}  // namespace fovea
