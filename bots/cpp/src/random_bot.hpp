// Plays every game, known or not: it needs only the number of options.
#pragma once

#include "bot.hpp"

namespace kumite {

class RandomBot final : public Bot {
 public:
  std::uint32_t decide(const pb::Ask& ask, Luck& luck) override {
    return std::uniform_int_distribution<std::uint32_t>(0, ask.option_count() - 1)(luck);
  }
};

}  // namespace kumite
