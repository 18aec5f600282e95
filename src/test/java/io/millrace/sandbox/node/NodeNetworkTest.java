package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Network clients in a piece that use sockets connected by the server: all of them work as with ordinary sockets. */
class NodeNetworkTest {
    private static final String HOST = "127.0.0.3";

    private static NodeBench bench;
    private static HttpServer http;
    private static ServerSocket greeting;

    @BeforeAll
    static void start() throws IOException {
        bench = new NodeBench(
                new NodeSettings.Network(List.of("127.0.0.0/8", "::1/128"), List.of(HOST + "/32"), List.of()));
        http = HttpServer.create(new InetSocketAddress(HOST, 0), 200);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", exchange -> {
            var body = exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders()
                    .add(
                            "client-port",
                            Integer.toString(exchange.getRemoteAddress().getPort()));
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        http.start();
        greeting = new ServerSocket(0, 200, InetAddress.getByName(HOST));
        Thread.startVirtualThread(NodeNetworkTest::greet);
    }

    /** Speaks first, reads until the client has finished, and then reports the number of bytes. */
    private static void greet() {
        try {
            while (true) {
                var accepted = greeting.accept();
                Thread.startVirtualThread(() -> greet(accepted));
            }
        } catch (IOException closed) {
            assertThat(greeting.isClosed()).isTrue();
        }
    }

    private static void greet(Socket accepted) {
        try (accepted) {
            var out = accepted.getOutputStream();
            out.write("220 ready\n".getBytes(StandardCharsets.UTF_8));
            var bytes = accepted.getInputStream().readAllBytes();
            out.write(("221 " + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException reset) {
            assertThat(reset).isNotNull();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (bench != null) {
            bench.close();
            http.stop(0);
            greeting.close();
        }
    }

    private static NodeResult evaluated(String code) {
        var props = Json.object()
                .put("code", code)
                .put("url", "http://" + HOST + ":" + http.getAddress().getPort() + "/")
                .put("port", http.getAddress().getPort())
                .put("greeting", greeting.getLocalPort())
                .put("host", HOST);
        return bench.action("evaluate", props);
    }

    private static JsonNode value(String code) {
        var result = evaluated(code);
        assertThat(result).isInstanceOf(NodeResult.Returned.class);
        return ((NodeResult.Returned) result).value();
    }

    @Test
    void fetches_andSendsLargeBodies() {
        assertThat(value("const r = await fetch(props.url, {method: 'POST', body: 'x'.repeat(20e6)});"
                                + " return (await r.text()).length")
                        .asInt())
                .isEqualTo(20_000_000);
    }

    @Test
    void keepsConnections_withAnAgent() {
        var ports = value(
                "const http = require('node:http'); const agent = new http.Agent({keepAlive: true, maxSockets: 1});"
                        + " const get = () => new Promise((yes, no) => http.get(props.url, {agent}, (r) => { r.resume();"
                        + " r.on('end', () => yes(r.headers['client-port'])); }).on('error', no));"
                        + " const all = []; for (let n = 0; n < 20; n++) all.push(await get()); agent.destroy(); return [...new Set(all)]");

        assertThat(ports).hasSize(1);
    }

    @Test
    void makesHundredsOfConnectionsAtOnce() {
        assertThat(value("const all = await Promise.all(Array.from({length: 300}, () => new Promise((yes, no) => {"
                                + " const s = require('node:net').connect(props.greeting, props.host); let t = '';"
                                + " s.on('error', no); s.on('data', (d) => { t += d; if (t === '220 ready\\n') s.end('1234'); });"
                                + " s.on('close', () => yes(t)); }))); return [all.length, new Set(all).size, all[0]]")
                        .toString())
                .isEqualTo("[300,1,\"220 ready\\n221 4\\n\"]");
    }

    @Test
    void knowsAddressesAndPorts_ofItsSockets() {
        assertThat(value(
                                "return await new Promise((yes, no) => { const s = require('node:net').connect(props.greeting, props.host);"
                                        + " s.on('error', no); s.on('connect', () => { s.setNoDelay(true); s.setKeepAlive(true, 1000);"
                                        + " yes([s.remoteAddress, s.remotePort === props.greeting, s.remoteFamily, s.localPort > 0,"
                                        + " s.readyState]); s.destroy(); }); })")
                        .toString())
                .isEqualTo("[\"" + HOST + "\",true,\"IPv4\",true,\"open\"]");
    }

    @Test
    void reportsRefusedConnections() throws IOException {
        int free;
        try (var closed = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            free = closed.getLocalPort();
        }

        assertThat(value("return await new Promise((yes) => require('node:net').connect(" + free
                                + ", props.host).on('error', (e) => yes([e.code, e.syscall, e.address, e.port])))")
                        .toString())
                .isEqualTo("[\"ECONNREFUSED\",\"connect\",\"" + HOST + "\"," + free + "]");
    }

    @Test
    void triesTheNextAddress_ofANameWithSeveral() {
        assertThat(value("const lookup = (h, o, f) => f(null, [{address: '127.0.0.3', family: 4}]);"
                                + " return await new Promise((yes, no) => require('node:net').connect({port: props.greeting, host: 'two.example',"
                                + " autoSelectFamily: true, lookup: (h, o, f) => f(null, [{address: '127.0.0.3', family: 4}, {address: '127.0.0.3', family: 4}])})"
                                + ".on('error', no).on('connect', function () { this.destroy(); yes('connected'); }))")
                        .asText())
                .isEqualTo("connected");
    }

    @Test
    void dropsConnections_thatAreGivenUpWhileTheyAreMade() {
        assertThat(value("const net = require('node:net'); let closed = 0;"
                                + " await Promise.all(Array.from({length: 100}, () => new Promise((yes) => {"
                                + " const s = net.connect(props.greeting, props.host); s.on('error', yes);"
                                + " s.on('close', () => { closed++; yes(); }); setImmediate(() => s.destroy()); })));"
                                + " const text = await new Promise((yes, no) => net.connect(props.greeting, props.host)"
                                + ".on('error', no).on('data', function (d) { this.destroy(); yes(String(d)); }));"
                                + " return [closed, text]")
                        .toString())
                .isEqualTo("[100,\"220 ready\\n\"]");
    }

    @Test
    void keepsTheAsynchronousContext_ofItsCallbacks() {
        assertThat(value(
                                "const { AsyncLocalStorage } = require('node:async_hooks'); const store = new AsyncLocalStorage();"
                                        + " return await store.run('ours', () => new Promise((yes, no) => {"
                                        + " const s = require('node:net').connect(props.greeting, props.host); s.on('error', no);"
                                        + " s.on('connect', () => { const c = store.getStore(); s.on('data', () => { yes([c, store.getStore()]); s.destroy(); }); }); }))")
                        .toString())
                .isEqualTo("[\"ours\",\"ours\"]");
        assertThat(value(
                                "const { AsyncLocalStorage } = require('node:async_hooks'); const store = new AsyncLocalStorage();"
                                        + " return await store.run('ours', () => new Promise((yes) =>"
                                        + " require('node:dns').lookup('nowhere.invalid', () => yes(store.getStore()))))")
                        .asText())
                .isEqualTo("ours");
    }

    @Test
    void endsACallWhoseCallbackThrows() {
        var result = evaluated(
                "require('node:net').connect(props.greeting, props.host)"
                        + ".on('connect', () => { throw new RangeError('after the connection') }); await new Promise(() => {})");

        assertThat(result)
                .isInstanceOfSatisfying(
                        NodeResult.Threw.class,
                        threw -> assertThat(threw.error().path("message").asText())
                                .isEqualTo("after the connection"));
    }

    @Test
    void hidesTheChannel_fromPackagesThatLookForAParent() {
        assertThat(value(
                                "return [typeof process.send, typeof process.disconnect, process.env.NODE_CHANNEL_FD ?? 'none']")
                        .toString())
                .isEqualTo("[\"undefined\",\"undefined\",\"none\"]");
    }

    @Test
    void answersNamesAsNodeDoes() {
        assertThat(value(
                                "const dns = require('node:dns'); const { promisify } = require('node:util'); const codes = [];"
                                        + " const code = (p) => p.then(() => 'none', (e) => e.code);"
                                        + " return [await dns.promises.lookup('127.0.0.1'), await promisify(dns.lookup)('::1'),"
                                        + " await dns.promises.lookup('localhost', {all: true}), await dns.promises.lookup('localhost', 6),"
                                        + " await code(dns.promises.lookup('nowhere.invalid')), await code(dns.promises.resolveAny('a.invalid')),"
                                        + " await code(dns.promises.lookupService('127.0.0.1', 80))]")
                        .toString())
                .isEqualTo("[{\"address\":\"127.0.0.1\",\"family\":4},{\"address\":\"::1\",\"family\":6},"
                        + "[{\"address\":\"127.0.0.1\",\"family\":4}],{\"address\":\"::1\",\"family\":6},"
                        + "\"ENOTFOUND\",\"ENOTIMP\",\"ENOTIMP\"]");
    }

    @Test
    void failsQueries_whoseNameServersDoNotAnswer() {
        assertThat(value(
                                "return await require('node:dns').promises.resolveTxt('nowhere.invalid').then(() => 'none', (e) => e.code)")
                        .asText())
                .isIn("ENOTFOUND", "ESERVFAIL", "ETIMEOUT", "ECONNREFUSED");
    }

    /** A piece calls back the server, which code must not. */
    @Test
    void reachesTheServersOwnAddress_fromPiecesOnly() {
        var port = http.getAddress().getPort();
        var network = new NodeSettings.Network(List.of("127.0.0.0/8"), List.of(), List.of(HOST + ":" + port));
        try (var calling = new NodeBench(network)) {
            var props = Json.object().put("code", "return (await fetch('http://" + HOST + ":" + port + "/')).status");
            var frame = NodeBench.frame("action")
                    .put("action", "evaluate")
                    .put("executionType", "BEGIN")
                    .put("stepName", "step_1");
            frame.set("props", props);

            var ofPiece = NodeBench.await(calling.call(NodeCall.Urgency.RUN, frame, 20_000));
            var ofCode = NodeBench.await(calling.call(NodeCall.Urgency.CODE, frame, 20_000));

            assertThat(ofPiece)
                    .isInstanceOfSatisfying(
                            NodeResult.Returned.class,
                            returned -> assertThat(returned.value().asInt()).isEqualTo(200));
            assertThat(ofCode).isInstanceOf(NodeResult.Threw.class);
        }
    }

    @Test
    void refusesConnections_whereNoLaunchProgramCanHandThemOver() {
        try (var unfenced = new NodeBench(Optional.of(Path.of("/usr/bin/node")), 64L << 20, 256L << 20, 1)) {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/node")));
            var code = "return [await fetch('" + "http://203.0.113.1/').catch((e) => e.cause.message),"
                    + " await require('node:dns').promises.lookup('example.com').catch((e) => e.message)]";

            var result = unfenced.action("evaluate", Json.object().put("code", code));

            assertThat(((NodeResult.Returned) result).value().toString())
                    .contains("Blocked an attempt to connect: this server has no channel to its processes")
                    .contains("Blocked an attempt to look up a name");
        }
    }
}
