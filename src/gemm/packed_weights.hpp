#pragma once
/// A right factor packed once for many products: whole column panels, [N/8][K][8], the columns beyond N zeros. The product
/// (gemm/matmul.hpp) reads them as they lie, whatever the number of rows.

#include <cstddef>
#include <cstdint>

#include "core/view.hpp"

namespace fovea {

/// Packs B [K', N'], a part of the rows and columns of a whole that begins at a multiple of 8 columns. `panels` is the place of its
/// first element, `panel_stride` = 8 K of the whole. B has unit stride along one of its axes.
void pack_weights(const MatrixView<const float>& b, float* panels, std::size_t panel_stride) noexcept;

/// out[k][i] <- b[k][columns[i]], columns `first`, first + 1, … where there is no list. K is out.rows, `panel_stride` as above.
void unpack_weights(const float* panels, std::size_t panel_stride, std::size_t first, const std::uint32_t* columns,
                    const MatrixView<float>& out) noexcept;

}  // namespace fovea
