#include "resume.hpp"

#include <fcntl.h>
#include <openssl/sha.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace kumite {
namespace {

constexpr std::size_t kLongestToken = 4096;
constexpr std::size_t kDigestBytes = 16;

// The file's name: one for each referee and name; a bot without a name is known by its token.
std::string file_name(const Config& config) {
  const std::string who = config.address + '\0' + (config.name.empty() ? config.token : config.name);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(who.data()), who.size(), digest.data());
  std::string name = "resume-";
  for (std::size_t i = 0; i < kDigestBytes; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    name += kDigits[digest[i] >> 4];
    name += kDigits[digest[i] & 15];
  }
  return name;
}

}  // namespace

ResumeFile::ResumeFile(const Config& config) {
  if (config.state.empty()) {
    return;
  }
  if (!open(config)) {
    report("the resume token is not remembered: " + std::string(std::strerror(errno)));
    return;
  }
  std::string text(kLongestToken, '\0');
  const ssize_t size = pread(file_, text.data(), text.size(), 0);
  token_ = text.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0);
}

bool ResumeFile::open(const Config& config) {
  std::error_code ignored;  // if the folder cannot be made, the file cannot be opened
  std::filesystem::create_directories(config.state, ignored);
  path_ = std::filesystem::path(config.state) / file_name(config);
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    close(file_);
    file_ = -1;
    errno = reason;
  }
  return file_ >= 0;
}

ResumeFile::~ResumeFile() {
  if (token_.empty()) {
    forget();
  }
  if (file_ >= 0) {
    close(file_);
  }
}

void ResumeFile::keep(const std::string& token) {
  if (token == token_) {
    return;
  }
  token_ = token;
  if (file_ >= 0 && (ftruncate(file_, 0) != 0 || pwrite(file_, token.data(), token.size(), 0) < 0)) {
    report("the resume token is not remembered: " + std::string(std::strerror(errno)));
  }
}

void ResumeFile::forget() {
  if (file_ >= 0) {
    unlink(path_.c_str());
  }
}

}  // namespace kumite
