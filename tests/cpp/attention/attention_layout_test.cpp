/// Views: any strides, any alignment, shared memory, and not a float read or written beyond them.

#include "support/problem.hpp"

namespace fovea::test {

TEST(AttentionLayout, HeadsMayLieOutsideOrInsideTheTokens) {
  const Sizes sizes{2, 4, 2, 9, 70, 12, 7};
  for (const Layout layout : {Layout::Bhtd, Layout::Bthd})
    for (const Padding& padding :
         {Padding{}, Padding{.lead = 1, .row = 0, .plane = 0, .tail = 0}, Padding{.lead = 2, .row = 3, .plane = 0, .tail = 0},
          Padding{.lead = 3, .row = 1, .plane = 9, .tail = 40}}) {
      ASSERT_TRUE(agrees(Problem(sizes, 71, {layout, padding})));
    }
}

TEST(AttentionLayout, NothingBeyondTheInputsIsUsed) {
  // Equal elements among quiet and among loud neighbors.
  for (const std::size_t width : {1u, 3u, 5u, 8u, 13u}) {
    const Sizes sizes{1, 2, 1, 5, 67, width, width};
    const Outcome quiet = run(Problem(sizes, 72));
    EXPECT_TRUE(same_bits(run(Problem(sizes, 72, kGaps)), quiet));
    EXPECT_TRUE(same_bits(run(Problem(sizes, 72, {Layout::Bthd, {1, 1, 1, 1}})), quiet));
  }
}

TEST(AttentionLayout, QueriesKeysAndValuesMayShareOnePackedArray) {
  // [T, 3, H, D], as one projection makes it.
  constexpr std::size_t kTokens = 70, kHeads = 3, kWidth = 10;
  std::vector<float> packed(kTokens * 3 * kHeads * kWidth);
  Random random(73);
  for (float& x : packed) x = random.normal();
  Problem plain({1, kHeads, kHeads, kTokens, kTokens, kWidth, kWidth}, 1);
  std::size_t part = 0;
  for (Slab<float>* slab : {&plain.q, &plain.k, &plain.v}) {
    for (std::size_t t = 0; t < kTokens; ++t)
      for (std::size_t h = 0; h < kHeads; ++h)
        for (std::size_t d = 0; d < kWidth; ++d) slab->at(0, h, t, d) = packed[((t * 3 + part) * kHeads + h) * kWidth + d];
    ++part;
  }
  AttentionArgs args = plain.args();
  part = 0;
  for (HeadsView<const float>* view : {&args.q, &args.k, &args.v}) {
    *view = {packed.data() + part++ * kHeads * kWidth, 0, kWidth, 3 * kHeads * kWidth};
  }
  EXPECT_TRUE(same_bits(run(args, Want::All, {Layout::Bthd, {}}), run(plain)));
}

TEST(AttentionLayout, AStrideOfZeroBroadcasts) {
  const Problem problem({3, 4, 2, 9, 70, 12, 7}, 74);
  AttentionArgs args = problem.args();
  args.q.batch = 0;
  args.k.batch = 0;
  args.v.head = 0;
  EXPECT_TRUE(agrees(run(args), attention_ref(args)));
  args.k.token = 0;
  EXPECT_TRUE(agrees(run(args), attention_ref(args)));
  args.q.token = 0;
  args.q.head = 0;
  EXPECT_TRUE(agrees(run(args), attention_ref(args)));
}

TEST(AttentionLayout, ANegativeStrideWalksBackwards) {
  const Problem problem({1, 2, 2, 9, 70, 12, 7}, 75);
  AttentionArgs args = problem.args();
  args.k.data = args.k.row(0, 0, 69);
  args.k.token = -args.k.token;
  args.v.data = args.v.row(0, 0, 69);
  args.v.token = -args.v.token;
  args.q.data = args.q.row(0, 1, 0);
  args.q.head = -args.q.head;
  EXPECT_TRUE(agrees(run(args), attention_ref(args)));
}

TEST(AttentionLayout, NothingIsWrittenBetweenTheRowsOfTheOutput) {
  for (const std::size_t width : {1u, 3u, 4u, 7u, 8u, 9u, 31u}) {
    for (const Layout layout : {Layout::Bhtd, Layout::Bthd}) {
      const Arrangement around{layout, {3, 6, 5, 40}};
      for (const std::size_t queries : {1u, 3u, 4u, 5u, 130u}) {
        const Problem problem({2, 2, 1, queries, 67, 5, width}, width, around);
        const Outcome outcome = run(problem);
        ASSERT_TRUE(outcome.memory) << problem.describe();
        ASSERT_TRUE(all_of(outcome.output, "written", [](float x) { return !is_poison(x); }));
        ASSERT_TRUE(all_of(outcome.weights, "written", [](float x) { return !is_poison(x); }));
        ASSERT_TRUE(all_of(outcome.lse, "written", [](float x) { return !is_poison(x); }));
      }
    }
  }
}

}  // namespace fovea::test
