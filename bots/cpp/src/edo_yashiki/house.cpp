#include "edo_yashiki/house.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace kumite::edo_yashiki {
namespace {

constexpr int kCardWidth = 2;
constexpr int kCardHeight = 3;
constexpr int kShortestLine = 3;
constexpr std::array kLinePoints = {0, 0, 0, 1, 2, 4};

// The cells of a card as it lies.
Face lying(Face face, bool turned) {
  if (turned) {
    std::reverse(face.begin(), face.end());
  }
  return face;
}

}  // namespace

int line_points(int length) {
  return length < static_cast<int>(kLinePoints.size()) ? kLinePoints[static_cast<std::size_t>(length)] : 0;
}

House House::of(const referee::v1::EdoYashikiView& view, int seat, const std::vector<Face>& faces) {
  int first = 0;
  for (int owner = 0; owner < seat; ++owner) {
    first += static_cast<int>(view.house_sizes(owner));
  }
  House house;
  for (int i = first; i < first + static_cast<int>(view.house_sizes(seat)); ++i) {
    house.lay(faces.at(view.house_cards(i)), {view.house_x(i), view.house_y(i), view.house_turned(i)});
  }
  return house;
}

void House::lay(const Face& face, const Spot& spot) {
  if (std::max(std::abs(spot.x), std::abs(spot.y)) > kCentre - 3 * kCardHeight) {
    throw std::out_of_range("a card lies far outside of any house");
  }
  put(under(spot), lying(face, spot.turned));
  anchors_.push_back(spot);
  left_ = std::min(left_, spot.x);
  right_ = std::max(right_, spot.x);
  top_ = std::min(top_, spot.y);
  bottom_ = std::max(bottom_, spot.y);
}

std::vector<Spot> House::spots() const {
  std::vector<Spot> found;
  for (int y = top_ - kCardHeight; y <= bottom_ + kCardHeight; ++y) {
    for (int x = left_ - kCardWidth; x <= right_ + kCardWidth; ++x) {
      const Cells cells = under({x, y});
      const bool taken = std::any_of(anchors_.begin(), anchors_.end(),
                                     [x, y](const Spot& other) { return other.x == x && other.y == y; });
      if (!taken && touches(cells) &&
          std::none_of(cells.begin(), cells.end(), [this](int cell) { return in_line(cell); })) {
        found.push_back({x, y, false});
        found.push_back({x, y, true});
      }
    }
  }
  return found;
}

House::Outlook House::consider(const Face& face, const Spot& spot) {
  const Cells cells = under(spot);
  const Face before = put(cells, lying(face, spot.turned));
  Outlook outlook{made(cells), hopes()};
  put(cells, before);
  return outlook;
}

std::vector<Line> House::lines(const Face& face, const Spot& spot) {
  const Cells cells = under(spot);
  const Face before = put(cells, lying(face, spot.turned));
  std::vector<Line> found = made(cells);
  put(cells, before);
  return found;
}

House::Cells House::under(const Spot& spot) {
  const int anchor = (spot.y + kCentre) * kSide + spot.x + kCentre;
  return {anchor,
          anchor + 1,
          anchor + kSide,
          anchor + kSide + 1,
          anchor + 2 * kSide,
          anchor + 2 * kSide + 1};
}

// Changes the kinds of cells; returns those that were there.
Face House::put(const Cells& cells, const Face& face) {
  Face before{};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto& cell = cells_[static_cast<std::size_t>(cells[i])];
    before[i] = std::exchange(cell, face[i]);
  }
  return before;
}

House::Run House::run(int cell, int step) const {
  const auto kind = cells_[static_cast<std::size_t>(cell)];
  int start = cell;
  int end = cell + step;
  while (cells_[static_cast<std::size_t>(start - step)] == kind) {
    start -= step;
  }
  while (cells_[static_cast<std::size_t>(end)] == kind) {
    end += step;
  }
  return {start, (end - start) / step};
}

// Whether a cell belongs to a line. Such cells cannot be covered.
bool House::in_line(int cell) const {
  return cells_[static_cast<std::size_t>(cell)] != 0 &&
         std::any_of(std::begin(kSteps), std::end(kSteps),
                     [this, cell](int step) { return run(cell, step).length >= kShortestLine; });
}

bool House::touches(const Cells& cells) const {
  return std::any_of(cells.begin(), cells.end(), [this](int cell) {
    return std::any_of(std::begin(kSteps), std::end(kSteps), [this, cell](int step) {
      const auto kind = [this](int place) { return cells_[static_cast<std::size_t>(place)]; };
      return (kind(cell) | kind(cell + step) | kind(cell - step)) != 0;
    });
  });
}

std::vector<Line> House::made(const Cells& cells) const {
  std::vector<Line> found;
  for (const int step : kSteps) {
    std::vector<int> counted;
    for (const int cell : cells) {
      const Run line = run(cell, step);
      if (line.length >= kShortestLine && std::find(counted.begin(), counted.end(), line.start) == counted.end()) {
        counted.push_back(line.start);
        found.push_back({cells_[static_cast<std::size_t>(cell)], line.length});
      }
    }
  }
  return found;
}

int House::hopes() const {
  int total = 0;
  for (int y = top_ - kCardHeight; y < bottom_ + 2 * kCardHeight; ++y) {
    for (int x = left_ - kCardWidth; x < right_ + 2 * kCardWidth; ++x) {
      const int cell = under({x, y})[0];
      if (cells_[static_cast<std::size_t>(cell)] == 0) {
        continue;
      }
      for (const int step : kSteps) {
        const Run part = run(cell, step);
        const int points = part.start == cell ? line_points(part.length + 1) : 0;
        if (points > 0) {
          total += points * (!in_line(cell - step) + !in_line(cell + part.length * step));
        }
      }
    }
  }
  return total;
}

}  // namespace kumite::edo_yashiki
