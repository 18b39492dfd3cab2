#pragma once
/// Reading ahead of linear attention that goes through its tokens in order.

#include <cstddef>

#include "linear_attention/linear_attention.hpp"

namespace fovea {

/// Reads a word of each line of the queries, keys, values and decays of the next tokens of [from, end); returns how many.
/// `kept` is a float that nobody looks at: without it the reads would be left out.
std::size_t prefetch_tokens(const LinearArgs& args, std::size_t batch, std::size_t kv_head, std::size_t from, std::size_t end,
                            float* kept) noexcept;

}  // namespace fovea
