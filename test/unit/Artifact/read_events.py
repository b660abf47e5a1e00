"""Reads event files with TensorBoard's own code, for TensorBoardTest.cpp.

    read_events.py DIR    prints what TensorBoard shows of the runs in DIR

Exits with 77 where TensorBoard is missing.
"""

import logging
import sys

try:
    from tensorboard import context
    from tensorboard.backend.event_processing import (
        data_provider,
        event_accumulator,
        plugin_event_multiplexer,
    )
    from tensorboard.plugins import base_plugin
    from tensorboard.plugins.hparams import (
        api_pb2,
        backend_context,
        get_experiment,
        list_session_groups,
    )
except ImportError as missing:
    print(missing)
    sys.exit(77)


def show_scalars(multiplexer):
    for run in sorted(multiplexer.Runs()):
        accumulator = multiplexer.GetAccumulator(run)
        for tag in sorted(accumulator.Tags()["tensors"]):
            if tag.startswith("_hparams_"):
                continue
            for event in accumulator.Tensors(tag):
                value = event.tensor_proto.float_val[0]
                print(f"{run} {tag} {event.step} {value:g}")


def show_classic_scalars(directory):
    """As scripts read them that people have."""
    accumulator = event_accumulator.EventAccumulator(directory)
    accumulator.Reload()
    for tag in sorted(accumulator.Tags()["scalars"]):
        for event in accumulator.Scalars(tag):
            print(f"classic {tag} {event.step} {event.value:g}")


def value_of(value):
    kind = value.WhichOneof("kind")
    return getattr(value, kind)


def show_hyper_parameters(multiplexer):
    provider = data_provider.MultiplexerDataProvider(multiplexer, "")
    request = context.RequestContext()
    hparams = backend_context.Context(
        base_plugin.TBContext(data_provider=provider)
    )
    experiment = get_experiment.Handler(
        request, hparams, "", api_pb2.GetExperimentRequest(include_metrics=True)
    ).run()
    for info in experiment.hparam_infos:
        print("column", info.name, api_pb2.DataType.Name(info.type))
    columns = [
        api_pb2.ColParams(metric=metric.name) for metric in experiment.metric_infos
    ]
    groups = list_session_groups.Handler(
        request,
        hparams,
        "",
        api_pb2.ListSessionGroupsRequest(
            start_index=0,
            slice_size=1000,
            include_metrics=True,
            allowed_statuses=list(api_pb2.Status.values()),
            col_params=columns,
        ),
    ).run()
    for group in sorted(groups.session_groups, key=lambda group: group.name):
        for session in group.sessions:
            values = [
                f"{name}={value_of(value)}"
                for name, value in sorted(group.hparams.items())
            ]
            metrics = [
                f"{metric.name.tag}={metric.value:g}"
                for metric in sorted(
                    session.metric_values, key=lambda metric: metric.name.tag
                )
            ]
            status = api_pb2.Status.Name(session.status)
            print("row", session.name, status, *values, *metrics)


def main():
    # Records whose checksums are wrong are logged and left out.
    logging.basicConfig(stream=sys.stdout, level=logging.WARNING)
    directory = sys.argv[1]
    multiplexer = plugin_event_multiplexer.EventMultiplexer(
        tensor_size_guidance={"scalars": 0, "hparams": 0}
    )
    multiplexer.AddRunsFromDirectory(directory)
    multiplexer.Reload()
    show_scalars(multiplexer)
    show_hyper_parameters(multiplexer)
    for run in sorted(multiplexer.Runs()):
        show_classic_scalars(f"{directory}/{run}")


main()
