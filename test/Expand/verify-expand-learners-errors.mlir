// RUN: ens-opt %s --ens-verify-expand --split-input-file --verify-diagnostics

module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []},
    {name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [], monitor = "loss", direction = "min", shuffle = "none", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'name' of learner 0 of ens.learners to be a name, got none}}
module attributes {ens.learners = [{batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'name' of learner 0 of ens.learners to be a name, got "a/b"}}
module attributes {ens.learners = [{name = "a/b", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'batch_size' of learner 0 of ens.learners to be an i64 that is at least 1, got none}}
module attributes {ens.learners = [{name = "net", rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'batch_size' of learner 0 of ens.learners to be an i64 that is at least 1, got -5 : i64}}
module attributes {ens.learners = [{name = "net", batch_size = -5 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'rows' of learner 0 of ens.learners to be an i64 that is at least 1, got none}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'rows' of learner 0 of ens.learners to be an i64 that is at least 1, got -5 : i64}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = -5 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'steps_per_epoch' of learner 0 of ens.learners to be an i64 that is at least 1, got none}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'steps_per_epoch' of learner 0 of ens.learners to be an i64 that is at least 1, got -5 : i64}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = -5 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'validation_rows' of learner 0 of ens.learners to be an i64 that is at least 0, got none}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'validation_rows' of learner 0 of ens.learners to be an i64 that is at least 0, got -5 : i64}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = -5 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'rows' of learner 0 of ens.learners to be an i64 that is at least 1, got 2 : i8}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 2 : i8, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'metrics' of learner 0 of ens.learners to be a list, got none}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects metric 0 of learner 0 of ens.learners to be a dictionary}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [3 : i64], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'direction' of metric 0 of learner 0 of ens.learners to be "min" or "max", got none}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'monitor' of learner 0 of ens.learners to be "loss" or the name of a metric, got "q"}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "q", direction = "min", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'direction' of learner 0 of ens.learners to be "min" or "max", got "q"}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "q", shuffle = "per_run", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'shuffle' of learner 0 of ens.learners to be "per_run" or "shared" or "none", got none}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", params = ["w"], states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'params' of learner 0 of ens.learners to be a list of names, got 3 : i64}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = 3 : i64, states = []}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects 'states' of learner 0 of ens.learners to be a list of names, got ["a,b"]}}
module attributes {ens.learners = [{name = "net", batch_size = 20 : i64, rows = 200 : i64, steps_per_epoch = 10 : i64, validation_rows = 40 : i64, metrics = [{name = "val_loss", direction = "min"}], monitor = "val_loss", direction = "min", shuffle = "per_run", params = ["w"], states = ["a,b"]}]} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects ens.learners to be a list, got 3 : i64}}
module attributes {ens.learners = 3 : i64} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects learner 0 of ens.learners to be a dictionary}}
module attributes {ens.learners = [3 : i64]} {
}
