#pragma once
/// Shared by the module's exports: the one workspace, its one pool, and addresses as pointers.

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
std::uint32_t with_workspace(std::uint64_t bytes, Run run) noexcept {
  const Status status = arena.reserve(bytes) ? run(arena.workspace()) : Status::Memory;
  arena.trim();
  return static_cast<std::uint32_t>(status);
}

/// The sizes, inputs and output of attention of any kind, which its blocks and arguments name alike.
template <class Block, class Args>
void read_heads(const Block& block, Args& args) noexcept {
  args.batch = block.batch;
  args.heads = block.heads;
  args.kv_heads = block.kv_heads;
  args.queries = block.queries;
  args.keys = block.keys;
  args.width = block.width;
  args.value_width = block.value_width;
  args.q = {block.q, block.q_batch, block.q_head, block.q_token};
  args.k = {block.k, block.k_batch, block.k_head, block.k_token};
  args.v = {block.v, block.v_batch, block.v_head, block.v_token};
  args.output = {block.output, block.output_batch, block.output_head, block.output_token};
}

}  // namespace fovea::wasm
