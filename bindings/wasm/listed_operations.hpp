#pragma once
/// The operations that a list of calls may hold, for calls that are made again and again. Each takes the address of its block and
/// is defined in the file of its subject.

#include <cstdint>

namespace fovea {

enum class ListedOperation : std::uint32_t {
  TableRows,
  UnpackWeights,
  RowNorm,
  Matmul,
  Rotary,
  AppendRows,
  Attention,
  Arithmetic,
  Gate,
  Activation,
};

namespace wasm {

std::uint32_t run_table_rows(std::uint32_t block);
std::uint32_t run_unpack_weights(std::uint32_t block);
std::uint32_t run_row_norm(std::uint32_t block);
std::uint32_t run_matmul(std::uint32_t block);
std::uint32_t run_rotary(std::uint32_t block);
std::uint32_t run_append_rows(std::uint32_t block);
std::uint32_t run_attention(std::uint32_t block);
std::uint32_t run_arithmetic(std::uint32_t block);
std::uint32_t run_gate(std::uint32_t block);
std::uint32_t run_activation(std::uint32_t block);

}  // namespace wasm
}  // namespace fovea
