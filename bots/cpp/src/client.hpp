// Connects a bot to a Kumite referee and keeps it connected.
//
// It says hello, is ready at every table, returns pings at once, hands questions to the bot, and takes running matches up
// again after a break of the connection or a restart of the program. The protocol is described in ../../proto.
#pragma once

#include <stdexcept>

#include "bot.hpp"
#include "config.hpp"
#include "stop.hpp"

namespace kumite {

// Trying again is no use: the referee refuses the bot, or none answers.
class NoPlay : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Plays until the end is wished for or the referee says goodbye; throws NoPlay.
void run(const Config& config, Bot& bot, Stop& stop);

}  // namespace kumite
