//===- Bands.cpp - What many runs do together -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/Bands.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace ensc;

double ensc::quantileOf(const std::vector<double> &sorted, double fraction) {
  if (sorted.empty())
    return std::numeric_limits<double>::quiet_NaN();
  double place = fraction * double(sorted.size() - 1);
  size_t below = static_cast<size_t>(place);
  size_t above = std::min(below + 1, sorted.size() - 1);
  double part = place - double(below);
  // A neighbour without a part may be infinite.
  if (part == 0)
    return sorted[below];
  // In halves, since the difference of the neighbours may overflow.
  return sorted[below] * (1 - part) + sorted[above] * part;
}

namespace {
using ValuesByStep = std::map<int64_t, std::vector<double>>;

/// The finite values of a run, each at its step. Most runs have the steps of
/// the one before, so that the next place is near.
void collectValues(const RunHistory &history, size_t run, size_t metric,
                   ValuesByStep &values) {
  const RunTrack &track = history.runs()[run];
  size_t width = history.experiment().metrics().size();
  auto place = values.begin();
  for (size_t i = 0; i < track.keptSteps.size(); ++i) {
    double value = track.keptValues[i * width + metric];
    if (!std::isfinite(value))
      continue;
    place = values.try_emplace(place, track.keptSteps[i]);
    place->second.push_back(value);
    ++place;
  }
}

/// Finite values by step. Runs end at steps of their own; of the records that
/// only an end has made, those of the longest runs are taken.
ValuesByStep collectValues(const RunHistory &history, size_t metric,
                           size_t program) {
  int64_t last = 0;
  for (size_t run = 0; run < history.runs().size(); ++run)
    if (history.programOf(run) == program)
      last = std::max(last, history.runs()[run].steps);
  ValuesByStep values;
  for (size_t run = 0; run < history.runs().size(); ++run) {
    if (history.programOf(run) != program)
      continue;
    collectValues(history, run, metric, values);
    const RunTrack &track = history.runs()[run];
    bool kept = !track.keptSteps.empty() && track.keptSteps.back() == last;
    if (track.records > 0 && track.steps == last && !kept &&
        std::isfinite(track.latest[metric]))
      values[last].push_back(track.latest[metric]);
  }
  return values;
}

/// Leaves out the steps at which few runs have a record although many go on:
/// ends of single runs between the records of the others.
void dropLoneSteps(Band &band) {
  int64_t later = 0;
  std::vector<bool> keep(band.steps.size());
  for (size_t i = band.steps.size(); i-- > 0;) {
    keep[i] = 2 * band.counts[i] >= later;
    later = std::max(later, band.counts[i]);
  }
  auto filter = [&](auto &values) {
    size_t kept = 0;
    for (size_t i = 0; i < keep.size(); ++i)
      if (keep[i])
        values[kept++] = values[i];
    values.resize(kept);
  };
  filter(band.steps);
  filter(band.low);
  filter(band.median);
  filter(band.high);
  filter(band.counts);
}
} // namespace

Band ensc::makeBand(const RunHistory &history, size_t metric, size_t program) {
  Band band;
  ValuesByStep valuesByStep = collectValues(history, metric, program);
  for (auto &[step, values] : valuesByStep) {
    std::sort(values.begin(), values.end());
    band.steps.push_back(step);
    band.low.push_back(quantileOf(values, 0.25));
    band.median.push_back(quantileOf(values, 0.5));
    band.high.push_back(quantileOf(values, 0.75));
    band.counts.push_back(static_cast<int64_t>(values.size()));
  }
  dropLoneSteps(band);
  return band;
}

std::vector<double> ensc::curveOf(const RunHistory &history, int64_t run,
                                  size_t metric) {
  const RunTrack &track = history.runs()[run];
  size_t width = history.experiment().metrics().size();
  std::vector<double> curve;
  for (size_t i = 0; i < track.keptSteps.size(); ++i)
    curve.push_back(track.keptValues[i * width + metric]);
  bool kept = !track.keptSteps.empty() && track.keptSteps.back() == track.steps;
  if (track.records > 0 && !kept)
    curve.push_back(track.latest[metric]);
  return curve;
}

static double meanOf(const std::vector<double> &values, size_t begin,
                     size_t end) {
  double sum = 0;
  for (size_t i = begin; i < end; ++i)
    sum += values[i] / double(end - begin);
  return sum;
}

std::string ensc::sparkline(std::vector<double> values, size_t width) {
  static constexpr const char *bars[] = {"▁", "▂", "▃", "▄",
                                         "▅", "▆", "▇", "█"};
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](double x) { return !std::isfinite(x); }),
               values.end());
  size_t count = std::min(values.size(), width);
  std::vector<double> parts;
  for (size_t i = 0; i < count; ++i)
    parts.push_back(meanOf(values, i * values.size() / count,
                           (i + 1) * values.size() / count));
  if (parts.empty())
    return "";
  double low = *std::min_element(parts.begin(), parts.end());
  double high = *std::max_element(parts.begin(), parts.end());
  std::string text;
  for (double part : parts) {
    // In halves, since the difference may overflow.
    double share =
        high > low ? (part / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
    text += bars[std::lround(share * 7)];
  }
  return text;
}
