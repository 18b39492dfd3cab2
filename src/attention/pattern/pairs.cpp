#include "attention/pattern/pairs.hpp"

#include "attention/pattern/tree.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

template <class T>
bool forbids(const PairsView<T>& mask, std::size_t query, std::uint32_t key, T forbidden) noexcept {
  return mask.data != nullptr && mask.row(0, 0, query)[static_cast<std::ptrdiff_t>(key) * mask.key] == forbidden;
}

bool is_masked(const PairsArgs& args, std::size_t query, std::uint32_t key) noexcept {
  return forbids(args.bool_mask, query, key, std::uint8_t{0}) || forbids(args.key_bool_mask, query, key, std::uint8_t{0}) ||
         forbids(args.float_mask, query, key, kMinusInfinity) || forbids(args.key_float_mask, query, key, kMinusInfinity);
}

}  // namespace

std::uint64_t pairs_workspace_bytes(const PairsArgs& args) noexcept {
  const PatternArgs& pattern = args.pattern;
  if (check_pattern(pattern.program, pattern.program_words, pattern.batch, pattern.head) != Status::Ok) return 0;
  return count_bytes([&](Workspace& workspace) {
    PatternTree(PatternNode(pattern.program), pattern.batch, pattern.head, pattern.queries, pattern.rules.keys, workspace);
  });
}

Status pattern_pairs(const PairsArgs& args, std::int32_t* counts, std::int32_t* indices, Workspace workspace) noexcept {
  const auto& [program, words, queries, batch, head, rules, edges] = args.pattern;
  if (const Status status = check_pattern(program, words, batch, head); status != Status::Ok) return status;
  if (rules.length > rules.keys) return Status::Value;
  PatternTree tree(PatternNode(program), batch, head, queries, rules.keys, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const bool masked = args.bool_mask.data != nullptr || args.key_bool_mask.data != nullptr || args.float_mask.data != nullptr ||
                      args.key_float_mask.data != nullptr;
  for (std::size_t query = 0; query < queries; ++query) {
    IntervalSet& allowed = tree.keys_of(rules.position(query), rules.keys_of(query));
    allowed.add(rules.appended_keys());
    counts[query] = static_cast<std::int32_t>(allowed.keys());
    if (indices == nullptr && !masked) continue;
    std::int32_t count = 0;
    for (const Interval& interval : allowed) {
      for (std::uint32_t key = interval.from; key < interval.to; ++key) {
        if (key < rules.keys && is_masked(args, query, key)) continue;
        if (indices != nullptr) *indices++ = static_cast<std::int32_t>(key);
        ++count;
      }
    }
    counts[query] = count;
  }
  return Status::Ok;
}

}  // namespace fovea
