// What a bot is: something that decides.
#pragma once

#include <cstdint>
#include <random>

#include "referee/v1/play.pb.h"

namespace pb = referee::v1;

namespace kumite {

// The randomness that a bot is given. It depends on the seed and the question only: a question that comes again after a
// break gets the same answer.
using Luck = std::mt19937_64;

// Decides. The same object sits at all tables, and is asked one question at a time.
class Bot {
 public:
  virtual ~Bot() = default;

  // The index of the chosen option, 0 to ask.option_count() - 1.
  virtual std::uint32_t decide(const pb::Ask& ask, Luck& luck) = 0;
};

// A bot that wants to know the games' cards and boards. Called whenever a connection opens.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual void learn(const pb::DescribeResponse& games) = 0;
};

}  // namespace kumite
