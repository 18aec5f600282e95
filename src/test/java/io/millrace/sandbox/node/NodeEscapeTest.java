package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.support.Slow;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sandbox escape attempts of pieces: other processes, files, network protocols other than TCP. */
@Slow(Slow.Reason.HOSTILE)
@HostileKind("Node.js escape")
class NodeEscapeTest {
    /** Messages of the guards, of Node.js and of the kernel; an error of the attack's own code matches none. */
    private static final String REFUSAL = "^(Blocked an attempt|Access to this API has been restricted"
            + "|EACCES: permission denied|fs\\.symlink API requires full|Cannot load native addon"
            + "|Cannot redefine property: setFlagsFromString|Cannot delete property)";

    private static NodeBench bench;
    private Process neighbour;

    @BeforeAll
    static void start() {
        bench = new NodeBench(64L << 20, 2);
    }

    @AfterAll
    static void stop() {
        if (bench != null) {
            bench.close();
        }
    }

    @BeforeEach
    void startNeighbour() throws IOException {
        neighbour = new ProcessBuilder("sleep", "600").start();
    }

    @AfterEach
    void stopNeighbour() {
        neighbour.destroyForcibly();
    }

    /** Runs code inside a piece and returns the result as text; {@code target} is a process other than the piece's. */
    private String evaluated(String code) {
        return bench.action("evaluate", props(code)).toString();
    }

    private ObjectNode props(String code) {
        return Json.object()
                .put("code", code)
                .put("target", neighbour.pid())
                .put("server", ProcessHandle.current().pid());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "process.kill(process.ppid, 9)",
                "process.kill(props.target, 'SIGKILL')",
                "process.kill(-1, 'SIGKILL')",
                "process.kill(0, 'SIGKILL')",
                "process._kill(props.target, 9)",
                "process._debugProcess(props.target)",
                "process.reallyExit.constructor; process.abort.constructor; process._debugProcess(props.server)",
                "require('node:os').setPriority(props.target, 19)",
                "require('node:child_process').execFileSync('/bin/kill', ['-9', `${props.target}`])",
                "new (require('node:worker_threads').Worker)('process.kill(1)', {eval: true})",
                "require('node:cluster').setupPrimary({exec: process.env.TMPDIR + '/x.js'}); require('node:cluster').fork()",
                "process.binding('process_methods')._kill(props.target, 9)",
                "process._linkedBinding('process_methods')",
                "process.dlopen({exports: {}}, '/lib/x86_64-linux-gnu/libc.so.6')",
                "new (require('node:inspector').Session)().connectToMainThread()",
                "require('node:inspector').open(0)",
                "require('node:v8').writeHeapSnapshot('/tmp/stolen')",
                "require('node:v8').setFlagsFromString('--allow-natives-syntax')",
                "require('v8').setFlagsFromString('--expose-gc')",
                "require('node:v8').getHeapSnapshot()",
                "Object.defineProperty(require('node:v8'), 'setFlagsFromString', {value: 1})",
                "(() => {'use strict';delete require('node:v8').setFlagsFromString})()",
                "new (require('node:inspector').Session)()",
                "new (require('node:inspector/promises').Session)()",
                "require('node:inspector').waitForDebugger()",
                "process.report.writeReport(process.env.TMPDIR + '/report.json')",
                "process.binding('fs')",
                "new (require('node:worker_threads').Worker)(\"require('v8').setFlagsFromString('--expose-gc')\", {eval: true})",
                "require('node:vm').runInNewContext('this.constructor.constructor(\"return process\")()').binding('fs')",
                "new (require('node:wasi').WASI)({version: 'preview1', preopens: {'/': '/'}}).x.y",
                "require('node:fs').readFileSync('/etc/hostname')",
                "require('node:fs').readFileSync('/proc/1/comm')",
                "require('node:fs').readFileSync('/proc/self/environ')",
                "require('node:fs').readdirSync('/proc')",
                "require('node:fs').readdirSync('/etc')",
                "require('node:fs').readdirSync('/sys')",
                "require('node:fs').writeFileSync('/dev/shm/left', 'x')",
                "require('node:fs').watch('/etc')",
                "require('node:fs').opendirSync('/')",
                "require('node:fs').cpSync('/etc/hostname', process.env.TMPDIR + '/copy')",
                "require('node:fs').readFileSync(`/proc/${props.server}/environ`)",
                "require('node:fs').readFileSync(`/proc/${props.target}/environ`)",
                "require('node:fs').openSync(`/proc/${props.target}/mem`)",
                "require('node:fs').readlinkSync(`/proc/${props.server}/fd/0`)",
                "require('node:fs').readFileSync('/etc/shadow')",
                "require('node:fs').symlinkSync('/etc/passwd', require('node:path').join(process.env.TMPDIR, 'link'))",
            })
    void reachesNoOtherProcessAndNoFile(String code) {
        var begun = "console.log('attack begun'); ";

        var result = bench.action("evaluate", props(begun + "return String(" + code.replace("; ", ", ") + ")"));

        assertThat(result)
                .isInstanceOfSatisfying(
                        NodeResult.Threw.class,
                        threw -> assertThat(threw.error().path("message").asText())
                                .containsPattern(REFUSAL));
        assertThat(result.printed().standardOutput()).contains("attack begun");
        assertThat(neighbour.isAlive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "require('node:net').createServer().on('error', no).listen(0, () => yes('listens'))",
                "require('node:http').createServer().on('error', no).listen(0, '127.0.0.1', () => yes('listens'))",
                "require('node:http2').createServer().on('error', no).listen(0, () => yes('listens'))",
                "require('node:net').createServer().on('error', no).listen(process.env.TMPDIR + '/s', () => yes('listens'))",
                "require('node:net').createServer().on('error', no).listen({fd: 0}, () => yes('listens'))",
                "require('node:net').connect('/var/run/docker.sock').on('error', no).on('connect', () => yes('connected'))",
                "require('node:dgram').createSocket('udp4').on('error', no).bind(0, () => yes('bound'))",
                "require('node:dgram').createSocket('udp4').send('x', props.port, '127.0.0.1', (e) => e ? no(e) : yes('sent'))",
                "require('node:dgram').createSocket('udp4').on('error', no).connect(props.port, '127.0.0.1', (e) => e ? no(e) : yes('connected'))",
                "require('node:dns').setServers(['127.0.0.1:' + props.port])",
                "require('node:dns').promises.setServers(['127.0.0.1'])",
                "new (require('node:dns').Resolver)().setServers(['127.0.0.1'])",
                "new (require('node:dns').promises.Resolver)().setServers(['127.0.0.1'])",
                "new (require('node:dns').Resolver)().setLocalAddress('127.0.0.1')",
                "require('node:tls').connect({port: props.port, host: '127.0.0.1'}).on('error', no)",
                "require('node:http2').connect('http://127.0.0.1:' + props.port).on('error', no)",
                "fetch('http://127.0.0.1:' + props.port).then(yes, (e) => no(e.cause ?? e))",
                "require('node:net').connect({port: props.port, host: 'x', lookup: (h, o, f) => f(null, o.all ? [{address: '127.0.0.1', family: 4}] : '127.0.0.1', 4)}).on('error', no)",
            })
    void refusesAllButTcpToOthers(String code) throws IOException {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listening.setSoTimeout(1);
            var props = Json.object()
                    .put("port", listening.getLocalPort())
                    .put("code", "return new Promise((yes, no) => { " + code + " })");

            var result = bench.action("evaluate", props);

            assertThat(result)
                    .isInstanceOfSatisfying(
                            NodeResult.Threw.class,
                            threw -> assertThat(threw.error().path("message").asText())
                                    .contains("Blocked"));
            assertThat(isAccepted(listening)).isFalse();
        }
    }

    private static boolean isAccepted(ServerSocket listening) throws IOException {
        try {
            listening.accept().close();
            return true;
        } catch (SocketTimeoutException nobody) {
            return false;
        }
    }

    /** Without the guards, the attempts of the next test would connect. */
    @Test
    void connects_whereTheAddressIsAllowed() throws IOException {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var open = new NodeBench(
                        new NodeSettings.Network(List.of("127.0.0.0/8"), List.of("127.0.0.1/32"), List.of()))) {
            listening.setSoTimeout(5_000);
            var props = Json.object().put("port", listening.getLocalPort()).put("code", GO + "return go();");

            var result = NodeBench.await(open.start("evaluate", props, 20_000));

            assertThat(result).isInstanceOf(NodeResult.Returned.class);
            assertThat(result.printed().standardOutput()).contains("attack begun");
            assertThat(isAccepted(listening)).isTrue();
        }
    }

    private static final String GO = "console.log('attack begun'); const net = require('node:net');"
            + " const go = (more) => new Promise((yes, no) => {"
            + "const s = new net.Socket(); s.on('error', no); s.on('connect', () => yes('connected'));"
            + "s.connect({host: '127.0.0.1', port: props.port, ...more}); });";

    /** Bypasses of the exported functions: the handles themselves, and the parts of the guard. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "const s = new net.Socket(); s.on('error', () => {}); s.connect({host: 'x', port: 1, lookup() {}});"
                        + "const T = s._handle.constructor; const t = new T(0);"
                        + "await new Promise((yes, no) => t.connect({oncomplete: (r) => r ? no(new Error('Refused ' + r)) : yes()}, '127.0.0.1', props.port))",
                "net.BlockList.prototype.check = () => false; await go()",
                "net.SocketAddress.isSocketAddress = () => true; await go()",
                "Array.prototype.includes = () => true; Array.prototype.find = () => undefined; Object.prototype.path = undefined; await go()",
                "let n = 0; await go({port: {toString: () => n++ ? `${props.port}` : '1'}})",
                "let n = 0; await go({host: {toString: () => n++ ? '127.0.0.1' : '93.184.216.34'}})",
                "Object.prototype['127.0.0.1:' + props.port] = true; await go()",
                "Object.getPrototypeOf(net.Socket.prototype).connect = undefined; delete net.Socket.prototype.connect; await go()",
                "Reflect.apply = () => 0; Function.prototype.call = () => 0; String.prototype[Symbol.split] = () => ['8.8.8.8']; await go()",
            })
    void refusesConnections_whereTheGuardItselfIsTamperedWith(String code) throws IOException {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var tampered = new NodeBench(64L << 20, 1)) {
            listening.setSoTimeout(1);
            var props = Json.object().put("port", listening.getLocalPort()).put("code", GO + code + ";");

            var result = NodeBench.await(tampered.start("evaluate", props, 20_000));
            assertThat(result).isNotInstanceOf(NodeResult.Returned.class);
            assertThat(result.printed().standardOutput()).contains("attack begun");
            assertThat(isAccepted(listening)).isFalse();
        }
    }

    @Test
    void sendsNoDatagram_throughTheHandleOfASocket() throws IOException {
        try (var receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            receiver.setSoTimeout(1);
            var result = evaluated("const u = require('node:dgram').createSocket('udp4');"
                    + "const h = u[Object.getOwnPropertySymbols(u).find((s) => String(s).includes('state'))].handle;"
                    + "return [h.bind('0.0.0.0', 0, 0), h.connect('127.0.0.1', " + receiver.getLocalPort() + "),"
                    + " h.send({}, [Buffer.from('x')], 1, " + receiver.getLocalPort()
                    + ", '127.0.0.1', false)].join()");

            assertThat(result).contains("-13,-13,-13");
            assertThat(hasReceived(receiver)).isFalse();
        }
    }

    /** Frames that the package writes itself, in the name of its call. */
    @Test
    void endsAProcess_thatAsksWithoutEnd() {
        var flood = "const s = JSON.stringify; let id; JSON.stringify = (v) => { id = v.call ?? id; return s(v); };"
                + " console.log('x'); JSON.stringify = s;"
                + " const line = s({t: 'ctx', id: 'h1', call: id, method: 'store.get', params: {}}) + '\\n';"
                + " for (;;) { try { require('node:fs').writeSync(1, line); } catch (full) { if (full.code !== 'EAGAIN') throw full; } }";
        try (var flooded = new NodeBench(64L << 20, 1)) {
            var result = NodeBench.await(flooded.start("evaluate", Json.object().put("code", flood), 20_000));

            assertThat(result)
                    .isInstanceOfSatisfying(
                            NodeResult.Broke.class,
                            broke -> assertThat(broke.reason()).contains("concurrent requests"));
            assertThat(flooded.questions().size()).isLessThan(20_000);
        }
    }

    private static boolean hasReceived(DatagramSocket receiver) throws IOException {
        try {
            receiver.receive(new DatagramPacket(new byte[10], 10));
            return true;
        } catch (SocketTimeoutException nothing) {
            return false;
        }
    }

    /** Addresses and names of the host, and folders of the server that do not belong to the process. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "JSON.stringify(require('node:os').networkInterfaces())",
                "JSON.stringify(process.report.getReport())",
                "require('node:os').hostname()",
                "JSON.stringify(process.execArgv)",
                "JSON.stringify(process.argv.slice(1))",
                "JSON.stringify([process.mainModule, require.main && require.main.children])",
                "JSON.stringify(Object.keys(require('node:module')._cache).filter((file) => file.includes('script')))",
            })
    void revealsNothingOfTheHost(String code) throws IOException {
        var told = evaluated("return String(" + code + ")");

        assertThat(told).startsWith("Returned").doesNotContain("/tmp", "script", "host.js", "network.js");
        for (var network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            network.inetAddresses()
                    .filter(address -> !address.isLoopbackAddress())
                    .forEach(address -> assertThat(told).doesNotContain(address.getHostAddress()));
        }
    }

    @Test
    void keepsWhatPiecesNeed() {
        assertThat(evaluated("return require('node:os').userInfo().uid === process.getuid()"))
                .contains("true");
        assertThat(evaluated("return process.kill(process.pid, 0)")).contains("true");
        assertThat(evaluated("return Object.keys(require('node:os').networkInterfaces()).join()"))
                .contains("lo");
        assertThat(evaluated("return process.report.getReport().header.glibcVersionRuntime !== 0"))
                .contains("true");
        assertThat(evaluated("return process.memoryUsage().rss > 0 && require('node:os').cpus().length > 0"
                        + " && require('node:os').totalmem() > 0 && require('node:os').loadavg().length === 3"))
                .contains("true");
        assertThat(evaluated("return (await require('node:dns').promises.lookup('localhost')).address"))
                .containsAnyOf("127.0.0.1", "::1");
    }
}
