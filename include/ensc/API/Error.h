//===- Error.h - Errors as values -------------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library neither throws, exits nor prints: whatever can fail returns a
// Status or an Expected<T>.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_ERROR_H
#define ENSC_API_ERROR_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace ensc {

/// What went wrong, coarse enough to act on.
enum class ErrorKind {
  InvalidArgument, ///< An option or a call argument makes no sense.
  InvalidModel,    ///< The program does not parse, verify or compile.
  InvalidData,     ///< A file or tensor is malformed or does not fit the model.
  Io,              ///< The operating system refused to read or write.
  Unsupported, ///< Well formed, but ensc cannot do it; the text says what to
               ///< do instead.
  Interrupted, ///< Asked to stop; what was done so far is kept.
  Internal,    ///< A bug in ensc.
};

/// An error with a message for people: what was expected, what was found,
/// where, and how to mend it. Lower case, no final period.
class Error {
public:
  Error(ErrorKind kind, std::string message)
      : kind_(kind), message_(std::move(message)) {}

  ErrorKind kind() const { return kind_; }
  const std::string &message() const { return message_; }

  /// The same error with `context` and a colon in front of the message.
  Error inContext(const std::string &context) const {
    return Error(kind_, context + ": " + message_);
  }

private:
  ErrorKind kind_;
  std::string message_;
};

/// Success, or an Error. Test it before use.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}
  static Status success() { return Status(); }

  explicit operator bool() const { return !error_.has_value(); }
  const Error &error() const {
    assert(error_ && "no error in a successful Status");
    return *error_;
  }

private:
  std::optional<Error> error_;
};

/// A value, or the Error that prevented it. Test it before dereferencing.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : content_(std::move(value)) {}
  Expected(Error error) : content_(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  T &operator*() {
    assert(*this && "dereferencing an Expected that holds an error");
    return *std::get_if<T>(&content_);
  }
  const T &operator*() const {
    assert(*this && "dereferencing an Expected that holds an error");
    return *std::get_if<T>(&content_);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  const Error &error() const {
    assert(!*this && "no error in a successful Expected");
    return *std::get_if<Error>(&content_);
  }

private:
  std::variant<T, Error> content_;
};

} // namespace ensc

#endif // ENSC_API_ERROR_H
