#pragma once
/// The parameter blocks of layers: what stands between and around attention in a network.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// `activation` and its number `parameter`: as ActivationArgs.
struct ActivationBlock {
  std::uint32_t activation;
  float parameter;
  std::uint32_t x;
  std::int32_t x_row;
  std::uint32_t rows, columns, y;
};
inline constexpr std::array kActivationFields = std::to_array<std::string_view>({
    "activation",
    "parameter",
    "x",
    "xRow",
    "rows",
    "columns",
    "y",
});
static_assert(sizeof(ActivationBlock) == 4 * kActivationFields.size());

struct GateBlock {
  std::uint32_t activation;
  float parameter;
  std::uint32_t x, rows, half, y;
};
inline constexpr std::array kGateFields =
    std::to_array<std::string_view>({"activation", "parameter", "x", "rows", "half", "y"});
static_assert(sizeof(GateBlock) == 4 * kGateFields.size());

struct AddBlock {
  std::uint32_t a, b, count, b_count;
  float scale;
  std::uint32_t y;
};
inline constexpr std::array kAddFields = std::to_array<std::string_view>({"a", "b", "count", "bCount", "scale", "y"});
static_assert(sizeof(AddBlock) == 4 * kAddFields.size());

struct RowNormBlock {
  std::uint32_t kind, outer, length, inner, x;
  std::int32_t x_outer;
  std::uint32_t residual, weight, bias;
  float eps;
  std::uint32_t y;
};
inline constexpr std::array kRowNormFields = std::to_array<std::string_view>({
    "kind",
    "outer",
    "length",
    "inner",
    "x",
    "xOuter",
    "residual",
    "weight",
    "bias",
    "eps",
    "y",
});
static_assert(sizeof(RowNormBlock) == 4 * kRowNormFields.size());

struct PoolingBlock {
  std::uint32_t kind, outer, length, out_length, inner, kernel, stride, padding, count_padding, x, y;
};
inline constexpr std::array kPoolingFields = std::to_array<std::string_view>({
    "kind",
    "outer",
    "length",
    "outLength",
    "inner",
    "kernel",
    "stride",
    "padding",
    "countPadding",
    "x",
    "y",
});
static_assert(sizeof(PoolingBlock) == 4 * kPoolingFields.size());

struct Conv1dBlock {
  std::uint32_t batch, in_channels, out_channels, groups, tokens, out_tokens, kernel, stride, dilation, padding, channels_last;
  std::uint32_t x, weight, bias, y;
};
inline constexpr std::array kConv1dFields = std::to_array<std::string_view>({
    "batch",
    "inChannels",
    "outChannels",
    "groups",
    "tokens",
    "outTokens",
    "kernel",
    "stride",
    "dilation",
    "padding",
    "channelsLast",
    "x",
    "weight",
    "bias",
    "y",
});
static_assert(sizeof(Conv1dBlock) == 4 * kConv1dFields.size());

/// A product of matrices whose rows end in an activation; the fields as those of MatmulBlock and ActivationBlock.
struct LinearLayerBlock {
  std::uint32_t rows, inner, columns;
  std::uint32_t a;
  std::int32_t a_row;
  std::uint32_t b;
  std::int32_t b_row, b_column;
  std::uint32_t bias, c, activation;
  float parameter;
};
inline constexpr std::array kLinearLayerFields = std::to_array<std::string_view>({
    "rows",
    "inner",
    "columns",
    "a",
    "aRow",
    "b",
    "bRow",
    "bColumn",
    "bias",
    "c",
    "activation",
    "parameter",
});
static_assert(sizeof(LinearLayerBlock) == 4 * kLinearLayerFields.size());

}  // namespace fovea::wasm
