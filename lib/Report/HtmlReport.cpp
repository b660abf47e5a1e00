//===- HtmlReport.cpp - An experiment as one page -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/HtmlReport.h"

#include "Assets.h"
#include "PageData.h"

#include <algorithm>

using namespace ensc;

size_t ensc::reportPointsPerRun(size_t runs, size_t metrics) {
  // A value takes some 8 bytes.
  constexpr size_t values = 350'000;
  size_t curves = std::min(runs, reportRuns) * std::max<size_t>(metrics, 1);
  return std::clamp<size_t>(values / std::max<size_t>(curves, 1), 8, 256);
}

static std::string escapeHtml(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

std::string ensc::makeHtmlReport(const RunHistory &history,
                                 std::string_view title) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\">\n";
  // Whatever the text of an experiment, nothing is loaded or sent.
  page += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
          "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n";
  page += "<title>" + escapeHtml(title) + " – ensc</title>\n<style>\n";
  page += assets::style;
  page += "</style>\n</head>\n<body>\n";
  page += assets::body;
  page += "<script type=\"text/plain\" id=\"d3-licence\">\n";
  page += assets::libraryLicence;
  page += "</script>\n<script type=\"application/json\" id=\"data\">\n";
  page += makePageData(history, title);
  page += "\n</script>\n<script>\n";
  page += assets::library;
  page += "</script>\n<script>\n";
  page += assets::script;
  return page + "</script>\n</body>\n</html>\n";
}
