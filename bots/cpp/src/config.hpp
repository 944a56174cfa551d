// Where to play and under which name.
#pragma once

#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>

namespace kumite {

struct Config {
  std::string address;       // host:port or unix:/path
  std::string name;          // empty with a token: the token is the name
  std::string token;         // sent as bearer token; empty: none
  std::string ca_file;       // PEM file of the authority to trust; empty: no TLS
  std::string state;         // folder in which to remember the resume token; empty: nowhere
  std::string software;      // program, bot and version; a changed text is a new build on a ladder
  std::uint32_t tables = 1;  // how many to play at a time
  std::uint64_t seed = 0;    // what all luck of the bot grows from
};

// Says something to people.
inline void report(std::string_view line) { std::cerr << "kumite: " << line << std::endl; }

}  // namespace kumite
