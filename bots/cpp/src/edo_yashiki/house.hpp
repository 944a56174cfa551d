// A house of Edo Yashiki: where a card may lie, which lines it makes there, and which hopes it leaves.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "referee/v1/edo_yashiki.pb.h"

namespace kumite::edo_yashiki {

// The kinds of a card's cells: top left, top right, middle left, middle right, bottom left, bottom right.
using Face = std::array<std::uint8_t, 6>;

// A way to lay a card: the place of its top left cell.
struct Spot {
  int x = 0;
  int y = 0;
  bool turned = false;  // by a half-turn

  bool operator==(const Spot&) const = default;
};

// A straight line of at least three equal cells.
struct Line {
  std::uint8_t kind = 0;
  int length = 0;

  bool operator==(const Line&) const = default;
};

// The points for a line of so many cells.
int line_points(int length);

class House {
 public:
  House() : cells_(kSide * kSide) {}

  // The house of a seat, as a view shows it; faces are those of all cards, by number.
  static House of(const referee::v1::EdoYashikiView& view, int seat, const std::vector<Face>& faces);

  // Lays a card on top of what is there. Throws std::out_of_range where no house of a real match reaches.
  void lay(const Face& face, const Spot& spot);

  // Every way to lay a card: beside or over the house, not over a line, not exactly on another card.
  std::vector<Spot> spots() const;

  // What a card would bring.
  struct Outlook {
    std::vector<Line> made;  // the lines with at least one of its cells
    int hopes;  // the points of all lines that would then lack a single cell, each counted for every free end
  };

  // Lays a card, looks, and takes it away again.
  Outlook consider(const Face& face, const Spot& spot);

  // The same without the hopes.
  std::vector<Line> lines(const Face& face, const Spot& spot);

 private:
  // A square that no house outgrows: at most 33 cards, each at most three cells further out than the last.
  static constexpr int kSide = 256;
  static constexpr int kCentre = kSide / 2;
  static constexpr int kSteps[] = {1, kSide};  // to the right, and down

  // The places of a card's cells.
  using Cells = std::array<int, 6>;

  // A run of equal cells.
  struct Run {
    int start;
    int length;
  };

  static Cells under(const Spot& spot);
  Face put(const Cells& cells, const Face& face);
  Run run(int cell, int step) const;
  bool in_line(int cell) const;
  bool touches(const Cells& cells) const;
  std::vector<Line> made(const Cells& cells) const;
  int hopes() const;

  std::vector<std::uint8_t> cells_;  // kinds; 0: empty
  std::vector<Spot> anchors_;
  int left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  // of the anchors
};

}  // namespace kumite::edo_yashiki
