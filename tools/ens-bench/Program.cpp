//===- Program.cpp - Training programs as text ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are templates in which $ names stand for what differs from model to
// model. Types have names: !w0 is the type of the parameter w0.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <cmath>
#include <functional>
#include <utility>

using namespace ensc;
using namespace ensc::bench;

std::vector<std::string> bench::momentsOf(Optimizer optimizer) {
  if (optimizer == Optimizer::Sgd)
    return {};
  return {"m", "v"};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
using Names = std::vector<std::string>;
using Replacements = std::vector<std::pair<std::string, std::string>>;
} // namespace

/// `text` with each name of `replacements` replaced.
static std::string fill(std::string text, const Replacements &replacements) {
  for (const auto &[name, value] : replacements)
    for (size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  return text;
}

static Names map(const Names &names,
                 const std::function<std::string(const std::string &)> &write) {
  Names list;
  for (const std::string &name : names)
    list.push_back(write(name));
  return list;
}

static Names concat(Names names, const Names &more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

/// `items` with commas between them, in short lines that begin
/// with `indent` spaces, except for the first.
static std::string list(const Names &items, size_t indent) {
  constexpr size_t columns = 68;
  std::string text;
  size_t column = indent;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) {
      bool fits = column + items[i].size() + 2 <= columns;
      text += fits ? ", " : ",\n" + std::string(indent, ' ');
      column = fits ? column + 2 : indent;
    }
    text += items[i];
    column += items[i].size();
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Types and names
//===----------------------------------------------------------------------===//

static Names parameterNames(const Model &model) {
  Names names;
  for (const Parameter &parameter : model.parameters())
    names.push_back(parameter.name);
  return names;
}

/// The names of what a run keeps: parameters, then moments as "m_w0".
static Names stateNames(const Model &model) {
  Names names = parameterNames(model), state = names;
  for (const std::string &moment : momentsOf(model.optimizer))
    for (const std::string &name : names)
      state.push_back(moment + "_" + name);
  return state;
}

/// The type of a parameter or of one of its moments.
static std::string typeOf(const std::string &name) {
  return "!" + name.substr(name.find('_') + 1);
}

static std::string defineType(const std::string &name, const Shape &shape,
                              DType dtype = DType::F32) {
  return "!" + name + " = tensor<" + typeString(dtype, shape) + ">\n";
}

/// `rows` is the leading part of the shapes of x and y.
static std::string defineData(const Model &model, const std::string &prefix,
                              Shape rows) {
  Shape x = rows, y = rows;
  x.push_back(model.sizes.front());
  if (model.isRegression())
    y.push_back(1);
  return defineType(prefix + "x", x) +
         defineType(prefix + "y", y,
                    model.isRegression() ? DType::F32 : DType::I32);
}

static std::string defineTypes(const Model &model) {
  std::string text;
  for (const Parameter &parameter : model.parameters())
    text += defineType(parameter.name, parameter.shape);
  for (int64_t layer = 0; layer < model.layers(); ++layer)
    text += defineType("h" + std::to_string(layer),
                       {model.batch, model.sizes[layer + 1]});
  return text + defineData(model, "", {model.batch}) +
         defineType("rows", {model.batch}) + defineType("scalar", {}) +
         defineType("number", {}, DType::I64);
}

//===----------------------------------------------------------------------===//
// Loss
//===----------------------------------------------------------------------===//

static constexpr const char *dense = R"(
  %z$i = ens.dot $input, %w$i lhs_contract = [1] rhs_contract = [0]
      : ($type, !w$i) -> !h$i
  %b$i_rows = ens.broadcast %b$i dims = [1] : !b$i to !h$i
  %a$i = ens.add %z$i, %b$i_rows : !h$i)";

static constexpr const char *activate = R"(
  %h$i = ens.$activation %a$i : !h$i)";

/// From the parameters, %x and %y to %rows: one loss per example.
static std::string lossPerExample(const Model &model) {
  std::string text, input = "%x", type = "!x";
  for (int64_t layer = 0; layer < model.layers(); ++layer) {
    std::string i = std::to_string(layer);
    bool last = layer + 1 == model.layers();
    text += fill(std::string(dense) + (last ? "" : activate),
                 {{"$input", input},
                  {"$type", type},
                  {"$activation", model.isRegression() ? "tanh" : "relu"},
                  {"$i", i}});
    input = (last ? "%a" : "%h") + i;
    type = "!h" + i;
  }
  return text + fill("\n  %rows = ens.$loss $logits, %y : ($type, !y) -> !rows",
                     {{"$loss",
                       model.isRegression() ? "mse" : "softmax_cross_entropy"},
                      {"$logits", input},
                      {"$type", type}});
}

static constexpr const char *lossFunction = R"(
// The loss of a batch.
func.func private @loss(
    $arguments)
    -> !scalar {$rows
  %loss = ens.mean %rows dims = [0] : (!rows) -> !scalar
  return %loss : !scalar
}
)";

static Names declare(const Names &names) {
  return map(names, [](const std::string &name) {
    return "%" + name + ": " + typeOf(name);
  });
}

static std::string defineLoss(const Model &model) {
  Names arguments = concat(parameterNames(model), {"x", "y"});
  return fill(lossFunction, {{"$arguments", list(declare(arguments), 4)},
                             {"$rows", lossPerExample(model)}});
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

static constexpr const char *sgdFunction = R"(
func.func private @update_$p(%p: !$p, %g: !$p, %rate: !scalar) -> !$p {
  %rates = ens.broadcast %rate dims = [] : !scalar to !$p
  %change = ens.mul %rates, %g : !$p
  %p_next = ens.sub %p, %change : !$p
  return %p_next : !$p
}
)";

static constexpr const char *adamFunction = R"(
func.func private @update_$p(%p: !$p, %m: !$p, %v: !$p, %g: !$p,
                             %rate: !scalar, %eps: !scalar)
    -> (!$p, !$p, !$p) {
  %gain1 = ens.constant dense<0.1> : !$p
  %gain2 = ens.constant dense<0.001> : !$p
  // 1.5 * 2^-77: what is small becomes a multiple of 2^-100. Moments that decay
  // would else end in subnormal numbers, which are slow.
  %grid = ens.constant dense<9.926167350636332e-24> : !$p
  %m_short = ens.sub %g, %m : !$p
  %m_gained = ens.mul %gain1, %m_short : !$p
  %m_sum = ens.add %m, %m_gained : !$p
  %m_raised = ens.add %m_sum, %grid : !$p
  %m_next = ens.sub %m_raised, %grid : !$p
  %squares = ens.mul %g, %g : !$p
  %v_short = ens.sub %squares, %v : !$p
  %v_gained = ens.mul %gain2, %v_short : !$p
  %v_sum = ens.add %v, %v_gained : !$p
  %v_raised = ens.add %v_sum, %grid : !$p
  %v_next = ens.sub %v_raised, %grid : !$p
  %root = ens.sqrt %v_next : !$p
  %epsilons = ens.broadcast %eps dims = [] : !scalar to !$p
  %divisor = ens.add %root, %epsilons : !$p
  %rates = ens.broadcast %rate dims = [] : !scalar to !$p
  %m_scaled = ens.mul %rates, %m_next : !$p
  %change = ens.div %m_scaled, %divisor : !$p
  %p_next = ens.sub %p, %change : !$p
  return %p_next, %m_next, %v_next : !$p, !$p, !$p
}
)";

static std::string defineUpdates(const Model &model) {
  const char *function =
      model.optimizer == Optimizer::Sgd ? sgdFunction : adamFunction;
  std::string text = "\n// One step of " +
                     std::string(nameOf(model.optimizer)) +
                     " on each parameter.";
  for (const std::string &name : parameterNames(model))
    text += fill(function, {{"$p", name}});
  return text;
}

//===----------------------------------------------------------------------===//
// The training loop
//===----------------------------------------------------------------------===//

/// Adam's corrections of the moments, once per step: that of the second one as
/// a factor of the rate and of epsilon.
static constexpr const char *adamRates = R"(
    %one = ens.constant dense<1.0> : !scalar
    %number = ens.from_index %step : !number
    %number_float = ens.convert %number : !number to !scalar
    %exponent = ens.add %number_float, %one : !scalar
    %decay1 = ens.constant dense<0.9> : !scalar
    %decay2 = ens.constant dense<0.999> : !scalar
    %power1 = ens.pow %decay1, %exponent : !scalar
    %power2 = ens.pow %decay2, %exponent : !scalar
    %bias1 = ens.sub %one, %power1 : !scalar
    %bias2 = ens.sub %one, %power2 : !scalar
    %root2 = ens.sqrt %bias2 : !scalar
    %rooted = ens.mul %root2, %lr : !scalar
    %rate = ens.div %rooted, %bias1 : !scalar
    %epsilon = ens.constant dense<1.0e-8> : !scalar
    %eps = ens.mul %root2, %epsilon : !scalar)";

static constexpr const char *updateCall = R"(
    $results = func.call @update_$p(
        $operands)
        : ($types) -> ($moved))";

/// The calls that make the next state.
static std::string callUpdates(const Model &model) {
  std::string text;
  for (const std::string &name : parameterNames(model)) {
    Names state = {name};
    for (const std::string &moment : momentsOf(model.optimizer))
      state.push_back(moment + "_" + name);
    Names operands =
        map(state, [](const std::string &leaf) { return "%" + leaf + "_now"; });
    operands.push_back("%g_" + name);
    Names types(operands.size(), "!" + name);
    bool adam = model.optimizer == Optimizer::Adam;
    operands.push_back(adam ? "%rate" : "%lr");
    types.push_back("!scalar");
    if (adam) {
      operands.push_back("%eps");
      types.push_back("!scalar");
    }
    Names results = map(
        state, [](const std::string &leaf) { return "%" + leaf + "_next"; });
    text += fill(updateCall, {{"$results", list(results, 4)},
                              {"$operands", list(operands, 8)},
                              {"$types", list(types, 8)},
                              {"$moved", list(map(state, typeOf), 8)},
                              {"$p", name}});
  }
  return text;
}

/// Batch step % 56 of the data, and the zeros that give its position.
static constexpr const char *pickBatch = R"(
    %batch = arith.remui %step, %batches : index
    %k = ens.from_index %batch : !number
    %x_window = ens.dynamic_slice %x[%k, %first, %first] sizes = [1, $B, $in]
        : (!all_x, !number, !number, !number) -> !window_x
    %x_batch = ens.reshape %x_window : !window_x to !x
    %y_window = ens.dynamic_slice %y[%k, $starts] sizes = [1, $ysizes]
        : (!all_y, !number, $ystarts) -> !window_y
    %y_batch = ens.reshape %y_window : !window_y to !y)";

static std::string pick(const Model &model) {
  bool columns = model.isRegression();
  return fill(
      pickBatch,
      {{"$B", std::to_string(model.batch)},
       {"$in", std::to_string(model.sizes.front())},
       {"$starts", columns ? "%first, %first" : "%first"},
       {"$ystarts", columns ? "!number, !number" : "!number"},
       {"$ysizes", std::to_string(model.batch) + (columns ? ", 1" : "")}});
}

static constexpr const char *trainFunction = R"(
// The steps [begin, end), and the loss of each.
func.func @train(
    $arguments)
    -> ($results) {
  %one_step = arith.constant 1 : index
  %batches = arith.constant $batchCount : index
  %first = ens.constant dense<0> : !number
  %no_losses = ens.constant dense<0.0> : !losses
  $final, %losses
      = scf.for %step = %begin to %end step %one_step
      iter_args($carried,
                %losses_now = %no_losses)
      -> ($types, !losses) {$pick
    %loss, $gradients
        = ens.value_and_grad @loss(
            $operands)
        wrt = [$positions]
        : ($operandTypes)
        -> (!scalar, $gradientTypes)$rates$updates
    %place = arith.subi %step, %begin : index
    %i = ens.from_index %place : !number
    %loss_window = ens.reshape %loss : !scalar to !window_loss
    %losses_next = ens.dynamic_update_slice %losses_now, %loss_window[%i]
        : (!losses, !window_loss, !number) -> !losses
    scf.yield $next, %losses_next
        : $types, !losses
  }
  return $returned, %losses
      : $returnedTypes, !losses
}
)";

/// Arguments of @train: the state, the data, the learning rate and the steps.
static Names trainArguments(const Model &model) {
  Names parameters = parameterNames(model), arguments;
  for (const std::string &name : stateNames(model))
    arguments.push_back(
        "%" + name + ": " + typeOf(name) + " {ens.name = \"" + name +
        "\", ens.role = \"" +
        (arguments.size() < parameters.size() ? "param" : "state") + "\"}");
  return concat(arguments,
                {"%x: !all_x {ens.name = \"x\", ens.role = \"data\"}",
                 "%y: !all_y {ens.name = \"y\", ens.role = \"data\"}",
                 "%lr: !scalar {ens.name = \"lr\", ens.role = \"hyper\"}",
                 "%begin: index {ens.name = \"begin\", ens.role = \"begin\"}",
                 "%end: index {ens.name = \"end\", ens.role = \"end\"}"});
}

static Names trainResults(const Model &model) {
  Names results = map(stateNames(model), [](const std::string &name) {
    return typeOf(name) + " {ens.name = \"" + name + "\"}";
  });
  return concat(results, {"!losses {ens.name = \"losses\"}"});
}

static std::string defineTrain(const Model &model) {
  Names parameters = parameterNames(model), state = stateNames(model);
  auto suffixed = [](const Names &names, const std::string &suffix) {
    return map(names,
               [&](const std::string &name) { return "%" + name + suffix; });
  };
  Names carried = map(state, [](const std::string &name) {
    return "%" + name + "_now = %" + name;
  });
  Names gradients =
      map(parameters, [](const std::string &name) { return "%g_" + name; });
  Names positions;
  for (size_t i = 0; i < parameters.size(); ++i)
    positions.push_back(std::to_string(i));
  Names operands =
      concat(suffixed(parameters, "_now"), {"%x_batch", "%y_batch"});
  Names types = map(state, typeOf), gradientTypes = map(parameters, typeOf);
  bool adam = model.optimizer == Optimizer::Adam;
  return fill(trainFunction,
              {{"$arguments", list(trainArguments(model), 4)},
               {"$results", list(trainResults(model), 8)},
               {"$batchCount", std::to_string(batchCount)},
               {"$final", list(suffixed(state, "_last"), 6)},
               {"$carried", list(carried, 16)},
               {"$pick", pick(model)},
               {"$gradients", list(gradients, 8)},
               {"$operands", list(operands, 12)},
               {"$operandTypes", list(concat(gradientTypes, {"!x", "!y"}), 10)},
               {"$positions", list(positions, 15)},
               {"$gradientTypes", list(gradientTypes, 12)},
               {"$rates", adam ? adamRates : ""},
               {"$updates", callUpdates(model)},
               {"$next", list(suffixed(state, "_next"), 8)},
               {"$returnedTypes", list(types, 6)},
               {"$returned", list(suffixed(state, "_last"), 6)},
               {"$types", list(types, 10)}});
}

std::string bench::trainingProgram(const Model &model, int64_t steps) {
  std::string types = defineTypes(model);
  types += defineData(model, "all_", {batchCount, model.batch});
  types += defineData(model, "window_", {1, model.batch});
  types += defineType("window_loss", {1}) + defineType("losses", {steps});
  return "// " + model.name() + " in batches of " +
         std::to_string(model.batch) + ": the training of one run by " +
         nameOf(model.optimizer) + ".\n\n" + types + defineLoss(model) +
         defineUpdates(model) + defineTrain(model);
}

//===----------------------------------------------------------------------===//
// Learners
//===----------------------------------------------------------------------===//

static constexpr const char *learnerFunctions = R"(
// Fresh parameters.
func.func @init(%seed: !number {ens.name = "seed", ens.role = "seed"})
    -> ($results) {$values
  return $parameters
      : $types
}

// The loss of each example.
func.func @loss(
    $arguments)
    -> !rows {$rows
  return %rows : !rows
}

ens.learner @mlp {init = @init, loss = @loss,
                  optimizer = #ens.$optimizer<lr = 1.0e-3>,
                  batch_size = $B : i64, rows = $allRows : i64,
                  shuffle = "none"}
)";

static constexpr const char *initialWeight = R"(
  %$p = ens.uniform %seed {low = -$bound : f64, high = $bound : f64} : !$p)";

static constexpr const char *initialBias = R"(
  %$p = ens.constant dense<0.0> : !$p)";

static std::string defineValues(const Model &model) {
  std::string text;
  for (const Parameter &parameter : model.parameters()) {
    double bound = parameter.fanIn
                       ? 1.0 / std::sqrt(static_cast<double>(parameter.fanIn))
                       : 0.0;
    text += fill(parameter.fanIn ? initialWeight : initialBias,
                 {{"$p", parameter.name}, {"$bound", std::to_string(bound)}});
  }
  return text;
}

std::string bench::learnerProgram(const Model &model) {
  Names parameters = parameterNames(model);
  auto named = [](const std::string &name) {
    return " {ens.name = \"" + name + "\"";
  };
  Names results = map(parameters, [&](const std::string &name) {
    return typeOf(name) + named(name) + "}";
  });
  Names arguments = map(parameters, [&](const std::string &name) {
    return "%" + name + ": " + typeOf(name) + named(name) + "}";
  });
  for (const std::string &name : {"x", "y"})
    arguments.push_back("%" + name + ": " + typeOf(name) + named(name) +
                        ", ens.role = \"data\"}");
  Names returned =
      map(parameters, [](const std::string &name) { return "%" + name; });
  return "// " + model.name() + " as a learner.\n\n" + defineTypes(model) +
         fill(learnerFunctions,
              {{"$results", list(results, 8)},
               {"$values", defineValues(model)},
               {"$parameters", list(returned, 9)},
               {"$types", list(map(parameters, typeOf), 8)},
               {"$arguments", list(arguments, 4)},
               {"$rows", lossPerExample(model)},
               {"$optimizer", nameOf(model.optimizer)},
               {"$B", std::to_string(model.batch)},
               {"$allRows", std::to_string(batchCount * model.batch)}});
}
