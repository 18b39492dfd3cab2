#include "ops/positions.hpp"

#include <algorithm>
#include <cmath>

#include "ops/listed_rows.hpp"

namespace fovea {

void sinusoidal(SinusoidalForm form, double base, std::int32_t start, std::size_t tokens, std::size_t width,
                float* out) noexcept {
  const bool is_tensor2tensor = form == SinusoidalForm::Tensor2Tensor;
  const std::size_t sines = is_tensor2tensor ? width / 2 : (width + 1) / 2;
  const double steps = is_tensor2tensor ? std::max(1.0, static_cast<double>(sines) - 1) : static_cast<double>(width) / 2;
  const std::size_t apart = form == SinusoidalForm::Interleaved ? 2 : 1;
  const std::size_t cosine = form == SinusoidalForm::Interleaved ? 1 : sines;  // from the sine of the same angle
  for (std::size_t i = 0; i < sines; ++i) {
    const double frequency = std::pow(base, -static_cast<double>(i) / steps);
    const std::size_t at = i * apart;
    for (std::size_t t = 0; t < tokens; ++t) {
      const double angle = (static_cast<double>(start) + static_cast<double>(t)) * frequency;
      out[t * width + at] = static_cast<float>(std::sin(angle));
      if (at + cosine < width) out[t * width + at + cosine] = static_cast<float>(std::cos(angle));
    }
  }
  if (!is_tensor2tensor || width % 2 == 0) return;
  for (std::size_t t = 0; t < tokens; ++t) out[t * width + width - 1] = 0.0f;
}

Status table_rows(const float* table, std::size_t rows, std::size_t width, const std::int32_t* ids, std::int32_t start,
                  std::size_t tokens, float* out) noexcept {
  if (ids != nullptr) return take_rows({1, rows, width, ids, tokens, table, out});
  if (tokens == 0) return Status::Ok;
  if (start < 0 || tokens > rows || static_cast<std::size_t>(start) > rows - tokens) return Status::Value;
  std::copy_n(table + static_cast<std::size_t>(start) * width, tokens * width, out);
  return Status::Ok;
}

}  // namespace fovea
