// The least of many sums, one of a rising run of numbers each, and in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// Several runs of rising keys, and for each run several ways to change its keys, each by a number that is
// added to all of them. Finds the least changed keys. With n ways each of the least takes n steps; none of
// them depends on a comparison, which a processor could not foresee.
template <typename Key>
class SortedRuns {
 public:
  struct Item {
    Key key;
    std::uint32_t member;
    std::int32_t way;
  };

  // Forgets everything; so many members will be added to each run at most.
  void clear(std::size_t room) {
    room_ = room;
    sizes_.clear();
    ways_.clear();
    total_ = 0;
  }

  // Runs are numbered from 0 in the order of their first members.
  void add(std::size_t run, std::size_t member, Key key) {
    if (run == sizes_.size()) {
      sizes_.push_back(0);
      if (members_.size() < sizes_.size() * room_) members_.resize(sizes_.size() * room_);
    }
    members_[run * room_ + sizes_[run]++] = {key, static_cast<std::uint32_t>(member)};
  }

  void add_way(std::size_t run, std::int32_t way, Key change) {
    const std::size_t begin = run * room_;
    ways_.push_back({members_[begin].key + change, change, begin, begin + sizes_[run], way});
    total_ += sizes_[run];
  }

  // Finds so many, or all if they are fewer. No two changed keys may be equal.
  void merge(std::size_t most) {
    if (ways_.size() > most) {  // of the others not even the first is among the least
      std::nth_element(ways_.begin(), ways_.begin() + static_cast<std::ptrdiff_t>(most), ways_.end(),
                       [](const Way& a, const Way& b) { return a.head < b.head; });
      ways_.resize(most);
    }
    merged_.resize(std::min(most, total_));
    heads_.clear();
    for (const Way& way : ways_) heads_.push_back(way.head);
    for (Item& item : merged_) {
      std::size_t least = 0;
      Key key = heads_[0];
      for (std::size_t i = 1; i < heads_.size(); ++i) {
        const bool is_less = heads_[i] < key;
        key = is_less ? heads_[i] : key;
        least = is_less ? i : least;
      }
      item = {key, members_[ways_[least].at].member, ways_[least].way};
      advance(least);
    }
  }

  std::span<const Item> merged() const { return merged_; }

 private:
  struct Member {
    Key key;
    std::uint32_t member;
  };
  struct Way {
    Key head;  // the first changed key that is not merged yet
    Key change;
    std::size_t at, end;
    std::int32_t way;
  };

  void advance(std::size_t i) {
    Way& way = ways_[i];
    if (++way.at == way.end) {
      way = ways_.back();
      ways_.pop_back();
      heads_[i] = heads_.back();
      heads_.pop_back();
    } else {
      heads_[i] = members_[way.at].key + way.change;
    }
  }

  std::size_t room_ = 0, total_ = 0;
  std::vector<std::size_t> sizes_;
  std::vector<Member> members_;  // run r has [r * room, r * room + sizes[r])
  std::vector<Way> ways_;
  std::vector<Key> heads_;
  std::vector<Item> merged_;
};

}  // namespace tertium
