#include "core/workspace.hpp"

#include "pch.hpp"

namespace fovea::test {

TEST(Workspace, PiecesStartOnLinesAndDoNotOverlap) {
  float memory[256];
  Workspace workspace(memory, 256);
  EXPECT_EQ(workspace.take(1), memory);
  EXPECT_EQ(workspace.take(16), memory + 16);
  EXPECT_EQ(workspace.take(17), memory + 32);
  EXPECT_EQ(workspace.take(33), memory + 64);
  EXPECT_EQ(workspace.take(1), memory + 112);
}

TEST(Workspace, TheLastLineCanBeTakenAndNotOneMore) {
  float memory[32];
  Workspace workspace(memory, 32);
  EXPECT_EQ(workspace.take(16), memory);
  EXPECT_EQ(workspace.take(16), memory + 16);
  EXPECT_EQ(workspace.take(1), nullptr);
}

TEST(Workspace, APieceLargerThanWhatIsLeftIsRefused) {
  float memory[32];
  Workspace workspace(memory, 31);
  EXPECT_EQ(workspace.take(17), nullptr);
  EXPECT_EQ(Workspace(memory, 0).take(1), nullptr);
}

TEST(Workspace, AfterARefusalEveryPieceIsRefused) {
  float memory[64];
  Workspace workspace(memory, 64);
  EXPECT_NE(workspace.take(16), nullptr);
  EXPECT_TRUE(workspace.sufficed());
  EXPECT_EQ(workspace.take(49), nullptr);
  EXPECT_FALSE(workspace.sufficed());
  EXPECT_EQ(workspace.take(1), nullptr);
  EXPECT_EQ(workspace.take(0), nullptr);
  EXPECT_FALSE(workspace.sufficed());
}

TEST(Workspace, NothingSufficesForNothing) {
  Workspace workspace(nullptr, 0);
  EXPECT_TRUE(workspace.sufficed());
  (void)workspace.take(0);
  EXPECT_TRUE(workspace.sufficed());
  EXPECT_EQ(workspace.take(1), nullptr);
  EXPECT_FALSE(workspace.sufficed());
}

TEST(Workspace, RoundingIsUpToWholeLines) {
  EXPECT_EQ(workspace_round(0), 0u);
  EXPECT_EQ(workspace_round(1), 16u);
  EXPECT_EQ(workspace_round(16), 16u);
  EXPECT_EQ(workspace_round(17), 32u);
}

}  // namespace fovea::test
