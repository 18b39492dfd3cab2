#pragma once
/// What the module's exports share: its one workspace, its one pool, and addresses as pointers.

#include <cstddef>
#include <cstdint>

#include "arena.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"

namespace fovea::wasm {

inline Arena arena;
inline constinit ThreadPool pool;

template <class T>
T* pointer(std::uint32_t address) noexcept {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

inline std::uint32_t address(const void* p) noexcept { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(p)); }

template <class Run>
std::uint32_t with_workspace(std::size_t floats, Run run) noexcept {
  const Status status = arena.reserve(floats) ? run(arena.workspace()) : Status::Memory;
  return static_cast<std::uint32_t>(status);
}

}  // namespace fovea::wasm
