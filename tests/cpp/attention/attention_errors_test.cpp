/// Every check of the core is reached, and a refused call writes nothing.

#include "support/problem.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

const Sizes kSizes{2, 4, 2, 70, 90, 12, 9};

/// Runs both entry points; outputs have the size that `base` says, as the changed arguments may make none.
void expect_refused(const AttentionArgs& refused, Status expected, const char* what) {
  const Problem base(kSizes, 1);
  std::vector<float> output(2 * 4 * 70 * 9, kPoison), weights(2 * 4 * 70 * 90, kPoison), lse(2 * 4 * 70, kPoison);
  std::vector<float> workspace(4 * floats_of(attention_workspace_bytes(base.args())), kPoison);
  AttentionArgs args = refused;
  args.output = {output.data(), 4 * 70 * 9, 70 * 9, 9};
  args.weights = weights.data();
  args.lse = lse.data();
  EXPECT_EQ(attention(args, {workspace.data(), workspace.size() * sizeof(float)}), expected) << what;
  for (const LogitStage stage : {LogitStage::Raw, LogitStage::Capped, LogitStage::Biased}) {
    EXPECT_EQ(attention_logits(args, stage, weights.data(), {workspace.data(), workspace.size() * sizeof(float)}), expected)
        << what;
  }
  EXPECT_TRUE(all_poison(output)) << what;
  EXPECT_TRUE(all_poison(weights)) << what;
  EXPECT_TRUE(all_poison(lse)) << what;
}

}  // namespace

TEST(AttentionErrors, TheUnchangedCallIsAccepted) {
  const Problem problem(kSizes, 1);
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionErrors, AKeyWidthOfZeroIsAShapeError) {
  const Problem problem(kSizes, 1);
  AttentionArgs args = problem.args();
  args.width = 0;
  expect_refused(args, Status::Shape, "Dk 0");
}

TEST(AttentionErrors, KeyHeadsThatDoNotDivideTheQueryHeadsAreAShapeError) {
  const Problem problem(kSizes, 1);
  for (const std::size_t kv_heads : {0u, 3u, 5u, 8u}) {
    AttentionArgs args = problem.args();
    args.kv_heads = kv_heads;
    expect_refused(args, Status::Shape, "Hkv");
  }
}

TEST(AttentionErrors, AScaleThatIsNoNumberIsAValueError) {
  Problem problem(kSizes, 1);
  for (const float scale : {kNan, kInfinity, -kInfinity}) {
    problem.scale = scale;
    expect_refused(problem.args(), Status::Value, "scale");
  }
}

TEST(AttentionErrors, ANegativeOrNonfiniteSoftcapIsAValueError) {
  Problem problem(kSizes, 1);
  for (const float softcap : {-1.0f, -std::numeric_limits<float>::denorm_min(), kNan, kInfinity, -kInfinity}) {
    problem.softcap = softcap;
    expect_refused(problem.args(), Status::Value, "softcap");
  }
}

TEST(AttentionErrors, AWindowBelowUnboundedIsAValueError) {
  for (const std::ptrdiff_t extent : {std::ptrdiff_t{-2}, std::ptrdiff_t{-100}, std::numeric_limits<std::ptrdiff_t>::min()}) {
    Problem left(kSizes, 1), right(kSizes, 1);
    left.window_left = extent;
    right.window_right = extent;
    expect_refused(left.args(), Status::Value, "left");
    expect_refused(right.args(), Status::Value, "right");
  }
}

TEST(AttentionErrors, AKeyLengthOutsideTheKeysIsAValueError) {
  for (const std::int32_t length :
       {-1, 91, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
    Problem first(kSizes, 1), last(kSizes, 1);
    first.key_lengths = {length, 5};
    last.key_lengths = {5, length};
    expect_refused(first.args(), Status::Value, "first length");
    expect_refused(last.args(), Status::Value, "last length");
  }
}

TEST(AttentionErrors, EveryWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  // Every whole line less, down to none: whichever piece no longer fits, the call must notice.
  for (const Sizes& sizes :
       {Sizes{1, 1, 1, 5, 6, 4, 200}, Sizes{1, 1, 1, 5, 6, 200, 4}, Sizes{1, 1, 1, 130, 6, 3, 3}, Sizes{1, 2, 1, 1, 1, 1, 1}}) {
    const Problem problem(sizes, 1);
    const AttentionArgs args = problem.args();
    const std::size_t needed = floats_of(std::max(attention_workspace_bytes(args), attention_logits_workspace_bytes(args)));
    for (std::size_t short_by = 1; short_by <= needed; short_by += short_by == 1 ? kLineFloats - 1 : kLineFloats) {
      const Outcome outcome = run(args, Want::All, {}, short_by);
      ASSERT_EQ(outcome.status, Status::Memory) << short_by << " less than " << needed << ", " << problem.describe();
      ASSERT_TRUE(all_poison(outcome.output));
      ASSERT_TRUE(all_poison(outcome.weights));
      ASSERT_TRUE(all_poison(outcome.lse));
      for (const LogitStage stage : {LogitStage::Raw, LogitStage::Capped, LogitStage::Biased}) {
        const LogitsOutcome logits = run_logits(args, stage, short_by);
        ASSERT_EQ(logits.status, Status::Memory);
        ASSERT_TRUE(all_poison(logits.logits));
      }
    }
  }
}

}  // namespace fovea::test
