package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.node.ProgramBench.Language;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Disk use that a folder listing does not show (decision 0366). The quota is 16 MB. */
@HostileKind("scratch quota")
@Slow(Slow.Reason.HOSTILE)
final class ScratchQuotaTest {
    private static final String NODE_START = """
            const fs = require('fs'); const path = require('path');
            const place = (name) => path.join(process.env.TMPDIR, String(name));
            const megabyte = Buffer.alloc(1 << 20, 1);
            const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
            globalThis.kept = [];
            """;

    private static final String PYTHON_START = """
            place = lambda name: os.path.join(os.environ['TMPDIR'], str(name))
            megabyte = b'x' * (1 << 20)
            """;

    /** Continues until the process is killed: a limit without effect shows as a call that never ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // Unlinked, in one file and in many.
                "const f = fs.openSync(place(1), 'w'); fs.unlinkSync(place(1)); for (let n = 0; n < 15; n++) fs.writeSync(f, megabyte);"
                        + " const g = fs.openSync(place(2), 'w'); fs.unlinkSync(place(2)); for (let n = 0; n < 15; n++) fs.writeSync(g, megabyte);"
                        + " kept.push(f, g); for (;;) await sleep(50);",
                "for (let n = 0; ; n++) { const f = fs.openSync(place(n), 'w'); fs.unlinkSync(place(n)); fs.writeSync(f, megabyte);"
                        + " kept.push(f); await sleep(5); }",
                // Half of the files linked, half unlinked.
                "const f = fs.openSync(place(1), 'w'); fs.unlinkSync(place(1)); for (let n = 0; n < 10; n++) fs.writeSync(f, megabyte);"
                        + " kept.push(f); for (let n = 0; n < 10; n++) fs.appendFileSync(place(2), megabyte); for (;;) await sleep(50);",
                // A folder that was deleted with its open files.
                "fs.mkdirSync(place('d')); for (let n = 0; n < 20; n++) { const f = fs.openSync(place('d/' + n), 'w');"
                        + " fs.writeSync(f, megabyte); kept.push(f); } fs.rmSync(place('d'), { recursive: true }); for (;;) await sleep(50);",
                // A name that was reused by another file.
                "for (let n = 0; ; n++) { const f = fs.openSync(place('same'), 'w'); fs.writeSync(f, megabyte); kept.push(f);"
                        + " fs.writeFileSync(place('new'), ''); fs.renameSync(place('new'), place('same')); await sleep(5); }",
                // Holes count with their full size.
                "for (let n = 0; n < 4; n++) fs.truncateSync(fs.openSync(place(n), 'w') && place(n), 8 << 20); for (;;) await sleep(50);",
                // Many entries, and nested folders.
                "for (let n = 0; ; n++) { fs.writeFileSync(place(n), ''); if (n % 500 === 0) await sleep(1); }",
                "let d = place('d'); for (;;) { fs.mkdirSync(d); d += '/d'; await sleep(1); }",
                // A folder without read permission.
                "fs.mkdirSync(place('d')); fs.chmodSync(place('d'), 0); for (let n = 0; n < 30; n++) fs.appendFileSync(place('f'), megabyte);"
                        + " for (;;) await sleep(50);",
            })
    void endsAProcessOfNode_thatTakesMoreOfTheDiskThanItMay(String body) {
        try (var bench = new ProgramBench(Language.NODE, NodeBench.limits(2, 4))) {
            assertThat(bench.run(NODE_START + body))
                    .isInstanceOfSatisfying(
                            NodeResult.Broke.class,
                            broke -> assertThat(broke.reason())
                                    .contains("wrote more than 16 MB, or too many files, into its scratch folder"));
            assertThat(bench.run("return 1;")).isInstanceOf(NodeResult.Returned.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "files = [tempfile.TemporaryFile() for n in range(20)]\nfor f in files:\n  f.write(megabyte)\n  f.flush()\nwhile True: time.sleep(1)",
                "kept = []\nfor n in range(100):\n  f = os.open(place(n), os.O_RDWR | os.O_CREAT)\n  os.unlink(place(n))\n  os.write(f, megabyte)\n"
                        + "  kept.append(f)\nwhile True: time.sleep(1)",
                "f = os.open(os.environ['TMPDIR'], os.O_TMPFILE | os.O_RDWR)\ng = os.open(os.environ['TMPDIR'], os.O_TMPFILE | os.O_RDWR)\n"
                        + "for n in range(15):\n  os.write(f, megabyte)\n  os.write(g, megabyte)\nwhile True: time.sleep(1)",
                // Mapped, then closed: no descriptor refers to it.
                "f = os.open(place(1), os.O_RDWR | os.O_CREAT)\nfor n in range(10): os.write(f, megabyte)\n"
                        + "c = ctypes.CDLL(None)\nc.mmap.restype = ctypes.c_void_p\n"
                        + "c.mmap(None, ctypes.c_size_t(4096), 1, 1, f, ctypes.c_long(0))\nos.close(f)\nos.unlink(place(1))\nwhile True: time.sleep(1)",
                // Blocks beyond the end of the file.
                "c = ctypes.CDLL(None)\nkept = []\nfor n in range(4):\n  f = os.open(place(n), os.O_RDWR | os.O_CREAT)\n"
                        + "  c.fallocate(f, 1, ctypes.c_long(0), ctypes.c_long(8 << 20))\n  kept.append(f)\n"
                        + "os.write(kept[0], megabyte)\nfor n in range(20): os.write(os.open(place('x' + str(n)), os.O_RDWR | os.O_CREAT), megabyte)\n"
                        + "while True: time.sleep(1)",
                // State that can no longer be inspected.
                "c = ctypes.CDLL(None)\nc.prctl(4, 0, 0, 0, 0)\nf = os.open(place(1), os.O_RDWR | os.O_CREAT)\nos.unlink(place(1))\n"
                        + "g = os.open(place(2), os.O_RDWR | os.O_CREAT)\nos.unlink(place(2))\n"
                        + "for n in range(15):\n  os.write(f, megabyte)\n  os.write(g, megabyte)\nwhile True: time.sleep(1)",
            })
    void endsAProcessOfPython_thatTakesMoreOfTheDiskThanItMay(String body) {
        try (var bench = new ProgramBench(Language.PYTHON, NodeBench.limits(2, 4))) {
            assertThat(bench.run(PYTHON_START + body)).isInstanceOf(NodeResult.Broke.class);
            assertThat(bench.run("return 1")).isInstanceOf(NodeResult.Returned.class);
        }
    }

    /** Allowed use: files below the quota, named or unlinked, a file in nested folders, and space freed by deletion. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fs.writeFileSync(place(1), Buffer.alloc(12 << 20, 1)); fs.unlinkSync(place(1)); fs.writeFileSync(place(1), Buffer.alloc(12 << 20, 1));",
                "const f = fs.openSync(place(1), 'w'); fs.unlinkSync(place(1)); for (let n = 0; n < 12; n++) fs.writeSync(f, megabyte); fs.closeSync(f);",
                "for (let n = 0; n < 40; n++) { fs.writeFileSync(place(n), megabyte); fs.unlinkSync(place(n)); }",
                "fs.mkdirSync(place('a/b/c/d/e'), { recursive: true }); fs.writeFileSync(place('a/b/c/d/e/f'), megabyte);",
            })
    void letsAProcessHaveFiles_belowItsQuota(String body) {
        try (var bench = new ProgramBench(Language.NODE, NodeBench.limits(2, 4))) {
            assertThat(bench.run(NODE_START + body + " return process.pid;")).isInstanceOf(NodeResult.Returned.class);
        }
    }

    /** The kernel refuses a file that exceeds the quota of all files, and descriptors beyond the limit. */
    @Test
    void refusesOneFileBeyondTheQuota_andTooManyDescriptors() {
        try (var bench = new ProgramBench(Language.NODE, NodeBench.limits(2, 4))) {
            var large = bench.run(NODE_START + "fs.truncateSync(fs.openSync(place(1), 'w') && place(1), 20 << 20);");
            var many = bench.run(NODE_START + "for (let n = 0; n < 1000; n++) kept.push(fs.openSync(place(2), 'w'));");

            assertThat(many).as("%s", many).isInstanceOf(NodeResult.Threw.class);
            assertThat(large).as("%s", large).isInstanceOf(NodeResult.Threw.class);
            assertThat(((NodeResult.Threw) large).error().path("message").asText())
                    .contains("EFBIG");
            assertThat(((NodeResult.Threw) many).error().path("message").asText())
                    .contains("EMFILE");
        }
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void replacesAProcess_thatHoldsAFileWithoutANameAfterItsCall(Language language) {
        try (var bench = new ProgramBench(language, NodeBench.limits(1, 3))) {
            var holding = language == Language.NODE
                    ? NODE_START
                            + "const f = fs.openSync(place(1), 'w'); fs.unlinkSync(place(1)); fs.writeSync(f, megabyte);"
                            + " kept.push(f); return process.pid;"
                    : PYTHON_START + "sys.kept = os.open(place(1), os.O_RDWR | os.O_CREAT)\nos.unlink(place(1))\n"
                            + "os.write(sys.kept, megabyte)\nreturn os.getpid()";
            var plain = language == Language.NODE ? "return process.pid;" : "return os.getpid()";
            var first = bench.run(holding);

            var second = bench.run(plain);
            var third = bench.run(plain);

            assertThat(value(second)).isNotEqualTo(value(first));
            assertThat(value(third)).isEqualTo(value(second));
        }
    }

    /** The kernel reports no memory of such a process: its threads could use any amount. */
    @Test
    void endsAProcess_whoseThreadsGoOnWithoutTheFirstOne() {
        try (var bench = new ProgramBench(Language.PYTHON, NodeBench.limits(1, 20))) {
            var result = bench.run(PYTHON_START
                    + "threading.Thread(target=time.sleep, args=(60,)).start()\n"
                    + "ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)");

            assertThat(result).isInstanceOf(NodeResult.Broke.class);
            assertThat(((NodeResult.Broke) result).toString()).contains("main thread");
        }
    }

    @Test
    void removesTheFolderOfAProcess_howeverDeepItIs() {
        try (var bench = new ProgramBench(Language.PYTHON, NodeBench.limits(1, 3))) {
            var result = bench.run(PYTHON_START
                    + "os.chdir(os.environ['TMPDIR'])\nfor n in range(3000):\n  os.mkdir('d')\n  os.chdir('d')\n"
                    + "os.chmod('.', 0)\nos._exit(3)");

            assertThat(result).isInstanceOf(NodeResult.Broke.class);
            Waiting.until("its folder is gone", () -> bench.exchanges().isEmpty());
        }
    }

    private static String value(NodeResult result) {
        return ((NodeResult.Returned) result).value().asText();
    }
}
