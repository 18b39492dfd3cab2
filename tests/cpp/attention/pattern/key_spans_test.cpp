/// Sets of keys as spans, against sets.

#include "attention/pattern/key_spans.hpp"

#include <set>

#include "support/random.hpp"

namespace fovea::test {
namespace {

using Keys = std::set<std::uint32_t>;

/// Spans in memory of exactly the room that they are promised.
class Spans {
 public:
  explicit Spans(std::size_t keys) : memory_(KeySpans::max_spans(keys)), spans_(memory_.data()) {}
  Spans(std::size_t keys, const Keys& set) : Spans(keys) {
    for (const std::uint32_t key : set) spans_.add(key, key + 1);
  }

  KeySpans& operator*() { return spans_; }

 private:
  std::vector<KeySpan> memory_;
  KeySpans spans_;
};

Keys keys_in(const KeySpans& spans) {
  Keys keys;
  for (const KeySpan& span : spans)
    for (std::uint32_t key = span.from; key < span.to; ++key) keys.insert(key);
  return keys;
}

bool is_canonical(const KeySpans& spans) {
  for (const KeySpan* span = spans.begin(); span != spans.end(); ++span) {
    if (span->from >= span->to || (span != spans.begin() && span[-1].to >= span->from)) return false;
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

TEST(KeySpans, UnionIntersectionAndDifferenceAreThoseOfSets) {
  Random random(1);
  for (int again = 0; again < 3000; ++again) {
    const std::size_t keys = random.size(0, 40);
    const Keys a = draw(keys, random), b = draw(keys, random);
    Spans left(keys, a), right(keys, b), out(keys);
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

TEST(KeySpans, EveryOtherKeyFitsTheRoomThatIsPromised) {
  for (std::size_t keys = 0; keys < 20; ++keys) {
    const Keys even = filtered(keys, [](auto key) { return key % 2 == 0; });
    Spans spans(keys, even), whole(keys), odd(keys), none(keys);
    EXPECT_EQ((*spans).count(), (keys + 1) / 2);
    (*whole).add(0, static_cast<std::uint32_t>(keys));
    subtract(*whole, *spans, *odd);
    EXPECT_EQ((*odd).keys(), keys / 2);
    unite(*spans, *odd, *none);
    EXPECT_EQ((*none).count(), keys > 0 ? 1u : 0u);
  }
}

TEST(KeySpans, SpansThatTouchOrOverlapAreOneAndEmptyOnesAreLeftOut) {
  Spans spans(20);
  (*spans).add(3, 3);
  EXPECT_TRUE((*spans).empty());
  (*spans).add(2, 5);
  (*spans).add(5, 6);
  (*spans).add(4, 9);
  (*spans).add(6, 7);
  (*spans).add(11, 12);
  ASSERT_EQ((*spans).count(), 2u);
  EXPECT_EQ((*spans).begin()[0], (KeySpan{2, 9}));
  EXPECT_EQ((*spans).begin()[1], (KeySpan{11, 12}));
}

}  // namespace fovea::test
