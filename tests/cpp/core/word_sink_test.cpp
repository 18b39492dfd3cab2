/// Words one after another, through memory that moves and memory that is refused.

#include "core/word_sink.hpp"

#include "support/sparse.hpp"

namespace fovea::test {

TEST(WordSink, WordsSurviveEveryMoveOfTheirMemory) {
  GrowingWords memory;
  WordSink sink = memory.sink();
  for (std::uint32_t n = 0; n < 5000; ++n) sink.put(n * n);
  ASSERT_EQ(sink.size(), 5000u);
  EXPECT_GT(memory.times_grown(), 100u);
  for (std::uint32_t n = 0; n < 5000; ++n) ASSERT_EQ(sink.words()[n], n * n);
  EXPECT_FALSE(sink.failed());
}

TEST(WordSink, AWordThatIsLeftIsZeroUntilItIsSet) {
  GrowingWords memory;
  WordSink sink = memory.sink();
  for (std::uint32_t n = 0; n < 20; ++n) {
    ASSERT_EQ(sink.reserve_slot(), 2 * n);
    ASSERT_EQ(sink.words()[2 * n], 0u);
    sink.put(7);
  }
  sink.set(4, 99);
  EXPECT_EQ(sink.words()[4], 99u);
  EXPECT_EQ(sink.words()[5], 7u);
}

TEST(WordSink, RefusedMemoryIsRememberedAndWhatWasThereStays) {
  for (const std::size_t limit : {0u, 7u, 14u, 700u}) {
    GrowingWords memory(limit);
    WordSink sink = memory.sink();
    std::size_t kept = 0;
    for (std::uint32_t n = 0; n < 1000; ++n) {
      sink.put(n);
      if (!sink.failed()) kept = n + 1;
    }
    ASSERT_TRUE(sink.failed());
    ASSERT_EQ(kept, limit / 7 * 7);
    ASSERT_EQ(sink.size(), kept);
    sink.set(sink.reserve_slot(), 5);  // nowhere
    sink.put(1);
    ASSERT_EQ(sink.size(), kept);
    for (std::uint32_t n = 0; n < kept; ++n) ASSERT_EQ(sink.words()[n], n);
  }
}

TEST(WordSink, MemoryIsAskedForInStepsThatGrow) {
  static std::vector<std::size_t> wanted;
  static std::vector<std::uint32_t> memory;
  wanted.clear();
  const auto grow = [](std::uint32_t*& words, std::size_t& capacity, std::size_t asked) {
    wanted.push_back(asked);
    memory.resize(asked);
    words = memory.data();
    capacity = asked;
    return true;
  };
  WordSink sink(nullptr, 0, grow);
  for (std::uint32_t n = 0; n < 20000; ++n) sink.put(n);
  EXPECT_LT(wanted.size(), 12u);
  for (std::size_t n = 1; n < wanted.size(); ++n) EXPECT_GE(wanted[n], wanted[n - 1] + wanted[n - 1] / 2);
}

}  // namespace fovea::test
