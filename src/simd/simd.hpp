#pragma once
/// The vocabulary of the kernels. Only this folder includes xsimd.

#include "simd/batch.hpp"
#include "simd/double.hpp"
#include "simd/erf.hpp"
#include "simd/exp.hpp"
#include "simd/float16.hpp"
#include "simd/madd.hpp"
#include "simd/reduce.hpp"
#include "simd/sigmoid.hpp"
#include "simd/tanh.hpp"
