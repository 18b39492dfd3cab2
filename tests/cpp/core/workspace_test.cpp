#include "core/workspace.hpp"

#include "pch.hpp"

namespace fovea::test {
namespace {

constexpr std::uint64_t kHugeCount = std::uint64_t{1} << 40;

}  // namespace

TEST(Workspace, PiecesStartOnLinesAndDoNotOverlap) {
  float memory[256];
  Workspace workspace(memory, sizeof memory);
  EXPECT_EQ(workspace.take<float>(1u), memory);
  EXPECT_EQ(workspace.take<float>(4u, 4u), memory + 16);
  EXPECT_EQ(workspace.take<float>(17u), memory + 32);
  EXPECT_EQ(static_cast<void*>(workspace.take<double>(16u)), memory + 64);
  EXPECT_EQ(workspace.take<float>(1u), memory + 96);
}

TEST(Workspace, TheLastLineCanBeTakenAndNotOneMore) {
  float memory[32];
  Workspace workspace(memory, sizeof memory);
  EXPECT_EQ(workspace.take<float>(16u), memory);
  EXPECT_EQ(workspace.take<float>(16u), memory + 16);
  EXPECT_EQ(workspace.take<float>(1u), nullptr);
}

TEST(Workspace, APieceLargerThanWhatIsLeftIsRefused) {
  float memory[32];
  Workspace workspace(memory, sizeof memory - 1);
  EXPECT_EQ(workspace.take<float>(17u), nullptr);
  EXPECT_EQ(Workspace(memory, 0).take<float>(1u), nullptr);
}

TEST(Workspace, APieceWhoseSizeWouldWrapIsRefused) {
  float memory[32];
  for (const std::uint64_t count : {std::uint64_t{1} << 30, std::uint64_t{1} << 62, kLargestSize}) {
    Workspace workspace(memory, sizeof memory);
    EXPECT_EQ(workspace.take<float>(count), nullptr) << count;
    EXPECT_FALSE(workspace.sufficed());
  }
  Workspace workspace(memory, sizeof memory);
  EXPECT_EQ(workspace.take<float>(kHugeCount, kHugeCount), nullptr);
}

TEST(Workspace, AfterARefusalEveryPieceIsRefused) {
  float memory[64];
  Workspace workspace(memory, sizeof memory);
  EXPECT_NE(workspace.take<float>(16u), nullptr);
  EXPECT_TRUE(workspace.sufficed());
  EXPECT_EQ(workspace.take<float>(49u), nullptr);
  EXPECT_FALSE(workspace.sufficed());
  EXPECT_EQ(workspace.take<float>(1u), nullptr);
  EXPECT_EQ(workspace.take<float>(0u), nullptr);
  EXPECT_FALSE(workspace.sufficed());
}

TEST(Workspace, NothingSufficesForNothing) {
  Workspace workspace(nullptr, 0);
  EXPECT_TRUE(workspace.sufficed());
  (void)workspace.take<float>(0u);
  EXPECT_TRUE(workspace.sufficed());
  EXPECT_EQ(workspace.take<float>(1u), nullptr);
  EXPECT_FALSE(workspace.sufficed());
}

TEST(Workspace, WithoutMemoryItCountsWhatIsTakenInWholeLines) {
  Workspace workspace;
  EXPECT_EQ(workspace.take<float>(1u), nullptr);
  EXPECT_EQ(workspace.bytes(), 64u);
  EXPECT_EQ(workspace.take<double>(3u, 5u), nullptr);
  EXPECT_EQ(workspace.bytes(), 192u);
  EXPECT_EQ(workspace.take<float>(0u, kHugeCount), nullptr);
  EXPECT_EQ(workspace.bytes(), 192u);
  EXPECT_FALSE(workspace.sufficed()) << "there is no memory to work in";
}

TEST(Workspace, CountsBeyondAllMemoryStayThere) {
  Workspace workspace;
  (void)workspace.take<float>(kHugeCount);
  EXPECT_EQ(workspace.bytes(), 4 * kHugeCount);
  (void)workspace.take<float>(kHugeCount, kHugeCount);
  EXPECT_EQ(workspace.bytes(), kLargestSize);
  (void)workspace.take<float>(1u);
  EXPECT_EQ(workspace.bytes(), kLargestSize);
}

TEST(Workspace, WhatALayoutCountsSufficesForIt) {
  const auto layout = [](Workspace& workspace) {
    (void)workspace.take<float>(3u, 7u);
    const ThreadWorkspaces threads(workspace, 3, [](Workspace& own) { (void)own.take<double>(9u); });
    (void)workspace.cut(100);
  };
  EXPECT_EQ(count_bytes(layout), 128u + 3 * 128 + 128);
  std::vector<std::byte> memory(static_cast<std::size_t>(count_bytes(layout)));
  Workspace enough(memory.data(), memory.size()), less(memory.data(), memory.size() - 1);
  layout(enough);
  layout(less);
  EXPECT_TRUE(enough.sufficed());
  EXPECT_FALSE(less.sufficed());
}

TEST(Workspace, ThreadsHavePiecesOfTheirOwn) {
  float memory[64];
  Workspace workspace(memory, sizeof memory);
  const ThreadWorkspaces threads(workspace, 2, [](Workspace& own) { (void)own.take<float>(20u); });
  for (const std::size_t thread : {0u, 1u}) {
    Workspace own = threads.of(thread);
    EXPECT_EQ(own.take<float>(20u), memory + 32 * thread);
    EXPECT_EQ(own.take<float>(1u), nullptr);
  }
}

TEST(Saturated, ProductsAndSumsStayAtTheLargestSize) {
  EXPECT_EQ(saturated_product(3u, 4u, 5u), 60u);
  EXPECT_EQ(saturated_product(kHugeCount, std::uint64_t{1} << 23), std::uint64_t{1} << 63);
  EXPECT_EQ(saturated_product(kHugeCount, std::uint64_t{1} << 24), kLargestSize);
  EXPECT_EQ(saturated_product(kHugeCount, kHugeCount, kHugeCount), kLargestSize);
  EXPECT_EQ(saturated_product(kHugeCount, kHugeCount, 0u), 0u);
  EXPECT_EQ(saturated_product(0u, kHugeCount, kHugeCount), 0u);
  EXPECT_EQ(saturated_sum(1u, kHugeCount), kHugeCount + 1);
  EXPECT_EQ(saturated_sum(kLargestSize, 1u, kHugeCount), kLargestSize);
  EXPECT_EQ(clamped_count(kLargestSize), kLargestCount);
}

}  // namespace fovea::test
