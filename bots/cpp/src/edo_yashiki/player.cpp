#include "edo_yashiki/player.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <numeric>
#include <optional>

namespace kumite::edo_yashiki {
namespace {

// Points for lines of so many different kinds.
constexpr std::array kVarietyPoints = {0, 0, 2, 4, 6};
// What a hope of a point is worth, in points.
constexpr double kHope = 0.05;
// What it is worth to take a point away from another player.
constexpr double kGrudge = 0.5;
// What a point of the next card is worth.
constexpr double kAhead = 0.5;
// Ways to lay a card after which the next card is looked at, and cards that are looked at.
constexpr std::size_t kCandidates = 12;
constexpr std::size_t kSample = 12;
constexpr unsigned kAllTokens = 0b1111;

// Specialists: the tokens of a seat; none by the other rules.
std::optional<unsigned> tokens(const pb::EdoYashikiView& view, int seat) {
  return view.specialists() ? std::optional<unsigned>(view.tokens(seat)) : std::nullopt;
}

// What it brings to lay a card so.
double worth(House& house, const Face& face, const Spot& spot, std::optional<unsigned> tokens) {
  const House::Outlook outlook = house.consider(face, spot);
  return points(tokens ? scorable(outlook.made, *tokens) : outlook.made) + kHope * outlook.hopes;
}

// The place of the highest value, the first one of equals.
std::uint32_t best(const std::vector<double>& values) {
  return static_cast<std::uint32_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

}  // namespace

int points(const std::vector<Line>& lines) {
  int total = 0;
  unsigned kinds = 0;
  for (const Line& line : lines) {
    if (const int worth = line_points(line.length); worth > 0) {
      total += worth;
      kinds |= 1U << line.kind;
    }
  }
  return total + kVarietyPoints[static_cast<std::size_t>(std::popcount(kinds))];
}

std::vector<Line> scorable(std::vector<Line> lines, unsigned tokens) {
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return line_points(a.length) > line_points(b.length); });
  std::vector<Line> scored;
  for (const Line& line : lines) {
    const unsigned token = 1U << (line.kind - 1);
    if (line_points(line.length) > 0 && (tokens & token) != 0) {
      scored.push_back(line);
      tokens = tokens == token ? kAllTokens : tokens & ~token;
    }
  }
  return scored;
}

void EdoYashikiBot::learn(const pb::DescribeResponse& games) {
  for (const pb::GameInfo& game : games.games()) {
    if (!game.has_edo_yashiki()) {
      continue;
    }
    faces_.clear();
    for (const pb::EdoYashikiCard& card : game.edo_yashiki().cards()) {
      Face face{};
      for (int i = 0; i < std::min(card.cells_size(), static_cast<int>(face.size())); ++i) {
        face[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(card.cells(i));
      }
      faces_.push_back(face);
    }
  }
}

std::uint32_t EdoYashikiBot::decide(const pb::Ask& ask, Luck& luck) {
  if (!ask.has_edo_yashiki() || faces_.empty()) {
    return otherwise_->decide(ask, luck);
  }
  const pb::EdoYashikiAsk& question = ask.edo_yashiki();
  const int seat = static_cast<int>(ask.seat());
  if (ask.kind() == "rank_cards") {
    return rank(question, seat, ask.option_count());
  }
  if (ask.kind() == "pick_card") {
    return pick(question, seat);
  }
  if (ask.kind() == "place_card") {
    return place(question, seat, luck);
  }
  if (ask.kind() == "score_line") {  // the longest; it never stops early
    std::vector<double> values;
    for (const std::uint32_t line : question.lines()) {
      values.push_back(line_points(static_cast<int>(question.view().line_length(static_cast<int>(line)))));
    }
    return best(values);
  }
  return otherwise_->decide(ask, luck);
}

// The ranking with the most wanted card first, and so on down.
std::uint32_t EdoYashikiBot::rank(const pb::EdoYashikiAsk& ask, int seat, std::uint32_t count) const {
  const std::vector<double> wanted = wants(ask.view(), seat);
  const std::size_t cards = wanted.size();
  std::vector<double> values;
  for (std::size_t option = 0; option < count; ++option) {
    double value = 0;
    for (std::size_t place = 0; place < cards; ++place) {
      const auto index = static_cast<unsigned char>(ask.rankings().at(option * cards + place));
      value += wanted.at(index) * static_cast<double>(cards - place);
    }
    values.push_back(value);
  }
  return best(values);
}

std::uint32_t EdoYashikiBot::pick(const pb::EdoYashikiAsk& ask, int seat) const {
  const std::vector<double> wanted = wants(ask.view(), seat);
  std::vector<double> values;
  for (const std::uint32_t index : ask.picks()) {
    values.push_back(wanted.at(index));
  }
  return best(values);
}

std::uint32_t EdoYashikiBot::place(const pb::EdoYashikiAsk& ask, int seat, Luck& luck) const {
  const pb::EdoYashikiView& view = ask.view();
  House house = House::of(view, seat, faces_);
  const Face& face = faces_.at(view.row(view.taken(seat)));
  std::vector<Spot> spots;
  std::vector<double> values;
  for (int i = 0; i < ask.anchor_x_size(); ++i) {
    for (std::uint32_t turned = 0; turned < ask.orientations(); ++turned) {
      spots.push_back({ask.anchor_x(i), ask.anchor_y(i), turned == 1});
      values.push_back(worth(house, face, spots.back(), tokens(view, seat)));
    }
  }
  std::vector<std::size_t> order(spots.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&values](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  order.resize(std::min(order.size(), kCandidates));
  const std::vector<Face> next = unseen(view, luck);
  for (const std::size_t option : order) {
    values[option] += kAhead * prospect(house, face, spots[option], next);
  }
  return static_cast<std::uint32_t>(*std::max_element(
      order.begin(), order.end(), [&values](std::size_t a, std::size_t b) { return values[a] < values[b]; }));
}

// How much a seat wants each card of the row: for what it brings, and for what it would bring others.
std::vector<double> EdoYashikiBot::wants(const pb::EdoYashikiView& view, int seat) const {
  std::vector<double> wanted(static_cast<std::size_t>(view.row_size()));
  const int seats = view.house_sizes_size();
  for (int owner = 0; owner < seats; ++owner) {
    House house = House::of(view, owner, faces_);
    const std::vector<Spot> spots = house.spots();
    const double share = owner == seat ? 1.0 : kGrudge / std::max(1, seats - 1);
    for (int index = 0; index < view.row_size(); ++index) {
      double most = 0;
      for (const Spot& spot : spots) {
        most = std::max(most, worth(house, faces_.at(view.row(index)), spot, tokens(view, owner)));
      }
      wanted[static_cast<std::size_t>(index)] += share * most;
    }
  }
  return wanted;
}

// The points that the next card brings on average after this one was laid.
double EdoYashikiBot::prospect(House house, const Face& face, const Spot& spot, const std::vector<Face>& next) const {
  house.lay(face, spot);
  const std::vector<Spot> spots = house.spots();
  double total = 0;
  for (const Face& card : next) {
    int most = 0;
    for (const Spot& later : spots) {
      most = std::max(most, points(house.lines(card, later)));
    }
    total += most;
  }
  return next.empty() ? 0 : total / static_cast<double>(next.size());
}

// Some of the cards that may still come.
std::vector<Face> EdoYashikiBot::unseen(const pb::EdoYashikiView& view, Luck& luck) const {
  std::vector<bool> seen(faces_.size());
  for (const auto* cards : {&view.house_cards(), &view.row(), &view.history_rows()}) {
    for (const std::uint32_t card : *cards) {
      seen.at(card) = true;
    }
  }
  std::vector<Face> left;
  for (std::size_t card = 0; card < faces_.size(); ++card) {
    if (!seen[card]) {
      left.push_back(faces_[card]);
    }
  }
  std::vector<Face> chosen;
  std::sample(left.begin(), left.end(), std::back_inserter(chosen), kSample, luck);
  return chosen;
}

}  // namespace kumite::edo_yashiki
