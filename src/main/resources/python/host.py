"""Runs code of steps for a Java server that talks to it over stdin and stdout, one JSON object per line (contract pieces 9).

Started as: python3 -I -S -B host.py MEMORY_BYTES FILE_BYTES OPEN_FILES OUTPUT_FILES. Ends when its input ends. One call at a time; the kernel's
fences stand around the process before it begins, so nothing here has to refuse anything.
"""

import base64
import collections
import dataclasses
import datetime
import decimal
import enum
import io
import json
import math
import numbers
import os
import resource
import sys
import time
import traceback
import types
import uuid

PROTOCOL_VERSION = 1
FRAME_BYTES_MAX = 16 * 1024 * 1024
LOG_CHARACTERS_PER_CALL_MAX = 64 * 1024
PROGRAMS_MAX = 32
LOSSES_MAX = 10
DEPTH_MAX = 200
KEY_CHARACTERS_MAX = 50
# What the server takes for the end of a process that ran out of memory.
EXIT_OF_MEMORY = 134
# As many digits as the server reads in a number, without the sign.
NUMBER_DIGITS_MAX = 999
NUMBER_BOUND = 10**NUMBER_DIGITS_MAX
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
SOURCE_NAME = "code.py"
# No module of the standard library has this name; code may import the one that is named code.
MODULE_NAME = "step_code"


class Pipe:
    """Writes frames where code that prints cannot: the usual outputs lead into frames themselves."""

    def __init__(self, descriptor):
        self.descriptor = descriptor

    def send(self, frame):
        data = json.dumps(frame, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
        if len(data) > FRAME_BYTES_MAX:
            raise ValueError(f"expected at most {FRAME_BYTES_MAX} bytes of output, found {len(data)}")
        while data:
            data = data[os.write(self.descriptor, data):]


class Printed(io.TextIOBase):
    """An output of one call: what goes beyond its bound is dropped."""

    def __init__(self, host, stream):
        self.host = host
        self.stream = stream

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"expected text, found {type(text).__name__}")
        self.host.log(self.stream, text)
        return len(text)


class Files(list):
    """Values of bytes in an output, with the keys that lead to them."""

    def __init__(self, most):
        super().__init__()
        self.most = most

    def keep(self, keys, value):
        if len(self) == self.most:
            raise ValueError(
                f"The output cannot be used: expected at most {self.most} values of bytes (AP_CODE_OUTPUT_FILES_MAX)"
            )
        self.append({"keys": keys, "data": base64.b64encode(value).decode("ascii")})


class Host:
    def __init__(self, pipe, output_files):
        self.pipe = pipe
        self.output_files = output_files
        self.call = None
        self.room = 0
        self.programs = {}
        # The kernel counts what the server's own process held when it made this one.
        self.resident_before = most_resident()

    def log(self, stream, text):
        kept = text[: self.room]
        self.room -= len(kept)
        if kept:
            self.pipe.send({"t": "log", "call": self.call, "stream": stream, "text": kept})

    def receive(self, frame):
        kind = frame["t"]
        if kind == "setup":
            return
        if kind != "call":
            os._exit(64)
        self.call = frame["id"]
        self.room = LOG_CHARACTERS_PER_CALL_MAX
        self.pipe.send({"t": "begun", "id": self.call})
        started = time.monotonic()
        try:
            files = Files(self.output_files)
            answer = {"ok": True, "value": self.perform(frame, files)}
            self.finish({**answer, "hooks": {"files": files}} if files else answer, started)
        except MemoryError:
            os._exit(EXIT_OF_MEMORY)
        except BaseException as error:  # what code raises to leave ends its call, and not the host
            self.finish({"ok": False, "error": described(error)}, started)
        self.call = None

    def finish(self, answer, started):
        most = most_resident()
        resident = most if most > self.resident_before else 0
        milliseconds = (time.monotonic() - started) * 1000
        self.pipe.send({"t": "result", "id": self.call, "ms": milliseconds, "rss": resident, **answer})

    def perform(self, frame, files):
        if frame["op"] == "check":
            return problem_of(frame["source"])
        module = types.ModuleType(MODULE_NAME)
        # Dataclasses, type hints and pickle look the module of a class up here.
        sys.modules[MODULE_NAME] = module
        try:
            return self.called(module, frame, files)
        finally:
            sys.modules.pop(MODULE_NAME, None)

    def called(self, module, frame, files):
        exec(self.program(frame["program"]), module.__dict__)
        code = module.__dict__.get("code")
        if not callable(code):
            raise TypeError("The code must define a function named code")
        value = code(frame["inputs"])
        if hasattr(value, "__await__"):
            value.close()
            raise TypeError("The function code must be a plain one, not async")
        losses = {}
        answer = plain(value, losses, files)
        for message in list(losses)[:LOSSES_MAX]:
            self.log("stderr", f"JSON cannot hold a value of the output: {message}\n")
        return answer

    def program(self, file):
        known = self.programs.get(file)
        if known is None:
            with open(file, encoding="utf-8-sig") as source:
                known = compile(source.read(), SOURCE_NAME, "exec", dont_inherit=True)
            if len(self.programs) >= PROGRAMS_MAX:
                del self.programs[next(iter(self.programs))]
            self.programs[file] = known
        return known


def most_resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def problem_of(source):
    """Why a source does not compile, and where; nothing when it does. The first line is 1, the first column 0."""
    try:
        compile(source.removeprefix("\ufeff"), SOURCE_NAME, "exec", dont_inherit=True)
        return None
    except SyntaxError as error:
        return {"message": str(error.msg), "line": error.lineno or 0, "column": max(0, (error.offset or 1) - 1)}
    except (ValueError, RecursionError, OverflowError) as error:
        return {"message": str(error), "line": 0, "column": 0}


def plain(value, losses, files, path="output", keys=()):
    """
    A value as JSON knows it. Messages about values that JSON cannot hold become keys of losses, in their order. Bytes become
    null, and are added to files with the keys that lead to them: the server stores each as a file.
    """
    if len(keys) > DEPTH_MAX:
        raise ValueError(f"The output cannot be used: Too deep: expected at most {DEPTH_MAX} levels")
    if isinstance(value, enum.Enum):
        return plain(value.value, losses, files, path, keys)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return plain_int(value, losses, path)
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        losses[f"{path}: {value} becomes null"] = None
        return None
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, uuid.UUID)):
        return str(value)
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, numbers.Rational):
        return plain_int(int(value), losses, path) if isinstance(value, numbers.Integral) else str(value)
    if isinstance(value, os.PathLike):
        return plain(os.fspath(value), losses, files, path, keys)
    if isinstance(value, (bytes, bytearray, memoryview)):
        files.keep(keys, value)
        return None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return plain_dict(value, losses, files, path, keys)
    if isinstance(value, (list, tuple, set, frozenset, range, collections.deque, *VIEWS)):
        item_path = f"{path}[]"
        return [plain(item, losses, files, item_path, (*keys, index)) for index, item in enumerate(value)]
    raise TypeError(f"the output of the code is no JSON: it holds a value of type {type(value).__name__}")


def plain_int(value, losses, path):
    """JSON of the server holds numbers of as many digits; a longer one becomes its text."""
    if -NUMBER_BOUND < value < NUMBER_BOUND:
        return value
    losses[f"{path}: a whole number of more than {NUMBER_DIGITS_MAX} digits becomes a text"] = None
    try:
        return str(value)
    except ValueError:  # Python converts some thousand digits only
        return hex(value)


def plain_dict(value, losses, files, path, keys):
    answer = {}
    for key, item in value.items():
        name = text_key(key)
        if name in answer:
            losses[f"{path}: two keys become {json.dumps(name)}, so one value hides the other"] = None
        answer[name] = plain(item, losses, files, f"{path}.{name[:KEY_CHARACTERS_MAX]}", (*keys, name))
    return answer


def text_key(key):
    if isinstance(key, enum.Enum):
        return text_key(key.value)
    if isinstance(key, str):
        return str(key)
    if isinstance(key, (int, float, bool)) or key is None:
        return json.dumps(key)
    if isinstance(key, (datetime.datetime, datetime.date, datetime.time)):
        return key.isoformat()
    if isinstance(key, (decimal.Decimal, uuid.UUID, numbers.Rational)):
        return str(key)
    raise TypeError(f"the output of the code is no JSON: it holds a key of type {type(key).__name__}")


def described(error):
    """An error with the places of its author's source; lines of the host say nothing to him."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == SOURCE_NAME]
    places = [f"    at {frame.name} ({SOURCE_NAME}:{frame.lineno})" for frame in reversed(frames)]
    message = text_of(error) or type(error).__name__
    stack = "\n".join([f"{type(error).__name__}: {message}", *places])
    return {"name": type(error).__name__, "message": message, "stack": stack}


def text_of(error):
    try:
        return str(error)
    except Exception:  # a class of the code may fail in its own text
        return ""


def limit(memory_bytes, file_bytes, open_files):
    for kind, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_NOFILE, lower(resource.RLIMIT_NOFILE, open_files)),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def lower(kind, most):
    hard = resource.getrlimit(kind)[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def main():
    memory_bytes, file_bytes, open_files, output_files = (int(argument) for argument in sys.argv[1:5])
    pipe = Pipe(os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    source = os.fdopen(os.dup(0), "rb")
    os.dup2(nothing, 0)
    os.close(nothing)
    host = Host(pipe, output_files)
    sys.stdin = None
    sys.stdout = Printed(host, "stdout")
    sys.stderr = Printed(host, "stderr")
    sys.argv = [SOURCE_NAME]
    sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(os.path.abspath(__file__))]
    limit(memory_bytes, file_bytes, open_files)
    pipe.send({"t": "ready", "pid": os.getpid(), "python": sys.version.split()[0], "protocol": PROTOCOL_VERSION})
    for line in source:
        host.receive(json.loads(line))


main()
os._exit(0)
