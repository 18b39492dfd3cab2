/// Sets of keys as intervals, against sets.

#include "attention/pattern/interval_set.hpp"

#include <set>

#include "support/random.hpp"

namespace fovea::test {
namespace {

using Keys = std::set<std::uint32_t>;

/// Intervals in memory of exactly the room that they are promised.
class OwnedIntervals {
 public:
  explicit OwnedIntervals(std::size_t keys) : memory_(IntervalSet::max_intervals(keys)), intervals_(memory_.data()) {}
  OwnedIntervals(std::size_t keys, const Keys& set) : OwnedIntervals(keys) {
    for (const std::uint32_t key : set) intervals_.add(key, key + 1);
  }

  IntervalSet& operator*() { return intervals_; }

 private:
  std::vector<Interval> memory_;
  IntervalSet intervals_;
};

Keys keys_in(const IntervalSet& intervals) {
  Keys keys;
  for (const Interval& interval : intervals)
    for (std::uint32_t key = interval.from; key < interval.to; ++key) keys.insert(key);
  return keys;
}

bool is_canonical(const IntervalSet& intervals) {
  for (const Interval* interval = intervals.begin(); interval != intervals.end(); ++interval) {
    if (interval->from >= interval->to || (interval != intervals.begin() && interval[-1].to >= interval->from)) return false;
  }
  return true;
}

Keys draw(std::size_t keys, Random& random) {
  Keys set;
  const double stay = random.pick(std::vector<double>{0.1, 0.5, 0.9});
  bool in = random.chance(0.5);
  for (std::uint32_t key = 0; key < keys; ++key) {
    if (!random.chance(stay)) in = !in;
    if (in) set.insert(key);
  }
  return set;
}

template <class Keep>
Keys filtered(std::size_t keys, Keep keep) {
  Keys set;
  for (std::uint32_t key = 0; key < keys; ++key) {
    if (keep(key)) set.insert(key);
  }
  return set;
}

}  // namespace

TEST(IntervalSet, UnionIntersectionAndDifferenceAreThoseOfSets) {
  Random random(1);
  for (int again = 0; again < 3000; ++again) {
    const std::size_t keys = random.size(0, 40);
    const Keys a = draw(keys, random), b = draw(keys, random);
    OwnedIntervals left(keys, a), right(keys, b), out(keys);
    unite(*left, *right, *out);
    ASSERT_EQ(keys_in(*out), filtered(keys, [&](auto key) { return a.contains(key) || b.contains(key); }));
    ASSERT_TRUE(is_canonical(*out));
    intersect(*left, *right, *out);
    ASSERT_EQ(keys_in(*out), filtered(keys, [&](auto key) { return a.contains(key) && b.contains(key); }));
    ASSERT_TRUE(is_canonical(*out));
    subtract(*left, *right, *out);
    ASSERT_EQ(keys_in(*out), filtered(keys, [&](auto key) { return a.contains(key) && !b.contains(key); }));
    ASSERT_TRUE(is_canonical(*out));
    ASSERT_EQ((*left).keys(), a.size());
    ASSERT_EQ((*left).empty(), a.empty());
  }
}

TEST(IntervalSet, EveryOtherKeyFitsTheRoomThatIsPromised) {
  for (std::size_t keys = 0; keys < 20; ++keys) {
    const Keys even = filtered(keys, [](auto key) { return key % 2 == 0; });
    OwnedIntervals intervals(keys, even), whole(keys), odd(keys), none(keys);
    EXPECT_EQ((*intervals).count(), (keys + 1) / 2);
    (*whole).add(0, static_cast<std::uint32_t>(keys));
    subtract(*whole, *intervals, *odd);
    EXPECT_EQ((*odd).keys(), keys / 2);
    unite(*intervals, *odd, *none);
    EXPECT_EQ((*none).count(), keys > 0 ? 1u : 0u);
  }
}

TEST(IntervalSet, IntervalsThatTouchOrOverlapAreOneAndEmptyOnesAreLeftOut) {
  OwnedIntervals intervals(20);
  (*intervals).add(3, 3);
  EXPECT_TRUE((*intervals).empty());
  (*intervals).add(2, 5);
  (*intervals).add(5, 6);
  (*intervals).add(4, 9);
  (*intervals).add(6, 7);
  (*intervals).add(11, 12);
  ASSERT_EQ((*intervals).count(), 2u);
  EXPECT_EQ((*intervals).begin()[0], (Interval{2, 9}));
  EXPECT_EQ((*intervals).begin()[1], (Interval{11, 12}));
}

}  // namespace fovea::test
