package io.millrace.engine.run.step;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Code steps with Node.js APIs (contract pieces 12), and attempts to leave the sandbox. */
@Slow(Slow.Reason.PROCESS)
class NodeCodeIT {
    private static TestServer server;
    private static HttpServer redirecting;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(folder -> Files.exists(Path.of(folder, "node"))),
                "Node.js is not on the PATH");
        server = ServerSettings.openSignUp()
                .with("AP_FLOW_TIMEOUT_SECONDS", "300")
                .with("AP_CODE_SCRATCH_MAX_MB", "2")
                .with("AP_SSRF_ALLOW_LIST", "127.0.0.3")
                .startInRealTime();
        redirecting = HttpServer.create(new InetSocketAddress("127.0.0.3", 0), 0);
        redirecting.createContext("/", exchange -> {
            var query = String.valueOf(exchange.getRequestURI().getQuery());
            exchange.getResponseHeaders().set("location", "http://127.0.0.2:" + query.replaceAll("\\D", "") + "/");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        redirecting.start();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            redirecting.stop(0);
        }
    }

    private static JsonNode run(String source) {
        return LiveFlow.publish(admin, webhook().code("step_1", source)).run(json("{}"));
    }

    private static JsonNode runBody(String body) {
        return run("export const code = async (inputs) => {\n" + body + "\n};");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "return require('crypto').createHash('sha256').update('a').digest('hex').slice(0, 8); | ca978112",
                "const { createHmac } = require('node:crypto'); return createHmac('sha1', 'k').update('v').digest('base64'); | lPxqL36JuBls904QeajBHrZ5pVI=",
                "return Buffer.from('Mühle').toString('base64'); | TcO8aGxl",
                "const c = new AbortController(); c.abort(); return c.signal.aborted; | true",
                "return new Headers({ A: 'b' }).get('a'); | b",
                "return typeof fetch; | function",
                "return require('path').join('a', '..', 'b'); | b",
                "return require('zlib').gunzipSync(require('zlib').gzipSync('zip')).toString(); | zip",
                "return await require('util').promisify(setTimeout)(1, 'late'); | late",
                "return require('querystring').parse('a=1').a; | 1",
                "const { EventEmitter } = require('events'); const e = new EventEmitter(); return await new Promise((r) => { e.on('x', r); e.emit('x', 'received'); }); | received",
                "return crypto.randomUUID().length; | 36",
            })
    void runsWhatNodeHas(String body, String output) {
        var run = runBody(body);

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output").asText()).isEqualTo(output);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "return require('fs').readFileSync('/etc/passwd', 'utf8'); | FAILED | restricted",
                "return require('fs').readdirSync('/proc'); | FAILED | restricted",
                "require('fs').writeFileSync('/tmp/escaped', 'x'); | FAILED | restricted",
                "return require('child_process').execSync('id').toString(); | FAILED | restricted",
                "process.kill(process.ppid, 9); | FAILED | Blocked an attempt to signal",
                "return process.binding('fs'); | FAILED | Blocked an attempt to reach below",
                "new (require('worker_threads').Worker)('1', { eval: true }); | FAILED | restricted",
                "for (;;) { require('child_process').fork(__filename); } | FAILED | restricted",
                "return await fetch('http://169.254.169.254/latest/meta-data/').catch((e) => { throw e.cause; }); | FAILED | Blocked a request",
                "return await fetch('http://localhost:80/').catch((e) => { throw e.cause; }); | FAILED | Blocked a request",
                "await new Promise((d, f) => require('net').connect(80, '127.0.0.1').on('connect', d).on('error', f)); | FAILED | Blocked a request",
                "await new Promise((d, f) => require('net').connect(80, '169.254.169.254').on('connect', d).on('error', f)); | FAILED | Blocked a request",
                "return await fetch('http://[::ffff:169.254.169.254]/').catch((e) => { throw e.cause; }); | FAILED | Blocked a request",
                "return await fetch('http://2852039166/').catch((e) => { throw e.cause; }); | FAILED | Blocked a request",
                "return await new Promise((d, f) => require('http').get({ host: 'localhost', port: 80, lookup: (h, o, c) => c(null, [{ address: '169.254.169.254', family: 4 }]) }, d).on('error', f)); | FAILED | Blocked a request",
                "return await new Promise((d, f) => require('tls').connect(443, 'localhost').on('error', f)); | FAILED | Blocked a request",
                "return require('fs').readdirSync('..'); | FAILED | restricted",
                "return require('fs').readdirSync(require('path').join(__dirname, '..', '..')); | FAILED | restricted",
                "return require('fs').readFileSync('/proc/self/environ', 'utf8'); | FAILED | restricted",
                "process.pid; for (;;) { try { require('fs').writeSync(1, 'x'.repeat(1000) + String.fromCharCode(10)); } catch {} } | FAILED | wrote into the pipe",
                "process.pid; for (;;) { try { require('fs').writeSync(1, 'x'.repeat(1000)); } catch {} } | FAILED | wrote into the pipe",
                "process.pid; for (;;) { try { require('fs').writeSync(2, 'x'.repeat(1000)); } catch {} } | FAILED | error output",
                "return await new Promise((d, f) => require('dgram').createSocket('udp4').on('error', f).send('x', 53, '169.254.169.254', (e) => e ? f(e) : d())); | FAILED | Blocked an attempt",
                "let refused = 0; for (let n = 0; n < 500; n++) { try { require('child_process').spawn('sleep', ['60']); } catch { refused++; } } throw new Error('refused ' + refused); | FAILED | refused 500",
                "process.pid; return Buffer.alloc(4 * 2 ** 30, 1).length; | MEMORY_LIMIT_EXCEEDED | memory",
                "process.exit(3); | FAILED | the code ended its process with exit code 3",
                "const all = []; for (;;) { all.push(Buffer.alloc(64 << 20, 1)); } | MEMORY_LIMIT_EXCEEDED | memory",
                "const all = []; for (;;) { all.push(new Array(1 << 17).fill(process.pid)); } | MEMORY_LIMIT_EXCEEDED | memory",
            })
    void refusesOrEnds(String body, String status, String reason) {
        var run = runBody(body);

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo(status);
        assertThat(run.toString()).containsIgnoringCase(reason);
    }

    /** The code forges a question of the call in the pipe, and reads the answer before the host does. */
    @Test
    void isAnsweredNothing_whenItAsksForTheStoreAsAPieceWould() {
        var run = runBody("""
                const { stringify, parse } = JSON;
                let call;
                JSON.stringify = (value) => { call = value.call ?? call; return stringify(value); };
                console.log('x');
                JSON.stringify = stringify;
                return await new Promise((received) => {
                  JSON.parse = (text) => {
                    const frame = parse(text);
                    if (frame.t === 'ctxResult') { JSON.parse = parse; received(frame); }
                    return frame;
                  };
                  const params = { key: 'k', scope: 'COLLECTION' };
                  const question = { t: 'ctx', id: 'h1', call, method: 'store.get', params };
                  require('fs').writeSync(1, stringify(question) + String.fromCharCode(10));
                });""");

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/error/message").asText()).contains("cannot ask for store.get");
        assertThat(run.at("/steps/step_1/output").has("value")).isFalse();
    }

    /** Writes files of one megabyte each, and stops after several. */
    private static String writes(int megabytes) {
        return "const fs = require('fs'); const path = require('path'); let size = 0;"
                + " for (let n = 0; n < " + megabytes + "; n++) {"
                + " const file = path.join(process.env.TMPDIR, 'scratch' + n);"
                + " fs.writeFileSync(file, Buffer.alloc(1 << 20)); size += fs.statSync(file).size >> 20;"
                + " if (" + megabytes + " < 2) fs.unlinkSync(file); } return size;";
    }

    @Test
    void hasAFolderForTemporaryFiles_upToItsQuota() {
        var run = runBody(writes(1));

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output").asInt()).isEqualTo(1);
    }

    @Test
    void endsTheProcess_whenItsFilesAreMoreThanTheQuota() {
        var over = runBody(writes(3));
        var after = runBody("return require('fs').readdirSync(process.env.TMPDIR).length;");

        assertThat(over.path("status").asText()).as(over.toString()).isEqualTo("FAILED");
        assertThat(over.toString()).contains("the code wrote more than 2 MB");
        assertThat(after.at("/steps/step_1/output").asInt(-1))
                .as(after.toString())
                .isZero();
    }

    @Test
    void refusesOneFileBeyondTheQuota() {
        var run = runBody(
                "const fs = require('fs'); const file = require('path').join(process.env.TMPDIR, 'large');"
                        + " try { fs.writeFileSync(file, Buffer.alloc(3 << 20)); } finally { fs.rmSync(file, { force: true }); }");

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(run.toString()).contains("EFBIG");
    }

    /** Attempts to read the program of another project by its real path: the file, and the folders above it. */
    private static final String ATTEMPTS = """
            fs.readFileSync(FILE, 'utf8')
            fs.readFileSync(Buffer.from(FILE), 'utf8')
            fs.readFileSync(require('url').pathToFileURL(FILE), 'utf8')
            fs.readFileSync(FOLDER + '/../' + path.basename(FOLDER) + '/code.js', 'utf8')
            fs.readFileSync(path.relative(process.cwd(), FILE), 'utf8')
            fs.readFileSync('/proc/self/root' + FILE, 'utf8')
            fs.readFileSync('/proc/self/cwd/' + path.relative(process.cwd(), FILE), 'utf8')
            fs.readFileSync('/proc/thread-self/root' + FILE, 'utf8')
            fs.readFileSync(process.env.TMPDIR + '/'.repeat(9) + '../'.repeat(20) + FILE, 'utf8')
            await fs.promises.readFile(FILE, 'utf8')
            await (await fs.promises.open(FILE)).readFile('utf8')
            await new Promise((y, n) => fs.createReadStream(FILE).on('error', n).on('data', y))
            await new Promise((y, n) => fs.readFile(FILE, (e, d) => e ? n(e) : y(d)))
            fs.openSync(FILE, 'r')
            await fs.openAsBlob(FILE)
            fs.copyFileSync(FILE, process.env.TMPDIR + '/copy')
            fs.cpSync(FILE, process.env.TMPDIR + '/copy')
            fs.linkSync(FILE, process.env.TMPDIR + '/link')
            fs.symlinkSync(FILE, process.env.TMPDIR + '/link')
            fs.symlinkSync(ROOT, process.env.TMPDIR + '/folder')
            fs.renameSync(FILE, process.env.TMPDIR + '/moved')
            fs.writeFileSync(FILE, 'exports.code = () => 1')
            fs.appendFileSync(FILE, ';')
            fs.unlinkSync(FILE)
            fs.truncateSync(FILE)
            fs.readdirSync(FOLDER)
            fs.readdirSync(PROJECT)
            fs.readdirSync(ROOT)
            fs.readdirSync(ROOT + '/..', { recursive: true })
            fs.opendirSync(PROJECT).readSync()
            fs.readdirSync('/proc/self/cwd/../..')
            fs.readdirSync(process.cwd() + '/..')
            fs.readlinkSync('/proc/self/cwd')
            fs.watch(PROJECT)
            fs.statSync(FILE).size
            fs.accessSync(FILE)
            (0, require)(FILE).code()
            require('module').createRequire(FILE)('./code.js').code()
            require('module')._load(FILE).code()
            await import(FILE)
            new (require('worker_threads').Worker)(FILE)
            require('child_process').execFileSync('/bin/cat', [FILE])
            """;

    private Path programWith(String text) throws IOException {
        try (var files = Files.walk(server.dataDirectory().resolve("code-programs"))) {
            return files.filter(file -> file.endsWith("code.js") && holds(file, text))
                    .findAny()
                    .orElseThrow(() -> new AssertionError("expected a program with " + text));
        }
    }

    private static boolean holds(Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void readsNothingOfAnotherProject() throws IOException {
        // Given
        var eve = server.signUp("eve@example.com", "Eve");
        LiveFlow.publish(
                        admin,
                        webhook().code("step_1", "export const code = async () => [process.pid, 'flour of Ada'];"))
                .run(json("{}"));
        var program = programWith("flour of Ada");
        var before = Files.readString(program);
        var folder = program.getParent();
        var places = Map.of(
                "FILE",
                program,
                "FOLDER",
                folder,
                "PROJECT",
                folder.getParent(),
                "ROOT",
                folder.getParent().getParent());
        var constants = new StringBuilder();
        places.forEach((name, path) -> constants.append("const %s = '%s'; ".formatted(name, path)));
        var attempts =
                ATTEMPTS.lines().map(attempt -> "async () => (" + attempt + ")").toList();

        // When
        var run = LiveFlow.publish(eve, webhook().code("step_1", """
                        %s
                        const fs = require('fs'); const path = require('path');
                        const tried = async (attempt) => {
                          try { return { got: String(await attempt()) }; } catch (error) { return { threw: String(error) }; }
                        };
                        export const code = async () => {
                          const outcomes = [];
                          for (const attempt of [%s]) outcomes.push({ source: String(attempt), ...await tried(attempt) });
                          fs.writeFileSync(process.env.TMPDIR + '/own', 'own');
                          return { outcomes, own: fs.readFileSync(process.env.TMPDIR + '/own', 'utf8') };
                        };
                        """.formatted(
                                constants, String.join(",\n", attempts))))
                .run(json("{}"));

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output/own").asText()).isEqualTo("own");
        assertThat(run.at("/steps/step_1/output/outcomes"))
                .hasSameSizeAs(attempts)
                .allSatisfy(outcome -> assertThat(outcome.path("threw").asText())
                        .as(outcome.toString())
                        .containsPattern("Access to this API has been restricted|requires full fs.read and fs.write"
                                + "|EACCES: permission denied"));
        assertThat(run.toString()).doesNotContain("flour of Ada");
        assertThat(program).hasContent(before);
    }

    @Test
    void refusesARedirectToAPrivateAddress_alsoWhereTheFirstAddressIsAllowed() throws IOException {
        try (var hidden = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            hidden.setSoTimeout(1);
            var body =
                    "const open = 'http://127.0.0.3:" + redirecting.getAddress().getPort() + "/';"
                            + " const first = await fetch(open, { redirect: 'manual' });"
                            + " if (first.status !== 302) throw new Error('no redirect ' + first.status);"
                            + " return await fetch(open + '?to=" + hidden.getLocalPort()
                            + "').catch((e) => { throw e.cause; });";

            var run = runBody(body);

            assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
            assertThat(run.toString()).contains("Blocked a request");
            assertThatThrownBy(hidden::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void runsACodeStepAgain_whenSomebodyKilledItsProcess() {
        // given a step that waits for a response that never arrives
        var kills = new Isolation(Isolation.Settings.of(Path.of("/dev/null"))).memoryKills();
        var pids = new CopyOnWriteArrayList<Long>();
        redirecting.createContext("/stuck", exchange -> {
            pids.add(Long.parseLong(exchange.getRequestURI().getQuery()));
            if (pids.size() > 1) {
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            }
        });
        var flow = LiveFlow.publish(
                admin,
                webhook()
                        .code(
                                "step_1",
                                "export const code = async () => { await fetch('http://127.0.0.3:"
                                        + redirecting.getAddress().getPort()
                                        + "/stuck?' + process.pid); return 'done'; };"));
        flow.call(json("{}"));
        Waiting.until("the step executes", () -> !pids.isEmpty());

        // When
        ProcessHandle.of(pids.getFirst()).orElseThrow().destroyForcibly();

        // Then
        Waiting.until(
                "the run has ended",
                () -> List.of("SUCCEEDED", "MEMORY_LIMIT_EXCEEDED")
                        .contains(flow.runs().getFirst().path("status").asText()));
        assumeFalse(kills.mayHaveHappened(), "the kernel has killed a process, or does not say");
        assertThat(flow.newest().at("/steps/step_1/output").asText()).isEqualTo("done");
    }

    @Test
    void refusesTheServersOwnAddress() {
        var run = runBody("return await fetch('http://127.0.0.1:" + server.port()
                + "/api/v1/health').catch((e) => { throw e.cause; });");

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(run.toString()).contains("Blocked a request");
    }

    @Test
    void handsOverNothingOfTheServersEnvironment() {
        var run = runBody("return Object.keys(process.env).sort();");

        assertThat(run.at("/steps/step_1/output"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name.asText())
                        .isIn(
                                "HOME",
                                "LANG",
                                "NODE_ENV",
                                "NODE_EXTRA_CA_CERTS",
                                "HTTP_PROXY",
                                "HTTPS_PROXY",
                                "NO_PROXY",
                                "http_proxy",
                                "https_proxy",
                                "no_proxy",
                                "PATH",
                                "TMPDIR",
                                "TZ"));
    }

    @Test
    void keepsTheConsoleOfAStep_everyFunctionOfIt() {
        var run = runBody("process.pid; console.log('plain'); console.table([{ a: 1 }]); console.group('outer');"
                + " console.info('inner'); console.groupEnd(); console.count(); console.assert(false, 'not so');"
                + " console.dir({ b: 2 }); console.time('t'); console.timeEnd('t'); console.error('bad');");

        assertThat(run.at("/steps/step_1/standardOutput").asText())
                .contains("plain", "(index)", "  inner", "default: 1", "{ b: 2 }", "t: ");
        assertThat(run.at("/steps/step_1/standardError").asText()).contains("not so", "bad");
    }

    @Test
    void boundsTheConsole_whenTheOutputIsEndless() {
        var run = runBody("process.pid; for (let i = 0; i < 20000; i++) console.log('line ' + i);");

        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/standardOutput").asText().length()).isLessThan(70_000);
        assertThat(run.at("/steps/step_1/standardOutput").asText()).endsWith("[truncated]");
    }

    @Test
    void namesTheLineOfTheAuthorsTypeScript() {
        var run = run("""
                interface Order {
                  total: number;
                }

                export const code = async (inputs: Order): Promise<number> => {
                  const bytes: Buffer = Buffer.from('x');
                  throw new TypeError('no total');
                };
                """);

        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.toString()).contains("no total").contains("code.ts:7:");
        assertThat(Json.trusted(run.at("/steps/step_1/errorMessage").asText()).path("line"))
                .isEqualTo(json("7"));
    }

    @Test
    void forgetsTheModulesOfACall() {
        var flow = LiveFlow.publish(
                admin,
                webhook().code("step_1", "let calls = 0; export const code = async () => [process.pid, ++calls];"));

        var first = flow.run(json("{}"));
        var second = flow.run(json("{}"));

        assertThat(first.at("/steps/step_1/output/1").asInt()).isEqualTo(1);
        assertThat(second.at("/steps/step_1/output/1").asInt()).isEqualTo(1);
        assertThat(second.at("/steps/step_1/output/0")).isEqualTo(first.at("/steps/step_1/output/0"));
    }

    @Test
    void sharesNoProcessWithAnotherProject() {
        var other = server.signUp("bob@example.com", "Bob");
        var script = webhook()
                .code("step_1", "export const code = async () => [process.pid, globalThis.left ??= Math.random()];");

        var ours = LiveFlow.publish(admin, script).run(json("{}"));
        var theirs = LiveFlow.publish(other, script).run(json("{}"));

        assertThat(theirs.at("/steps/step_1/output/1")).isNotEqualTo(ours.at("/steps/step_1/output/1"));
    }
}
