// Houses of Edo Yashiki: lines, points and places, against small houses drawn by hand.
#include "edo_yashiki/house.hpp"

#include <algorithm>
#include <iostream>

#include "edo_yashiki/player.hpp"

namespace {

using kumite::edo_yashiki::Face;
using kumite::edo_yashiki::House;
using kumite::edo_yashiki::Line;
using kumite::edo_yashiki::Spot;

constexpr std::uint8_t kFloor = 1, kTatami = 2, kPond = 3, kGarden = 4;
constexpr Face kLeft = {kFloor, kPond, kTatami, kPond, kGarden, kTatami};   // floor on top at the left
constexpr Face kFloors = {kFloor, kFloor, kGarden, kTatami, kTatami, kGarden};

int failures = 0;

void check(bool holds, const char* fact) {
  if (!holds) {
    ++failures;
    std::cerr << "does not hold: " << fact << '\n';
  }
}

House house_of(const Face& first) {
  House house;
  house.lay(first, {});
  return house;
}

bool contains(const std::vector<Spot>& spots, const Spot& spot) {
  return std::find(spots.begin(), spots.end(), spot) != spots.end();
}

void lines_go_on_across_cards() {
  House house = house_of(kLeft);
  const std::vector<Line> made = house.lines(kFloors, {-2, 0});

  check(made == std::vector<Line>{{kFloor, 3}}, "two floors beside a floor are a line of three");
  check(house.lines(kFloors, {-2, 0, true}).empty(), "turned, the floors lie in another row");
  check(house.lines(kLeft, {5, 5}).empty(), "a card by itself makes no line");
}

void trying_a_card_changes_nothing() {
  House house = house_of(kLeft);
  const std::vector<Spot> before = house.spots();
  const House::Outlook first = house.consider(kFloors, {-2, 0});
  const House::Outlook second = house.consider(kFloors, {-2, 0});

  check(first.made == second.made && first.hopes == second.hopes, "the same card brings the same again");
  check(house.spots() == before, "the places are those from before");
}

void a_card_lies_beside_or_over_the_house() {
  const std::vector<Spot> spots = house_of(kLeft).spots();

  check(contains(spots, {2, 0}), "beside it");
  check(contains(spots, {1, 1, true}), "partly over it");
  check(!contains(spots, {0, 0}), "not where the first card has its anchor");
  check(!contains(spots, {2, 3}), "not at a mere corner");
  check(!contains(spots, {4, 0}), "not apart from it");
  // Two by three cells each: 5 by 7 anchors meet or touch it, but for the corners of that field and its own anchor.
  check(spots.size() == 2 * (5 * 7 - 4 - 1), "every place is found once for each way round");
}

void lines_are_never_covered() {
  House house = house_of(kLeft);
  house.lay(kFloors, {-2, 0});
  const std::vector<Spot> spots = house.spots();

  check(!contains(spots, {-1, -1}), "over the line");
  check(contains(spots, {-2, 1}), "below it");
}

void points_grow_with_length_and_variety() {
  using kumite::edo_yashiki::points;

  check(points({}) == 0, "no line, no points");
  check(points({{kFloor, 3}}) == 1, "a line of three");
  check(points({{kFloor, 4}, {kFloor, 5}}) == 6, "two lines of one kind");
  check(points({{kFloor, 3}, {kPond, 3}}) == 4, "two kinds bring two more");
  check(points({{kFloor, 3}, {kPond, 3}, {kGarden, 6}}) == 4, "a line of six brings nothing");
}

void tokens_pay_for_lines() {
  using kumite::edo_yashiki::scorable;
  constexpr unsigned kFloorToken = 1, kPondToken = 4;
  const std::vector<Line> lines = {{kFloor, 3}, {kFloor, 5}, {kPond, 4}};

  check(scorable(lines, kFloorToken | kPondToken) == std::vector<Line>{{kFloor, 5}, {kPond, 4}, {kFloor, 3}},
        "when the last token is spent all four come back");
  check(scorable(lines, kFloorToken | kPondToken | 2) == std::vector<Line>{{kFloor, 5}, {kPond, 4}},
        "each token pays for one line, the longest first");
}

}  // namespace

int main() {
  lines_go_on_across_cards();
  trying_a_card_changes_nothing();
  a_card_lies_beside_or_over_the_house();
  lines_are_never_covered();
  points_grow_with_length_and_variety();
  tokens_pay_for_lines();
  return failures == 0 ? 0 : 1;
}
