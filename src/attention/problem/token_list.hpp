#pragma once
/// Queries or keys by number: consecutive from `first` on, or the ones of an index list.

#include <cstddef>
#include <cstdint>

namespace fovea {

struct TokenList {
  std::size_t first = 0, count = 0;
  const std::uint32_t* list = nullptr;  // [count]; null: consecutive

  [[nodiscard]] std::size_t at(std::size_t index) const noexcept { return list != nullptr ? list[index] : first + index; }

  /// `length` of them from `index` on.
  [[nodiscard]] TokenList part(std::size_t index, std::size_t length) const noexcept {
    if (list != nullptr) return {0, length, list + index};
    return {first + index, length};
  }
};

}  // namespace fovea
