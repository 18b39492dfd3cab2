#include "ops/positions.hpp"

#include <algorithm>
#include <cmath>

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
  const auto id_of = [&](std::size_t t) {
    return ids != nullptr ? std::int64_t{ids[t]} : std::int64_t{start} + static_cast<std::int64_t>(t);
  };
  for (std::size_t t = 0; t < tokens; ++t) {
    if (id_of(t) < 0 || id_of(t) >= static_cast<std::int64_t>(rows)) return Status::Value;
  }
  for (std::size_t t = 0; t < tokens; ++t) {
    std::copy_n(table + static_cast<std::size_t>(id_of(t)) * width, width, out + t * width);
  }
  return Status::Ok;
}

}  // namespace fovea
