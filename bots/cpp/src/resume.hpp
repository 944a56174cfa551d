// Remembers the resume token in a file, so that a program that was killed and is started again gets its tables back.
#pragma once

#include <filesystem>
#include <string>

#include "config.hpp"

namespace kumite {

// The file is locked while the bot plays: a second bot under the same name does not steal the tables of the first. If
// the file cannot be used, the token is remembered for this run only.
class ResumeFile {
 public:
  explicit ResumeFile(const Config& config);
  ~ResumeFile();
  ResumeFile(const ResumeFile&) = delete;
  ResumeFile& operator=(const ResumeFile&) = delete;

  // What is remembered; empty: nothing.
  const std::string& token() const { return token_; }

  // Remembers a token; an empty one: nothing.
  void keep(const std::string& token);

  // Nothing is left to resume.
  void forget();

 private:
  bool open(const Config& config);

  std::filesystem::path path_;
  int file_ = -1;
  std::string token_;
};

}  // namespace kumite
