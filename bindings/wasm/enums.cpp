/// The core's enums have the numbers that bindings/abi.mjs gives them: this file compiles, or they differ.

#include "attention/attention.hpp"
#include "attention/multi_dimensional/multi_dimensional.hpp"
#include "attention/pattern/program.hpp"
#include "gemm/matmul.hpp"
#include "linear_attention/linear_attention.hpp"
#include "listed_operations.hpp"
#include "ops/activations.hpp"
#include "ops/arithmetic.hpp"
#include "ops/elementary.hpp"
#include "ops/pooling.hpp"
#include "ops/positions.hpp"
#include "ops/recurrent.hpp"
#include "ops/row_norm.hpp"
#include "ops/softmax.hpp"
// After the enums that it checks.
#include "enums.hpp"
