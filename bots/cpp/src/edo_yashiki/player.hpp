// Plays Edo Yashiki by what the typed view shows.
//
// It lays each card where that brings most points and hopes of points, and looks one card ahead: of the best ways it takes
// the one after which a card that it has not seen yet brings most. It wants the card of the row that would bring most, and
// grudges the others theirs.
#pragma once

#include <memory>
#include <vector>

#include "bot.hpp"
#include "edo_yashiki/house.hpp"

namespace kumite::edo_yashiki {

// The points of lines that are scored together.
int points(const std::vector<Line>& lines);

// Specialists: the lines that the tokens pay for, the longest first.
std::vector<Line> scorable(std::vector<Line> lines, unsigned tokens);

class EdoYashikiBot final : public Bot, public Learner {
 public:
  // `otherwise` plays all other games.
  explicit EdoYashikiBot(std::unique_ptr<Bot> otherwise) : otherwise_(std::move(otherwise)) {}

  std::uint32_t decide(const pb::Ask& ask, Luck& luck) override;
  void learn(const pb::DescribeResponse& games) override;

 private:
  std::uint32_t rank(const pb::EdoYashikiAsk& ask, int seat, std::uint32_t count) const;
  std::uint32_t pick(const pb::EdoYashikiAsk& ask, int seat) const;
  std::uint32_t place(const pb::EdoYashikiAsk& ask, int seat, Luck& luck) const;

  std::vector<double> wants(const pb::EdoYashikiView& view, int seat) const;
  double prospect(House house, const Face& face, const Spot& spot, const std::vector<Face>& next) const;
  std::vector<Face> unseen(const pb::EdoYashikiView& view, Luck& luck) const;

  std::unique_ptr<Bot> otherwise_;
  std::vector<Face> faces_;  // of all cards, by number
};

}  // namespace kumite::edo_yashiki
