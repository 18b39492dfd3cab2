#pragma once
/// Compiled once for all test files: GoogleTest and the standard headers that every one of them uses.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <xsimd/xsimd.hpp>
