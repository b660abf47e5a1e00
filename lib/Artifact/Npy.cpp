//===- Npy.cpp - NumPy's file format for one array ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Npy.h"

#include "ArrayBytes.h"
#include "NpyHeader.h"
#include "ensc/API/Allocate.h"
#include "ensc/Artifact/AtomicFile.h"

#include <cstring>
#include <vector>

using namespace ensc;

namespace {
constexpr char magic[] = "\x93NUMPY";
constexpr size_t magicSize = 6;

/// Headers describe one array in a line of text; NumPy refuses long ones, too.
constexpr uint64_t maxHeaderBytes = 1 << 20;

struct Descr {
  const char *text;
  DType dtype;
};
constexpr Descr descrTable[] = {
    {"<f4", DType::F32}, {"<f8", DType::F64}, {"|b1", DType::I1},
    {"<i4", DType::I32}, {"<i8", DType::I64}, {"<u4", DType::UI32},
};

const char *descrOf(DType dtype) {
  for (const Descr &descr : descrTable)
    if (descr.dtype == dtype)
      return descr.text;
  return nullptr;
}

/// The type in the language that an unsupported type converts to.
const char *convertibleTo(const std::string &descr) {
  if (descr.size() < 3)
    return nullptr;
  std::string kind = descr.substr(1);
  if (kind == "f4" || kind == "f2")
    return "float32";
  if (kind == "f8" || kind == "f16")
    return "float64";
  if (kind == "i1" || kind == "u1" || kind == "i2" || kind == "u2" ||
      kind == "i4")
    return "int32";
  if (kind == "i8" || kind == "u8")
    return "int64";
  if (kind == "u4")
    return "uint32";
  return nullptr;
}

Expected<DType> parseDescr(const std::string &descr) {
  for (const Descr &known : descrTable)
    if (descr == known.text)
      return known.dtype;
  std::string text = "element type '" + descr + "' is not supported; ";
  if (const char *name = convertibleTo(descr))
    return Error(ErrorKind::Unsupported,
                 text + "convert the array with .astype('" + name + "')");
  return Error(ErrorKind::Unsupported,
               text + "expected float32, float64, bool, int32, int64 or "
                      "uint32 in little-endian order");
}

Expected<NpyHeader> readHeader(ByteSource &source) {
  unsigned char start[8];
  if (source.remaining() < sizeof(start) + 2)
    return Error(ErrorKind::InvalidData,
                 "not a npy file: it has only " +
                     std::to_string(source.remaining()) + " bytes");
  if (Status status = source.read(start, sizeof(start)); !status)
    return status.error();
  if (std::memcmp(start, magic, magicSize) != 0)
    return Error(ErrorKind::InvalidData,
                 "not a npy file: it does not start with \\x93NUMPY");
  unsigned major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    return Error(ErrorKind::Unsupported,
                 "npy version " + std::to_string(major) + "." +
                     std::to_string(minor) +
                     " is not supported; versions 1.0, 2.0 and 3.0 are");
  unsigned char length[4] = {0, 0, 0, 0};
  if (Status status = source.read(length, major == 1 ? 2 : 4); !status)
    return status.error();
  uint64_t bytes = length[0] | length[1] << 8 | length[2] << 16 |
                   static_cast<uint64_t>(length[3]) << 24;
  if (bytes > source.remaining() || bytes > maxHeaderBytes)
    return Error(ErrorKind::InvalidData,
                 "the npy header claims " + std::to_string(bytes) +
                     " bytes; at most " + std::to_string(maxHeaderBytes) +
                     " are allowed and " + std::to_string(source.remaining()) +
                     " are left");
  std::string text(bytes, '\0');
  if (Status status = source.read(text.data(), bytes); !status)
    return status.error();
  return parseNpyHeader(text);
}

/// Copies elements from Fortran order to C order. `source` has the extents of
/// `shape` reversed, in C order.
Tensor transposed(const Tensor &source, const Shape &shape) {
  Tensor result = Tensor::zeros(source.dtype(), shape);
  size_t bytes = sizeOf(source.dtype());
  const char *from = static_cast<const char *>(source.bytes());
  char *to = static_cast<char *>(result.bytes());
  std::vector<int64_t> index(shape.size(), 0), stride(shape.size(), 1);
  for (size_t dim = 1; dim < shape.size(); ++dim)
    stride[dim] = stride[dim - 1] * shape[dim - 1];
  int64_t offset = 0;
  for (int64_t i = 0, count = result.size(); i < count; ++i) {
    std::memcpy(to + i * bytes, from + offset * bytes, bytes);
    for (size_t dim = shape.size(); dim-- > 0;) {
      offset += stride[dim];
      if (++index[dim] < shape[dim])
        break;
      offset -= stride[dim] * shape[dim];
      index[dim] = 0;
    }
  }
  return result;
}
} // namespace

Expected<NpyInfo> ensc::readNpyInfo(ByteSource &source) {
  Expected<NpyHeader> header = readHeader(source);
  if (!header)
    return header.error();
  Expected<DType> dtype = parseDescr(header->descr);
  if (!dtype)
    return dtype.error();
  Expected<uint64_t> bytes = checkedByteCount(*dtype, header->shape);
  if (!bytes)
    return bytes.error();
  if (*bytes != source.remaining())
    return Error(ErrorKind::InvalidData,
                 std::string(*bytes > source.remaining() ? "truncated"
                                                         : "trailing bytes") +
                     ": " + typeString(*dtype, header->shape) + " has " +
                     std::to_string(*bytes) + " bytes, but " +
                     std::to_string(source.remaining()) + " follow the header");
  return NpyInfo{*dtype, std::move(header->shape), header->fortranOrder};
}

Expected<Tensor> ensc::readNpy(ByteSource &source) {
  Expected<NpyInfo> info = readNpyInfo(source);
  if (!info)
    return info.error();
  bool swaps = info->fortranOrder && info->shape.size() > 1;
  Shape stored = info->shape;
  if (swaps)
    stored.assign(info->shape.rbegin(), info->shape.rend());
  Expected<Tensor> tensor = allocateTensor(
      info->dtype, stored, "an array, " + typeString(info->dtype, stored));
  if (!tensor)
    return tensor;
  if (Status status = source.read(tensor->bytes(), source.remaining()); !status)
    return status.error();
  if (Status status = source.finish(); !status)
    return status.error();
  if (info->dtype == DType::I1)
    if (Status status = checkBooleans(*tensor); !status)
      return status.error();
  return swaps ? transposed(*tensor, info->shape) : tensor;
}

Expected<std::optional<Tensor>> ensc::mapNpy(const std::string &path) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  FileRange source(*file);
  Expected<NpyInfo> info = readNpyInfo(source);
  if (!info)
    return info.error().inContext(path);
  constexpr uint64_t alignment = 64;
  uint64_t start = (*file)->size() - source.remaining();
  bool swaps = info->fortranOrder && info->shape.size() > 1;
  if (swaps || start % alignment != 0)
    return std::optional<Tensor>();
  Expected<std::shared_ptr<void>> memory = (*file)->map();
  if (!memory)
    return memory.error().inContext(path);
  Tensor tensor =
      Tensor::view(info->dtype, std::move(info->shape),
                   static_cast<char *>(memory->get()) + start, *memory);
  if (tensor.dtype() == DType::I1)
    if (Status status = checkBooleans(tensor); !status)
      return status.error().inContext(path);
  return std::optional<Tensor>(std::move(tensor));
}

Expected<Tensor> ensc::readNpy(const std::string &path) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  FileRange source(*file);
  Expected<Tensor> tensor = readNpy(source);
  if (!tensor)
    return tensor.error().inContext(path);
  return tensor;
}

std::string ensc::npyHeader(DType dtype, const Shape &shape) {
  std::string tuple = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    tuple += (i ? ", " : "") + std::to_string(shape[i]);
  tuple += shape.size() == 1 ? ",)" : ")";
  std::string text = "{'descr': '" + std::string(descrOf(dtype)) +
                     "', 'fortran_order': False, 'shape': " + tuple + ", }";
  // The elements start at a multiple of 64 bytes, as NumPy has it.
  size_t start = magicSize + 2 + 2;
  text.append(63 - (start + text.size()) % 64, ' ');
  text += '\n';
  std::string header(magic, magicSize);
  header += '\1';
  header += '\0';
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

Status ensc::writeNpy(const std::string &path, const Tensor &tensor) {
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.error();
  std::string header = npyHeader(tensor.dtype(), tensor.shape());
  if (Status status = file->write(header); !status)
    return status;
  if (Status status = file->write(tensor.bytes(), tensor.sizeInBytes());
      !status)
    return status;
  return file->commit();
}
