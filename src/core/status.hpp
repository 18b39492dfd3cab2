#pragma once
/// The outcomes of a call into the core: the only list of error codes. JavaScript reads their names from here.

#include <cstdint>
#include <string_view>

namespace fovea {

enum class Status : std::uint32_t { Ok, Shape, Value, Option, Disposed, Memory, Load, Internal };

inline constexpr std::uint32_t kStatusCount = 8;

constexpr std::string_view to_string(Status status) noexcept {
  switch (status) {
    case Status::Ok: return "ok";
    case Status::Shape: return "shape";
    case Status::Value: return "value";
    case Status::Option: return "option";
    case Status::Disposed: return "disposed";
    case Status::Memory: return "memory";
    case Status::Load: return "load";
    case Status::Internal: return "internal";
  }
  return "internal";
}

}  // namespace fovea
