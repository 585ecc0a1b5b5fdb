// The inversion edit distance by the recursion as it stands (Leusch, Ueffing & Ney 2003, Eq. 2, with empty
// left parts): every block, every split, O(I^3 J^3). Reads pairs of lines of ids, prints a distance per pair.
#include <algorithm>
#include <ctime>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Ids = std::vector<int>;

static Ids read_ids(const std::string& line) {
  std::istringstream in(line);
  Ids ids;
  for (int id; in >> id;) ids.push_back(id);
  return ids;
}

// cost(i0, i1, j0, j1) of a[i0, i1) against b[j0, j1)
struct Table {
  std::size_t n, m;
  std::vector<int> cells;
  Table(std::size_t n_, std::size_t m_) : n(n_ + 1), m(m_ + 1), cells(n * n * m * m) {}
  int& at(std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) {
    return cells[((i0 * n + i1) * m + j0) * m + j1];
  }
};

static int cheapest_split(Table& cost, std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) {
  int least = static_cast<int>(i1 - i0 + j1 - j0);  // everything deleted, everything inserted
  for (std::size_t i = i0; i <= i1; ++i)
    for (std::size_t j = j0; j <= j1; ++j) {
      // a part that is the whole block, beside an empty one
      if ((i == i0 && j == j0) || (i == i1 && j == j1)) continue;
      if ((i == i0 && j == j1) || (i == i1 && j == j0)) continue;
      const int straight = cost.at(i0, i, j0, j) + cost.at(i, i1, j, j1);
      const int inverted = cost.at(i0, i, j, j1) + cost.at(i, i1, j0, j) + 1;
      least = std::min(least, std::min(straight, inverted));
    }
  return least;
}

static int distance(const Ids& a, const Ids& b) {
  Table cost(a.size(), b.size());
  for (std::size_t m = 0; m <= a.size(); ++m)
    for (std::size_t n = 0; n <= b.size(); ++n)
      for (std::size_t i0 = 0; i0 + m <= a.size(); ++i0)
        for (std::size_t j0 = 0; j0 + n <= b.size(); ++j0) {
          int& cell = cost.at(i0, i0 + m, j0, j0 + n);
          if (m == 0 || n == 0)
            cell = static_cast<int>(m + n);
          else if (m == 1 && n == 1)
            cell = a[i0] != b[j0];
          else
            cell = cheapest_split(cost, i0, i0 + m, j0, j0 + n);
        }
  return cost.at(0, a.size(), 0, b.size());
}

int main() {
  std::string one;
  std::string other;
  std::vector<std::pair<Ids, Ids>> pairs;
  while (std::getline(std::cin, one) && std::getline(std::cin, other)) pairs.emplace_back(read_ids(one), read_ids(other));
  const std::clock_t begin = std::clock();  // processor time, as for our side
  for (const auto& [a, b] : pairs) std::printf("%d\n", distance(a, b));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::fprintf(stderr, "%.6f\n", seconds);
}
