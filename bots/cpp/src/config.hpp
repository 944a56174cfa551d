// Where to play and under which name.
#pragma once

#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>

namespace kumite {

struct Config {
  std::string address;       // host:port or unix:/path
  std::string name;          // may be empty with a token
  std::string token;         // sent as bearer token; empty: none
  std::string ca_file;       // PEM file of the authority to trust; empty: no TLS
  std::string state;         // folder in which to remember the resume token; empty: nowhere
  std::string software;      // what to call the program in records
  std::uint32_t tables = 1;  // how many to play at a time
  std::uint64_t seed = 0;    // what all luck of the bot grows from
};

// Says something to people.
inline void report(std::string_view line) { std::cerr << "kumite: " << line << std::endl; }

}  // namespace kumite
