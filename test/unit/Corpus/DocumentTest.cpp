//===- DocumentTest.cpp - docs/Corpus.md tells the truth ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace ensc::test;

namespace {
/// The state of each id, from the rows "| ID | what | state |" of the document.
std::map<std::string, std::string> documented() {
  std::ifstream file(ENSC_SOURCE_DIR "/docs/Corpus.md");
  std::map<std::string, std::string> states;
  for (std::string line; std::getline(file, line);) {
    size_t end = line.find(" | ");
    if (line.rfind("| ", 0) != 0 || end == std::string::npos ||
        line.find("-A") != end - 4)
      continue;
    states[line.substr(2, end - 2)] =
        line.substr(line.rfind(" | ", line.size() - 3));
  }
  return states;
}

/// Whether a source under test/unit defines the test `suite`.`name`.
bool isDefined(const std::string &suite, const std::string &name) {
  std::string definition = "TEST(" + suite + ", " + name + ")";
  for (const auto &entry : std::filesystem::recursive_directory_iterator(
           ENSC_SOURCE_DIR "/test/unit")) {
    if (entry.path().extension() != ".cpp")
      continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    if (text.str().find(definition) != std::string::npos)
      return true;
  }
  return false;
}

TEST(CorpusDocument, NamesTestsThatExist) {
  std::regex test("`(\\w+Test)\\.(\\w+)`");
  for (const auto &[id, state] : documented())
    for (std::sregex_iterator at(state.begin(), state.end(), test), end;
         at != end; ++at)
      EXPECT_TRUE(isDefined((*at)[1], (*at)[2])) << id << ": " << at->str();
}

TEST(CorpusDocument, NamesEveryCaseOnce) {
  std::map<std::string, std::string> states = documented();
  EXPECT_EQ(states.size(), 154u);
  std::set<std::string> tested;
  for (const Case &test : allCases())
    EXPECT_TRUE(tested.insert(test.id).second) << test.id << " is there twice";
  for (const auto &[id, state] : states) {
    std::string name = "`Corpus." + id + "`";
    std::replace(name.begin(), name.end(), '-', '_');
    EXPECT_EQ(state.find(name) != std::string::npos, tested.count(id) == 1)
        << id << ": " << state;
  }
  for (const std::string &id : tested)
    EXPECT_EQ(states.count(id), 1u) << id << " is not documented";
}
} // namespace
