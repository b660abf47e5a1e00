//===- Assets.h - The fixed parts of a page ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_REPORT_ASSETS_H
#define ENSC_LIB_REPORT_ASSETS_H

namespace ensc::assets {

extern const char *const style;          ///< page/report.css
extern const char *const body;           ///< page/report.html
extern const char *const script;         ///< page/*.js, one after the other.
extern const char *const library;        ///< D3.
extern const char *const libraryLicence; ///< What may be done with D3.

} // namespace ensc::assets

#endif // ENSC_LIB_REPORT_ASSETS_H
