package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code steps in Python (decision 0252), and attempts to leave the sandbox. Skipped on hosts where Python cannot be isolated. */
@Slow(Slow.Reason.PROCESS)
class PythonCodeIT {
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        server = ServerSettings.openSignUpAndLocalCalls()
                .with("AP_FLOW_TIMEOUT_SECONDS", "300")
                .with("AP_CODE_SCRATCH_MAX_MB", "2")
                .with("AP_CODE_OUTPUT_FILES_MAX", "7")
                .with("AP_CODE_BACKOFF_MAX_SECONDS", "1")
                .with("AP_CODE_BACKOFF_RESET_SECONDS", "600")
                .with("AP_CODE_FAILURES_PER_SECOND", "1")
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
        var problem = problemOf("def code(inputs):\n    return 1\n");
        assumeTrue(problem.isMissingNode(), "there is no Python: " + problem);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode problemOf(String source) {
        var draft = LiveFlow.draft(admin, webhook().python("step_1", source, "{}"));
        return admin.api().get("/v1/flows/" + draft.id() + "/code-steps").body().at("/data/0/problem");
    }

    private static JsonNode run(String source, String input) {
        return LiveFlow.publish(admin, webhook().python("step_1", source, input))
                .run(json("{}"));
    }

    private static JsonNode runBody(String body) {
        return flowOf(body).run(json("{}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "import hashlib; return hashlib.sha256(b'a').hexdigest()[:8] | \"ca978112\"",
                "import re; return re.findall(r'\\d+', 'a1b22') | [\"1\",\"22\"]",
                "from decimal import Decimal; return str(Decimal('0.1') + Decimal('0.2')) | \"0.3\"",
                "from datetime import date; return date(2026, 3, 9) | \"2026-03-09\"",
                "import csv, io; return list(csv.reader(io.StringIO('a,b'))) | [[\"a\",\"b\"]]",
                "import json; return json.loads('{\"a\": [1.5, null]}') | {\"a\":[1.5,null]}",
                "import zoneinfo, unicodedata, statistics; return statistics.mean([1, 2, 3]) | 2",
                "return {1: float('nan'), 'b': (1, {2})} | {\"1\":null,\"b\":[1,[2]]}",
                "return None | null",
                "from decimal import Decimal; return {'v': Decimal('1.10'), 'n': [Decimal('NaN')]} | {\"v\":\"1.10\",\"n\":[\"NaN\"]}",
                "import uuid; return uuid.UUID(int=1) | \"00000000-0000-0000-0000-000000000001\"",
                "from datetime import datetime, time; return [datetime(2026, 3, 9, 1), time(2)] | [\"2026-03-09T01:00:00\",\"02:00:00\"]",
                "import enum; return enum.Enum('Color', 'RED BLUE').BLUE | 2",
                "import code; return code.__name__ | \"code\"",
            })
    void runsWithTheStandardLibrary(String body, String output) {
        var run = runBody(body);

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output")).isEqualTo(json(output));
    }

    @Test
    void storesBytesAsFiles_whereverTheyAreInTheOutput() {
        var run = runBody(
                "return {'report.pdf': bytes(range(256)), 'rows': [1, bytearray(b'a'), {'x/y~': memoryview(b'')}]}");
        var whole = runBody("return b'whole'");

        var output = run.at("/steps/step_1/output");
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(download(output.at("/report.pdf")))
                .isEqualTo(HexFormat.of()
                        .parseHex(IntStream.range(0, 256)
                                .mapToObj("%02x"::formatted)
                                .collect(Collectors.joining())));
        assertThat(output.at("/rows/0").asInt()).isEqualTo(1);
        assertThat(download(output.at("/rows/1"))).containsExactly('a');
        assertThat(download(output.at("/rows/2").path("x/y~"))).isEmpty();
        assertThat(download(whole.at("/steps/step_1/output"))).isEqualTo("whole".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void failsAnOutputWithMoreFilesThanItsLimit() {
        assertThat(runBody("return [b'x'] * 7").path("status").asText()).isEqualTo("SUCCEEDED");

        var over = runBody("return [b'x'] * 8");

        assertThat(over.path("status").asText()).isEqualTo("FAILED");
        assertThat(over.toString()).contains("expected at most 7 values of bytes (AP_CODE_OUTPUT_FILES_MAX)");
    }

    private static byte[] download(JsonNode url) {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url.asText())).build(), BodyHandlers.ofByteArray())
                    .body();
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError("expected a file at " + url, failure);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return asdict(A())",
                "return A()",
                "return pickle.loads(pickle.dumps(A()))",
                "return typing.get_type_hints(A) and A()"
            })
    void knowsClassesOfItsOwn(String body) {
        var run = run(
                "\uFEFFfrom __future__ import annotations\nimport pickle, typing\nfrom dataclasses import dataclass, asdict\n"
                        + "@dataclass\nclass A:\n  x: int = 1\ndef code(inputs):\n  " + body + "\n",
                "{}");

        assertThat(run.at("/steps/step_1/output")).as(run.toString()).isEqualTo(json("{'x':1}"));
    }

    @Test
    void takesItsInputs_andKeepsWhatItPrints() {
        var run = run(
                "import sys\ndef code(inputs):\n  print('sum of', inputs)\n  print('bad', file=sys.stderr)\n"
                        + "  return inputs['a'] + inputs['b']\n",
                "{'a':1,'b':2}");

        assertThat(run.at("/steps/step_1/output").asInt()).as(run.toString()).isEqualTo(3);
        assertThat(run.at("/steps/step_1/engine").asText()).isEqualTo("PYTHON");
        assertThat(run.at("/steps/step_1/standardOutput").asText()).contains("sum of {'a': 1, 'b': 2}");
        assertThat(run.at("/steps/step_1/standardError").asText()).contains("bad");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "return open('/etc/passwd').read() | FAILED | Permission denied",
                "return open('/proc/self/environ').read() | FAILED | Permission denied",
                "import os; return os.listdir('/proc') | FAILED | Permission denied",
                "import os; return os.listdir('../..') | FAILED | Permission denied",
                "import os; return os.listdir(os.path.dirname(os.path.dirname(__file__))) | FAILED | __file__",
                "open('/tmp/escaped', 'w') | FAILED | Permission denied",
                "import os; return os.fork() | FAILED | not permitted",
                "import os; os.sched_setaffinity(0, {0}) | FAILED | not permitted",
                "import subprocess; return subprocess.run(['id']).returncode | FAILED | not permitted",
                "import multiprocessing; multiprocessing.Process(target=print).start() | FAILED | PermissionError",
                "import os; os.kill(os.getppid(), 9) | FAILED | not permitted",
                "import socket; socket.create_connection(('169.254.169.254', 80), 2) | FAILED | Permission denied",
                "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1) | FAILED | Permission denied",
                "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('169.254.169.254', 53)) | FAILED | Permission denied",
                "import socket; return socket.getaddrinfo('localhost', 80) | FAILED | gaierror",
                "import socket; socket.socketpair() | FAILED | Permission denied",
                "import urllib.request; urllib.request.urlopen('http://127.0.0.1/') | FAILED | Permission denied",
                "import ctypes; return ctypes.CDLL(None).getpid() * 0 + ctypes.CDLL(None).system(b'id') | SUCCEEDED | -1",
                "import sys; sys.exit(3) | FAILED | SystemExit",
                "import os; os._exit(3) | FAILED | exit code 3",
                "import os; os.execv('/bin/sh', ['sh', '-c', 'echo out']) | FAILED | code",
                "return len(bytearray(4 << 30)) | MEMORY_LIMIT_EXCEEDED | memory",
                "import os; open(os.environ['TMPDIR'] + '/f', 'wb').write(b'x' * (3 << 20)) | FAILED | ",
                "import os; return os.popen('id').read() | FAILED | not permitted",
                "import os; os.posix_spawn('/bin/true', ['true'], {}) | FAILED | not permitted",
                "import pty; pty.fork() | FAILED | ",
                "import os, pickle; return pickle.loads(b\"cos\\nsystem\\n(S'id'\\ntR.\") | SUCCEEDED | -1",
                "import importlib; importlib.import_module('subprocess').check_output(['id']) | FAILED | not permitted",
                "import importlib.util; importlib.util.spec_from_file_location('x', '/etc/passwd.py').loader.get_data('/etc/passwd') | FAILED | Permission denied",
                "import mmap; open('/dev/mem', 'rb') | FAILED | ",
                "import mmap; return len(mmap.mmap(-1, 1 << 33)) | FAILED | ",
                "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) | FAILED | ",
                "import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (1, 1)) | FAILED | not permitted",
                "import faulthandler; faulthandler._sigsegv(); return 'alive' | SUCCEEDED | alive",
                "import ctypes; ctypes.string_at(0) | FAILED | ",
                "import faulthandler, time; faulthandler.dump_traceback_later(1, exit=True); time.sleep(15) | FAILED | ",
                "import os; os.kill(os.getpid(), 9) | FAILED | not permitted",
                "import os; os.killpg(0, 15) | FAILED | not permitted",
                "import os; os.setpriority(os.PRIO_USER, 0, 19) | FAILED | not permitted",
                "import os; os.memfd_create('kept') | FAILED | not permitted",
                "import os; os.mknod(os.environ['TMPDIR'] + '/n', 0o20666, os.makedev(1, 1)) | FAILED | ",
                "import os; os.symlink('/etc/passwd', os.environ['TMPDIR'] + '/l'); return open(os.environ['TMPDIR'] + '/l').read() | FAILED | Permission denied",
                "import os; os.link('/etc/hostname', os.environ['TMPDIR'] + '/h') | FAILED | ",
                "import os; os.chroot(os.environ['TMPDIR']) | FAILED | not permitted",
                "import os; os.setuid(0) | FAILED | not permitted",
                "import os; return os.listdir('/proc/self/fd') | FAILED | Permission denied",
                "return open('/proc/self/maps').read() | FAILED | Permission denied",
                "return open('/proc/self/mem', 'rb').read(1) | FAILED | Permission denied",
                "return open('/proc/net/tcp').read() | FAILED | Permission denied",
                "open('/dev/shm/left', 'w') | FAILED | Permission denied",
                "import os; os.open('/dev/ptmx', os.O_RDWR) | FAILED | Permission denied",
                "import socket; socket.socket(socket.AF_UNIX) | FAILED | Permission denied",
                "import socket; socket.socket(socket.AF_INET6) | FAILED | Permission denied",
                "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) | FAILED | Permission denied",
                "import socket; socket.socket(socket.AF_VSOCK) | FAILED | Permission denied",
                "import socket; socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET) | FAILED | Permission denied",
                "import socket; socket.socket(fileno=0).connect(('127.0.0.1', 22)) | FAILED | ",
                "import ctypes; c = ctypes.CDLL(None); return [c.shmget(0, 4096, 0o1777), c.msgget(0, 0o1777), c.semget(0, 1, 0o1777), c.ptrace(16, 1, 0, 0), c.inotify_init(), c.unshare(0x10000000), c.statfs(b'/etc', bytes(256))] | SUCCEEDED | [-1,-1,-1,-1,-1,-1,-1]",
                // Directories among inherited descriptors.
                "import os; def can(fd):;   try: os.listdir(fd);   except OSError: return False;   return True; return [fd for fd in range(64) if can(fd)] | SUCCEEDED | \"output\":[]",
                "import os; def can(fd):;   try: os.open('environ', 0, dir_fd=fd);   except OSError: return False;   return True; return [fd for fd in range(64) if can(fd)] | SUCCEEDED | \"output\":[]",
                "import os; def can(fd):;   try: os.open('../1/comm', 0, dir_fd=fd);   except OSError: return False;   return True; return [fd for fd in range(64) if can(fd)] | SUCCEEDED | \"output\":[]",
                "raise ValueError('no total') | FAILED | code.py:2",
                "return object() | FAILED | no JSON",
            })
    @HostileKind("Python step")
    void refusesOrEnds(String body, String status, String reason) {
        var run = runBody(body);

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo(status);
        assertThat(run.toString()).containsIgnoringCase(String.valueOf(reason == null ? "" : reason));
    }

    @Test
    void boundsItsThreads() {
        var threads = runBody("import threading, time"
                + "; [threading.Thread(target=time.sleep, args=(60,), daemon=True).start() for _ in range(100000)]");

        assertThat(threads.path("status").asText()).isIn("FAILED", "MEMORY_LIMIT_EXCEEDED");
        assertThat(runBody("return 'well'").at("/steps/step_1/output").asText()).isEqualTo("well");
    }

    /** One wait of a second at a time, so that a call is delayed at almost every moment (decision 0057). */
    @Test
    void holdsTheCallsOfAProgram_whoseCallsHaveAllFailed() {
        var flow = flowOf("raise ValueError('always')");
        var failed = Stream.generate(() -> flow.callAsync("/sync", json("{}")))
                .limit(20)
                .toList();
        failed.forEach(CompletableFuture::join);

        awaitHeld(flow, 3);
    }

    @Test
    void holdsTheCallsOfAProgram_whoseProcessesHadToBeEnded() {
        awaitHeld(flowOf("import os; os._exit(3)"), 1);
    }

    private static LiveFlow flowOf(String body) {
        return LiveFlow.publish(
                admin,
                webhook().python("step_1", "def code(inputs):\n    " + body.replace("; ", "\n    ") + "\n", "{}"));
    }

    /** Calls until the metrics show a delayed call. */
    private static void awaitHeld(LiveFlow flow, int atATime) {
        var calls = new ArrayList<CompletableFuture<?>>();
        Waiting.until("a call of code is delayed", () -> {
            calls.removeIf(CompletableFuture::isDone);
            while (calls.size() < atATime) {
                calls.add(flow.callAsync("/sync", json("{}")));
            }
            return heldCalls() > 0;
        });
        List.copyOf(calls).forEach(CompletableFuture::join);
    }

    private static double heldCalls() {
        var name = "millrace_code_calls_held{engine=\"python\"} ";
        return admin.api()
                .get("/v1/metrics")
                .body()
                .asText()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .sum();
    }

    @Test
    void handsOverNothingOfTheServersEnvironment() {
        var run = runBody("import os; return sorted(os.environ)");

        assertThat(run.at("/steps/step_1/output"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name.asText()).isIn("HOME", "LANG", "LC_CTYPE", "TMPDIR", "TZ"));
    }

    @Test
    void sharesNoProcessWithAnotherProject_andNoModuleBetweenCalls() {
        var other = server.signUp("eve@example.com", "Eve");
        var script = webhook()
                .python(
                        "step_1",
                        "import os\ncalls = []\ndef code(inputs):\n  calls.append(1)\n"
                                + "  return [os.getpid(), len(calls)]\n",
                        "{}");
        var flow = LiveFlow.publish(admin, script);

        var first = flow.run(json("{}")).at("/steps/step_1/output");
        var second = flow.run(json("{}")).at("/steps/step_1/output");
        var theirs = LiveFlow.publish(other, script).run(json("{}")).at("/steps/step_1/output");

        assertThat(second).isEqualTo(first);
        assertThat(theirs.path(1).asInt()).isEqualTo(1);
        assertThat(theirs.path(0)).isNotEqualTo(first.path(0));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "def code(inputs):;  check(inputs);def check(inputs):;  raise ValueError('at x (code.py:9)') | 4",
                "import json;def code(inputs):;  return json.loads('{') | 3",
                "def code(inputs):;  return (1 | 2",
                "def code(inputs):;  return object() | 0",
            })
    void reportsTheLineOfAnError(String source, int line) {
        var run = run(source.replace(";", "\n") + "\n", "{}");

        assertThat(Json.trusted(run.at("/steps/step_1/errorMessage").asText())
                        .path("line")
                        .asInt())
                .as(run.toString())
                .isEqualTo(line);
    }

    @Test
    void tellsWhereASourceIsBroken_beforeItIsPublished() {
        var problem = problemOf("def code(inputs):\n  return (1\n");

        assertThat(problem.path("line").asInt()).as(problem.toString()).isEqualTo(2);
        assertThat(problem.path("message").asText()).contains("never closed");
        assertThat(run("def other(): pass\n", "{}").toString()).contains("must define a function named code");
    }

    @Test
    void refusesAnotherLanguage_andNpmPackages() {
        var flow = LiveFlow.draft(admin, webhook().python("step_1", "def code(i): return 1", "{}"));
        JsonNode step = admin.api()
                .get("/v1/flows/" + flow.id())
                .body()
                .at("/version/trigger/nextAction")
                .deepCopy();
        var request = (ObjectNode) json("{'type':'UPDATE_ACTION'}");
        request.set("request", step);
        request.withObject("/request/settings/sourceCode").put("language", "ruby");
        var ruby = flow.operate(request);
        request.withObject("/request/settings/sourceCode")
                .put("language", "python")
                .put("packageJson", "{\"dependencies\":{\"he\":\"1.2.0\"}}");
        flow.operate(request);
        var packages = flow.operate(json("{'type':'LOCK_AND_PUBLISH','request':{'status':'ENABLED'}}"));

        assertThat(ruby.status()).isEqualTo(400);
        assertThat(ruby.toString()).contains("settings/sourceCode/language");
        assertThat(packages.status()).isEqualTo(400);
        assertThat(packages.toString()).contains("code in Python cannot use npm packages");
    }

    @Test
    void saysThatThereIsNone_whereTheOperatorWantsNone() {
        try (var without = TestServer.startInRealTime(Map.of("AP_CODE_PYTHON", "false"))) {
            var author = without.signUp("bea@example.com", "Bea");
            var flow = LiveFlow.draft(author, webhook().python("step_1", "def code(i): return 1", "{}"));

            var published = flow.operate(json("{'type':'LOCK_AND_PUBLISH','request':{'status':'ENABLED'}}"));

            assertThat(published.status()).isEqualTo(400);
            assertThat(published.toString())
                    .contains("settings/sourceCode/language", "Python is disabled on this server (AP_CODE_PYTHON)");
        }
    }
}
