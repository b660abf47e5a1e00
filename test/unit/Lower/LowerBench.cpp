//===- LowerBench.cpp - Kernels against the peak of the CPU ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times the contractions of a step of a two-layer perceptron with 16 lanes, the
// updates of Adam in the epilogues of the weight gradients, as a fraction of
// the multiply-adds that this CPU does in a loop of independent chains. Prints
// one line per kernel; no test.
//
//===----------------------------------------------------------------------===//

#include "PhaseCases.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <ctime>
#include <map>

using namespace ensc;
using namespace ensc::test;

namespace {

/// Seconds of this thread's own time: other processes may share the core.
double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

template <typename Run> double bestOf(int repeats, Run run) {
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    double start = now();
    run();
    best = std::min(best, now() - start);
  }
  return best;
}

using Vector = float __attribute__((vector_size(64)));

/// Multiply-adds per second in 16 independent chains of vectors.
template <typename Step> double fmaRate(Step step) {
  constexpr int chains = 16, steps = 20000;
  static Vector sums[chains];
  double seconds = bestOf(30, [&] { step(sums, steps); });
  return 16.0 * chains * steps / seconds;
}

#define ENSC_CHAINS                                                            \
  Vector x = sums[0] + 0.5f, local[16];                                        \
  for (int i = 0; i < 16; ++i)                                                 \
    local[i] = sums[i];                                                        \
  for (int k = 0; k < steps; ++k) {                                            \
    _Pragma("clang loop unroll(full)") for (int i = 0; i < 16; ++i) local[i] = \
        __builtin_elementwise_fma(local[i], x, x);                             \
    asm volatile("" : "+m"(sums[0]));                                          \
  }                                                                            \
  for (int i = 0; i < 16; ++i)                                                 \
    sums[i] = local[i];

__attribute__((target("avx512f"))) void wideChains(Vector *sums, int steps) {
  ENSC_CHAINS
}

__attribute__((target("avx2,fma"))) void narrowChains(Vector *sums, int steps) {
  using Half = float __attribute__((vector_size(32)));
  Half local[12] = {}, x = {0.5f};
  for (int k = 0; k < steps; ++k)
    for (int repeat = 0; repeat < 2; ++repeat) {
      _Pragma("clang loop unroll(full)") for (int i = 0; i < 12; ++i) local[i] =
          __builtin_elementwise_fma(local[i], x, x);
      asm volatile("" : "+m"(sums[0]));
    }
  for (int i = 0; i < 12; ++i)
    std::memcpy(&sums[i], &local[i], sizeof(Half));
}

double peakOf(bool wide) {
  if (wide)
    return fmaRate(wideChains);
  // 12 chains of 8 twice per step instead of 16 of 16.
  return fmaRate(narrowChains) * (12 * 8 * 2) / (16 * 16);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

constexpr int64_t batch = 32, in = 64, hidden = 32, out = 10;

std::string tensorOf(std::initializer_list<int64_t> shape, bool perRun,
                     int64_t lanes) {
  std::string text = "memref<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  if (perRun && lanes)
    text += std::to_string(lanes) + "x";
  return text + "f32>";
}

/// Writes phases; buffers are laid out one after another.
class Writer {
public:
  explicit Writer(int64_t lanes) : lanes(lanes) {}

  void buffer(const std::string &name, std::initializer_list<int64_t> shape) {
    int64_t elements = std::max<int64_t>(lanes, 1);
    for (int64_t extent : shape)
      elements *= extent;
    types[name] = tensorOf(shape, true, lanes);
    views += "  %" + name + "_o = arith.constant " + std::to_string(bytes) +
             " : index\n  %" + name + " = memref.view %arena[%" + name +
             "_o][] : memref<BYTESxi8> to " + types[name] + "\n";
    bytes += (elements * 4 + 63) / 64 * 64;
  }

  std::string load(const std::string &result, const std::string &name,
                   const std::string &indices) {
    return "      %" + result + " = memref.load %" + name + "[" + indices +
           lane() + "] : " + types[name] + "\n";
  }
  std::string store(const std::string &value, const std::string &name,
                    const std::string &indices) {
    return "      memref.store %" + value + ", %" + name + "[" + indices +
           lane() + "] : " + types[name] + "\n";
  }

  void contract(int64_t m, int64_t n, int64_t k, const std::string &factors,
                const std::string &epilogue) {
    std::string l = lanes ? ", %l: index" : "";
    body += "    ens.contract domain = [" + std::to_string(m) + ", " +
            std::to_string(n) + (lanes ? ", " + std::to_string(lanes) : "") +
            "] " + (lanes ? "lanes " : "") + "over = [" + std::to_string(k) +
            "] : f32 {\n    ^bb0(%i: index, %j: index" + l + ", %k: index):\n" +
            factors +
            "      ens.yield %a, %b : f32, f32\n    } epilogue {\n"
            "    ^bb0(%i: index, %j: index" +
            l + ", %sum: f32):\n" + epilogue + "    }\n";
    multiplyAdds += m * n * k;
  }

  std::string str() {
    std::string instance = lanes ? "lanes" : "solo";
    std::string text =
        "func.func @step." + instance +
        "(%arena: memref<BYTESxi8>, %begin: index, %end: index) -> index "
        "attributes {ens.entry = {name = \"step\", instance = \"" +
        instance +
        "\", lanes = " + std::to_string(std::max<int64_t>(lanes, 1)) +
        " : i64, arena_bytes = BYTES : i64, arguments = [{name = \"x\", "
        "role = \"data\", type = tensor<32x64xf32>}], results = [], "
        "flops_per_step = 0 : i64, cycles_per_step = 0 : i64, "
        "bytes_moved = 0 : i64, bytes_touched = 0 : i64}} {\n"
        "  %x = ens.shared 0 : memref<32x64xf32>\n"
        "  %one = arith.constant 1 : index\n" +
        views + "  scf.for %s = %begin to %end step %one {\n" + body +
        "  }\n  return %end : index\n}\n";
    std::string size = std::to_string(bytes);
    for (size_t at; (at = text.find("BYTES")) != std::string::npos;)
      text.replace(at, 5, size);
    return text;
  }

  std::string lane() const { return lanes ? ", %l" : ""; }

  int64_t lanes, bytes = 0, multiplyAdds = 0;
  std::map<std::string, std::string> types;
  std::string views, body;
};

/// Adam on one weight, as the epilogue of its gradient.
std::string adam(Writer &w, const std::string &name) {
  std::string at = "%i, %j";
  return w.load("p", name, at) + w.load("m", name + "_m", at) +
         w.load("v", name + "_v", at) +
         "      %b1 = arith.constant 0.1 : f32\n"
         "      %b2 = arith.constant 0.001 : f32\n"
         "      %eps = arith.constant 1.0e-8 : f32\n"
         "      %lr = arith.constant 1.0e-3 : f32\n"
         "      %dm = ens.sub %sum, %m : f32\n"
         "      %sm = ens.mul %b1, %dm : f32\n"
         "      %m1 = ens.add %m, %sm : f32\n"
         "      %g2 = ens.mul %sum, %sum : f32\n"
         "      %dv = ens.sub %g2, %v : f32\n"
         "      %sv = ens.mul %b2, %dv : f32\n"
         "      %v1 = ens.add %v, %sv : f32\n"
         "      %root = ens.sqrt %v1 : f32\n"
         "      %den = ens.add %root, %eps : f32\n"
         "      %num = ens.mul %lr, %m1 : f32\n"
         "      %q = ens.div %num, %den : f32\n"
         "      %p1 = ens.sub %p, %q : f32\n" +
         w.store("m1", name + "_m", at) + w.store("v1", name + "_v", at) +
         w.store("p1", name, at);
}

const char *relu = "      %z = arith.constant 0.0 : f32\n"
                   "      %c = ens.compare le, %sum, %z : f32\n"
                   "      %y = ens.select %c, %z, %sum : f32\n";

Writer trainingStep(int64_t lanes) {
  Writer w(lanes);
  for (const char *suffix : {"", "_m", "_v"}) {
    w.buffer(std::string("w1") + suffix, {in, hidden});
    w.buffer(std::string("w2") + suffix, {hidden, out});
  }
  w.buffer("h", {batch, hidden});
  w.buffer("dh", {batch, hidden});
  w.buffer("dz", {batch, out});
  std::string shared = "memref.load %x[%i, %k] : memref<32x64xf32>\n";
  std::string sharedT = "memref.load %x[%k, %i] : memref<32x64xf32>\n";
  w.contract(batch, hidden, in,
             "      %a = " + shared + w.load("b", "w1", "%k, %j"),
             relu + w.store("y", "h", "%i, %j"));
  w.contract(batch, out, hidden,
             w.load("a", "h", "%i, %k") + w.load("b", "w2", "%k, %j"),
             "      %z = arith.constant 0.25 : f32\n"
             "      %y = ens.mul %z, %sum : f32\n" +
                 w.store("y", "dz", "%i, %j"));
  w.contract(batch, hidden, out,
             w.load("a", "dz", "%i, %k") + w.load("b", "w2", "%j, %k"),
             w.load("y", "h", "%i, %j") +
                 "      %z = arith.constant 0.0 : f32\n"
                 "      %c = ens.compare gt, %y, %z : f32\n"
                 "      %d = ens.select %c, %sum, %z : f32\n" +
                 w.store("d", "dh", "%i, %j"));
  w.contract(hidden, out, batch,
             w.load("a", "h", "%k, %i") + w.load("b", "dz", "%k, %j"),
             adam(w, "w2"));
  w.contract(in, hidden, batch,
             "      %a = " + sharedT + w.load("b", "dh", "%k, %j"),
             adam(w, "w1"));
  return w;
}

void time(int64_t lanes, const std::string &cpu, double peak) {
  Writer step = trainingStep(lanes);
  double start = now();
  LoadedProgram program(step.str(), cpu);
  double compiled = now() - start;
  ensc_entry entry = program.lookup(lanes ? "step_lanes" : "step_solo");
  if (!entry)
    return;
  Tensor arena = Tensor::zeros(DType::F32, {step.bytes / 4 + (1 << 18)});
  Tensor x = Tensor::zeros(DType::F32, {batch, in});
  std::mt19937 random(1);
  for (Tensor *tensor : {&arena, &x})
    for (int64_t i = 0; i < tensor->size(); ++i)
      tensor->data<float>()[i] = random() % 1000 * 1e-4f;
  const void *arguments[] = {x.bytes()};
  ensc_group group{ENSC_ABI_VERSION, static_cast<uint32_t>(lanes),
                   arguments,        nullptr,
                   nullptr,          arena.bytes()};
  constexpr int steps = 20;
  double seconds = bestOf(40, [&] { entry(&group, 0, steps); }) / steps;
  double runs = std::max<int64_t>(lanes, 1);
  llvm::outs() << cpu << (lanes ? ", lanes" : ", solo") << ": "
               << seconds / runs * 1e6 << " us per run and step, "
               << 100 * step.multiplyAdds * runs / seconds / peak
               << " % of the peak, compiled in " << compiled * 1e3 << " ms\n";
}

} // namespace

int main() {
  double wide = __builtin_cpu_supports("avx512f") ? peakOf(true) : 0;
  double narrow = peakOf(false);
  llvm::outs() << "peak: " << 2e-9 * wide << " and " << 2e-9 * narrow
               << " GFLOP/s\n";
  for (int64_t lanes : {16, 0}) {
    if (wide > 0)
      time(lanes, "native", wide);
    time(lanes, "x86-64-v3", narrow);
  }
  return 0;
}
