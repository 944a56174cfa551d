"""A small stand-in for grpcurl, for machines that have none: the same command lines, carried out by server reflection.

    python reflective.py -plaintext localhost:7400 list
    python reflective.py -plaintext localhost:7400 describe referee.v1.Answer
    python reflective.py -plaintext -d '{"games": ["honshu"]}' localhost:7400 referee.v1.RefereeService/Describe
    python reflective.py -plaintext -d @ localhost:7400 referee.v1.RefereeService/Play
    python reflective.py -plaintext -max-time 5 -d '{"match_id": "M"}' localhost:7400 a.Service/Streaming

It knows no message beforehand, as grpcurl does not: what it can say it learns from the referee.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator

import grpc
from google.protobuf import descriptor, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor_pb2 import MethodDescriptorProto
from google.protobuf.message import Message
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

TIMEOUT = 300.0
TYPES = {
    value: name.removeprefix("TYPE_").lower()
    for name, value in vars(descriptor.FieldDescriptor).items()
    if name.startswith("TYPE_")
}


def requests(data: str | None) -> Iterator[str]:
    """The messages to send, as JSON: those on the command line, or one for each line that is typed."""
    if data != "@":
        yield data or "{}"
        return
    for line in sys.stdin:
        if line.strip():
            yield line


def described(pool: descriptor_pool.DescriptorPool, symbol: str) -> Iterator[str]:
    """A message or service as a proto file would show it."""
    try:
        service = pool.FindServiceByName(symbol)
    except KeyError:
        message = pool.FindMessageTypeByName(symbol)
        for field in message.fields:
            label = "repeated " if field.is_repeated else "optional " if field.has_presence else ""
            own = field.message_type or field.enum_type
            kind = TYPES[field.type] if own is None else f".{own.full_name}"
            yield f"  {label}{kind} {field.name} = {field.number};"
        return
    for method in service.methods:
        yield f"  rpc {method.name} ( .{method.input_type.full_name} ) returns ( .{method.output_type.full_name} );"


def call(
    channel: grpc.Channel, pool: descriptor_pool.DescriptorPool, name: str, data: str | None, timeout: float
) -> None:
    """Call a method; what comes back is printed as JSON."""
    service, _, method_name = name.partition("/")
    method = pool.FindServiceByName(service).FindMethodByName(method_name)
    request = message_factory.GetMessageClass(method.input_type)
    response = message_factory.GetMessageClass(method.output_type)
    proto = MethodDescriptorProto()
    method.CopyToProto(proto)
    codecs = request.SerializeToString, response.FromString
    messages = (json_format.Parse(text, request(), descriptor_pool=pool) for text in requests(data))
    if proto.client_streaming:
        replies: Iterable[Message] = channel.stream_stream(f"/{name}", *codecs)(messages, timeout=timeout)
    elif proto.server_streaming:
        replies = channel.unary_stream(f"/{name}", *codecs)(next(messages), timeout=timeout)
    else:
        replies = [channel.unary_unary(f"/{name}", *codecs)(next(messages), timeout=timeout)]
    for reply in replies:
        plain = json_format.MessageToDict(reply, preserving_proto_field_name=True, descriptor_pool=pool)
        print(json.dumps(plain, indent=2, ensure_ascii=False), flush=True)


def main() -> int:
    """Carry the command line out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-plaintext", action="store_true", required=True)
    parser.add_argument("-d")
    parser.add_argument("-max-time", type=float, default=TIMEOUT)
    parser.add_argument("address")
    parser.add_argument("verb")
    parser.add_argument("symbol", nargs="?")
    given = parser.parse_args()
    with grpc.insecure_channel(given.address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = descriptor_pool.DescriptorPool(database)
        try:
            if given.verb == "list":
                print("\n".join(sorted(database.get_services())))
            elif given.verb == "describe":
                print("\n".join(described(pool, given.symbol or "")))
            else:
                call(channel, pool, given.verb, given.d, given.max_time)
        except grpc.RpcError as error:
            print(f"ERROR:\n  Code: {error.code().name}\n  Message: {error.details()}", file=sys.stderr)
            return 64
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # a thread may still wait for a line to be typed
