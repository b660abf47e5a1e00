//===- Report.cpp - ensc report -------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Report/HtmlReport.h"

#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string> experiment(cl::Positional, cl::Required,
                                       cl::desc("<experiment>"),
                                       cl::cat(tool::category),
                                       cl::sub(tool::reportCommand));
static cl::opt<std::string>
    output("o",
           cl::desc("Where to write the page, or - for standard output; "
                    "report.html in the experiment without it"),
           cl::value_desc("file"), cl::cat(tool::category),
           cl::sub(tool::reportCommand));

static Status writeReport() {
  Expected<ExperimentReader> reader = ExperimentReader::open(experiment);
  if (!reader)
    return reader.error();
  Expected<RunHistory> history = RunHistory::open(
      experiment, reportPointsPerRun(static_cast<size_t>(reader->runs()),
                                     reader->metrics().size()));
  if (!history)
    return history.error();
  if (Status status = history->refresh(); !status)
    return status;
  tool::warnOfLostRecords(*reader);
  std::error_code ignored;
  std::string title =
      std::filesystem::weakly_canonical(experiment.getValue(), ignored)
          .filename()
          .string();
  std::string page = makeHtmlReport(*history, title);
  if (output == "-") {
    llvm::outs() << page;
    return Status::success();
  }
  if (reader->owns(output))
    return Error(ErrorKind::InvalidArgument,
                 "-o " + output +
                     ": this is a file of the experiment itself; name "
                     "another one");
  std::string path = output.empty() ? experiment + "/report.html" : output;
  if (Status status = writeFileAtomically(path, page); !status)
    return status;
  llvm::outs() << path << "\n";
  return Status::success();
}

int tool::reportMain() {
  Status status = writeReport();
  return status ? 0 : fail(status.error());
}
