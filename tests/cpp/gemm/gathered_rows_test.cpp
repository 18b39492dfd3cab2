/// Products with rows wherever they lie.

#include "gemm/gathered_rows.hpp"

#include "support/random.hpp"
#include "support/slab.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kTokens = 90;

/// Rows of `width`, of which `count` are listed, what is not listed being loud; the last row ends where the memory ends.
struct Listed {
  Listed(std::size_t count, std::size_t width, std::size_t gap, Random& random)
      : rows(1, 1, kTokens, width, kNan, Layout::Bhtd, {random.size(0, 3), gap, 0, 0}) {
    std::vector<std::uint32_t> tokens;
    for (std::uint32_t token = 0; token < kTokens; ++token) tokens.push_back(token);
    while (tokens.size() > count) tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(random.size(0, tokens.size() - 1)));
    list = tokens;
    list.shrink_to_fit();
    for (const std::uint32_t token : list)
      for (std::size_t d = 0; d < width; ++d) rows.at(0, 0, token, d) = random.normal();
  }

  SourceRows source() const { return {rows.data(), rows.view().token, list.data()}; }
  float at(std::size_t n, std::size_t d) const { return rows.at(0, 0, list[n], d); }

  Slab<float> rows;
  std::vector<std::uint32_t> list;
};

const std::vector<std::size_t> kCounts = {1, 2, 3, 4, 5, 7, 8, 31, 63, 64};
const std::vector<std::size_t> kWidths = {1, 2, 3, 4, 5, 7, 15, 16, 17, 33, 80};

}  // namespace

TEST(ListedRows, TheProductsAreTheDefinitionsAndAtMostThreeEntriesAfterThemAreOverwritten) {
  Random random(41);
  for (const std::size_t count : kCounts)
    for (const std::size_t width : kWidths) {
      const Listed listed(count, width, random.size(0, 3), random);
      std::vector<float> x(width), out(count + 8, kPoison);
      for (float& value : x) value = random.normal();
      gathered_dots(x.data(), listed.source(), count, width, out.data());
      Oracle oracle;
      for (std::size_t n = 0; n < count; ++n) {
        double sum = 0, terms = 0;
        float plain = 0;
        for (std::size_t d = 0; d < width; ++d) {
          const double product = static_cast<double>(x[d]) * static_cast<double>(listed.at(n, d));
          sum += product;
          terms += std::abs(product);
          plain += x[d] * listed.at(n, d);
        }
        oracle.truth.push_back(sum);
        oracle.plain.push_back(plain);
        oracle.scale.push_back(terms);
      }
      oracle.line = count;
      ASSERT_TRUE(within_tolerance(std::span(out).first(count), oracle)) << count << " rows of " << width;
      ASSERT_TRUE(all_poison(std::span(out).subspan((count + 3) / 4 * 4))) << count << " rows of " << width;
    }
}

TEST(ListedRows, TheSumsAreOfTheChosenRowsAloneAndTheOthersAreNotRead) {
  Random random(42);
  for (const std::size_t count : kCounts)
    for (const std::size_t width : kWidths) {
      Listed listed(count, width, random.size(0, 3), random);
      // Bits past the last row are to be ignored.
      const std::uint64_t chosen = random.pick(std::vector<std::uint64_t>{0, ~std::uint64_t{0}, random.bits(), random.bits()});
      std::vector<float> p(count), o(width), out(width + 4, kPoison);
      for (std::size_t n = 0; n < count; ++n) {
        const bool is_chosen = (chosen >> n & 1) != 0;
        p[n] = is_chosen ? random.uniform(0, 1) : kNan;
        for (std::size_t d = 0; !is_chosen && d < width; ++d) listed.rows.at(0, 0, listed.list[n], d) = kInfinity;
      }
      for (std::size_t d = 0; d < width; ++d) out[d] = o[d] = random.normal();
      gathered_axpy(p.data(), chosen, listed.source(), count, width, out.data());
      Oracle oracle;
      for (std::size_t d = 0; d < width; ++d) {
        auto sum = static_cast<double>(o[d]), terms = std::abs(sum);
        float plain = o[d];
        for (std::size_t n = 0; n < count; ++n) {
          if ((chosen >> n & 1) == 0) continue;
          const double product = static_cast<double>(p[n]) * static_cast<double>(listed.at(n, d));
          sum += product;
          terms += std::abs(product);
          plain += p[n] * listed.at(n, d);
        }
        oracle.truth.push_back(sum);
        oracle.plain.push_back(plain);
        oracle.scale.push_back(terms);
      }
      oracle.line = width;
      ASSERT_TRUE(within_tolerance(std::span(out).first(width), oracle)) << count << " rows of " << width;
      ASSERT_TRUE(all_poison(std::span(out).subspan(width))) << count << " rows of " << width;
    }
}

TEST(ListedRows, RowsThatFollowEachOtherGiveTheBitsOfTheSameRowsListed) {
  Random random(43);
  const std::size_t width = 19;
  Listed listed(kTokens, width, 2, random);
  std::vector<float> x(width, 0.5f), p(64, 0.25f), by_list(64), by_place(64), sum_by_list(width), sum_by_place(width);
  const SourceRows place = {listed.rows.data(), listed.rows.view().token};
  gathered_dots(x.data(), listed.source().from(9), 64, width, by_list.data());
  gathered_dots(x.data(), place.from(9), 64, width, by_place.data());
  EXPECT_TRUE(same_bits(std::span<const float>(by_list), std::span<const float>(by_place)));
  gathered_axpy(p.data(), 0x123456789ABCDEFu, listed.source().from(9), 64, width, sum_by_list.data());
  gathered_axpy(p.data(), 0x123456789ABCDEFu, place.from(9), 64, width, sum_by_place.data());
  EXPECT_TRUE(same_bits(std::span<const float>(sum_by_list), std::span<const float>(sum_by_place)));
}

}  // namespace fovea::test
