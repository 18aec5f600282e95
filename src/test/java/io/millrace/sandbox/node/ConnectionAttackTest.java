package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.support.Slow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Malicious code with knowledge of the network implementation of its process that tries to reach a listener of this
 * host.
 */
@Slow(Slow.Reason.HOSTILE)
class ConnectionAttackTest {
    private static final String ALLOWED = "127.0.0.3";

    /** Notations of addresses of this host, of the private network and of the metadata service. */
    private static final String NOTATIONS = """
            ['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1',
             '0x7f.1', '0177.0.0.1', '017700000001', '127.0.0.1.', '127.000.000.001', '0', '0.0.0.0', '127.0.0.2', '127.255.255.254',
             '::1', '0:0:0:0:0:0:0:1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1', '::127.0.0.1',
             '64:ff9b::127.0.0.1', '2002:7f00:1::', '::1%lo', 'fe80::1%lo', '::ffff:0:127.0.0.1', '１２７.0.0.1', 'ⓛocalhost',
             'localhost.localdomain', '10.0.0.1', '169.254.169.254', '[::1]', '127.0.0.1%00', '127.0.0.1 ']""";

    private NodeBench bench;
    private ServerSocket listening;
    private ServerSocket open;

    @BeforeEach
    void start() throws IOException {
        open = new ServerSocket(0, 100, InetAddress.getByName(ALLOWED));
        listening = new ServerSocket(0, 100, InetAddress.ofLiteral("127.0.0.1"));
        listening.setSoTimeout(1);
        bench = new NodeBench(new NodeSettings.Network(
                List.of(
                        "0.0.0.0/8",
                        "127.0.0.0/8",
                        "10.0.0.0/8",
                        "169.254.0.0/16",
                        "::/128",
                        "::1/128",
                        "::/96",
                        "fe80::/10",
                        "64:ff9b::/96",
                        "2002::/16",
                        "::ffff:0:0:0/96"),
                List.of(ALLOWED + "/32"),
                List.of()));
    }

    @AfterEach
    void stop() throws IOException {
        bench.close();
        listening.close();
        open.close();
    }

    private NodeResult evaluated(String code) {
        var tools =
                "console.log('attack begun'); const net = require('node:net'); const go = (more) => new Promise((yes, no) => {"
                        + "const s = new net.Socket(); s.on('error', no); s.on('connect', () => yes('connected'));"
                        + "s.connect({host: '127.0.0.1', port: props.port, ...more}); });"
                        // Writes a raw line into the channel to the server.
                        + "const raw = (m) => require('node:fs').writeSync(3, (typeof m === 'string' ? m : JSON.stringify(m)) + '\\n');";
        var props = Json.object()
                .put("code", tools + code)
                .put("port", listening.getLocalPort())
                .put("open", open.getLocalPort())
                .put("notations", NOTATIONS.replace('\'', '"'));
        var result = NodeBench.await(bench.start("evaluate", props, 30_000));
        // A process may be killed for its frame after it has begun and before its output is read.
        if (!isEndedByItsChannel(result)) {
            assertThat(result.printed().standardOutput()).contains("attack begun");
        }
        return result;
    }

    private static boolean isEndedByItsChannel(NodeResult result) {
        return result instanceof NodeResult.Broke broke && broke.reason().contains("over its network channel");
    }

    private void assertNothingAccepted() throws IOException {
        try {
            listening.accept().close();
        } catch (SocketTimeoutException none) {
            return;
        }
        throw new AssertionError("a connection was made");
    }

    /** Without the guards, the attempts of this class would connect. */
    @Test
    void reachesTheAllowedAddress() {
        assertThat(evaluated("return go({host: '" + ALLOWED + "', port: props.open})"))
                .isInstanceOfSatisfying(
                        NodeResult.Returned.class,
                        returned -> assertThat(returned.value().asText()).isEqualTo("connected"));
    }

    /** Regression test of the second attack: the guard compared the addresses of another object. */
    @Test
    void reachesNothing_whenAddressesAreKeptByAnAccessorOfTheAttacker() throws IOException {
        var result = evaluated(
                "const sample = new net.SocketAddress({address: '93.184.216.34'});"
                        + " const symbol = Object.getOwnPropertySymbols(sample).find((s) => String(s).includes('Handle'));"
                        + " const handle = sample[symbol];"
                        + " Object.defineProperty(Object.prototype, symbol, {get: () => handle, set() {}, configurable: true});"
                        + " return await new Promise((yes, no) => require('node:http')"
                        + ".get('http://127.0.0.1:' + props.port, yes).on('error', no).on('socket', (s) => s.on('connect', () => yes('connected'))))");

        assertThat(result).isInstanceOf(NodeResult.Threw.class);
        assertNothingAccepted();
    }

    /** Wraps the methods of built-in objects and calls each intercepted function with the arguments of connect. */
    @Test
    void reachesNothing_whenEveryMethodIsPoisoned() throws IOException {
        var result = evaluated("""
                const log = console.log.bind(console);
                const found = []; const { apply, ownKeys } = Reflect;
                const descriptor = Object.getOwnPropertyDescriptor; const define = Object.defineProperty;
                const note = (value) => {
                  if (value !== null && (typeof value === 'function' || typeof value === 'object') && found.length < 20000) found[found.length] = value;
                };
                const roots = [net.Socket, net.BlockList, net.SocketAddress, require('node:events'), require('node:async_hooks').AsyncResource,
                  require('node:dns'), require('node:stream').Duplex, Map, WeakMap, Set, Array, Object, Function, Promise, String, RegExp,
                  JSON, Reflect, process];
                const poison = (object) => {
                  for (const key of ownKeys(object)) {
                    const d = descriptor(object, key);
                    if (!d || !d.configurable || typeof d.value !== 'function' || key === 'constructor') continue;
                    const original = d.value;
                    if (/^class/.test(Function.prototype.toString.call(original))) continue;
                    const wrapper = new Proxy(original, { apply(target, self, args) {
                      note(self); for (let n = 0; n < args.length; n++) note(args[n]);
                      return apply(target, self, args); } });
                    try { define(object, key, { ...d, value: wrapper }); } catch {}
                  }
                };
                for (const root of roots) { if (root.prototype) poison(root.prototype); if (root !== Object && root !== Reflect) poison(root); }
                const s = new net.Socket(); s.on('error', () => {});
                await new Promise((yes) => { s.on('connect', yes); s.on('close', yes); s.connect({host: '127.0.0.3', port: props.open}); });
                const TCP = s._handle?.constructor;
                log('poisoned', found.length, typeof TCP);
                const tried = [];
                if (TCP) for (const value of found) {
                  if (typeof value !== 'function' || /exit|abort/i.test(value.name)) continue;
                  try { const t = new TCP(0); apply(value, t, [{oncomplete() {}}, '127.0.0.1', props.port]); tried[tried.length] = 1; } catch {}
                  if (tried.length === 10) log('tried 10');
                  if (tried.length > 3000) break;
                }
                await go().catch(() => {}); await go({lookup: (h, o, f) => f(null, '127.0.0.1', 4), host: 'x'}).catch(() => {});
                return [found.length, typeof TCP];""");

        assertThat(result.printed().standardOutput())
                .containsPattern("poisoned \\d{3,} function")
                .contains("tried 10\n");
        assertNothingAccepted();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "net | new Promise((yes, no) => require('node:net').connect(props.port, host).on('error', no).on('connect', () => yes()))",
                "http | new Promise((yes, no) => require('node:http').get({host, port: props.port}).on('error', no).on('response', yes))",
                "https | new Promise((yes, no) => require('node:https').get({host, port: props.port}).on('error', no).on('response', yes))",
                "tls | new Promise((yes, no) => require('node:tls').connect({host, port: props.port}).on('error', no).on('secureConnect', yes))",
                "http2 | new Promise((yes, no) => require('node:http2').connect('http://' + (host.includes(':') ? '[' + host + ']' : host) + ':' + props.port).on('error', no).on('remoteSettings', yes))",
                "fetch | fetch('http://' + (host.includes(':') ? '[' + host + ']' : host) + ':' + props.port)",
                "raw handle | (async () => { const s = new net.Socket(); s.on('error', () => {}); s.connect({host: 'x', port: 1, lookup() {}}); const t = new s._handle.constructor(0);"
                        + " await new Promise((yes, no) => { const e = t[host.includes(':') ? 'connect6' : 'connect']({oncomplete: (r) => r ? no(new Error('r' + r)) : yes()}, host, props.port); if (e) no(new Error('e' + e)); }); })()",
                "own lookup | go({host: 'x.example', lookup: (h, o, f) => f(null, host, host.includes(':') ? 6 : 4)})",
                "channel | (async () => { raw({t: 'connect', id: 1e9 + Math.floor(Math.random() * 1e6), address: host, port: props.port}); throw new Error('sent') })()",
            })
    void reachesNothing_byAnyNotation(String client, String attempt) throws IOException {
        var result = evaluated("const through = []; await Promise.all(JSON.parse(props.notations).map(async (host) => {"
                + " try { await Promise.race([" + attempt
                + ", new Promise((_, no) => setTimeout(no, 3000, new Error('late')))]);"
                + " through.push(host); } catch {} })); return through");

        assertThat(result)
                .as(client)
                .isInstanceOfSatisfying(
                        NodeResult.Returned.class,
                        returned -> assertThat(returned.value()).isEmpty());
        assertNothingAccepted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "let n = 0; await go({lookup: (h, o, f) => f(null, {toString: () => n++ ? '127.0.0.1' : '127.0.0.3'}, 4), host: 'x'})",
                "let n = 0; await go({host: 'x', lookup: (h, o, f) => f(null, [{get address() { return n++ ? '127.0.0.1' : '127.0.0.3'; }, family: 4}])})",
                "let n = 0; await go({host: 'x', lookup: (h, o, f) => f(null, [{get address() { return ++n % 2 ? '127.0.0.3' : '127.0.0.1'; }, family: 4}])})",
                "await go({host: '127.0.0.3', port: props.port, localAddress: '127.0.0.1'})",
                "await new Promise((yes, no) => new net.Socket({fd: 3}).on('error', no).on('data', yes).write('{}\\n'))",
                "await new Promise((yes, no) => new net.Socket({fd: 1}).on('error', no).connect(props.port, '127.0.0.1', yes))",
                "process._linkedBinding('tcp_wrap')",
                "process.binding('tcp_wrap')",
                "process.emit('internalMessage', {cmd: 'NODE_MILLRACE', t: 'connected', id: 1}, {fd: 3}); await go()",
                "process._send({t: 'connect', id: 7, address: '127.0.0.1', port: props.port}); await go()",
                "process.on('internalMessage', (m, h) => h?.connect?.({oncomplete() {}}, '127.0.0.1', props.port));"
                        + " await new Promise((yes) => net.connect(props.open, '127.0.0.3').on('connect', yes)); await go()",
                "new (require('node:worker_threads').Worker)(`require('net').connect(${props.port}, '127.0.0.1')`, {eval: true})",
                "require('node:child_process').fork('/dev/null')",
                "require('node:cluster').setupPrimary({exec: '/dev/null'}); require('node:cluster').fork()",
                "new (require('node:inspector').Session)().connect(); require('node:inspector').open(props.port, '127.0.0.1')",
                "await new Promise((yes, no) => net.connect({path: '\\0abstract'}).on('error', no).on('connect', yes))",
                "await new Promise((yes, no) => net.connect('/run/dbus/system_bus_socket').on('error', no).on('connect', yes))",
                "await new Promise((yes, no) => require('node:dgram').createSocket('udp6').send('x', props.port, '::1', (e) => e ? no(e) : yes()))",
                "await new Promise((yes, no) => new (require('node:dns').Resolver)({timeout: 10, tries: 1}).resolve('x.invalid', 'NAPTR', (e) => e ? no(e) : yes()))",
            })
    void reachesNothing_roundTheGuard(String code) throws IOException {
        assertThat(evaluated(code)).isNotInstanceOf(NodeResult.Returned.class);
        assertNothingAccepted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "raw('{')",
                "raw('[]')",
                "raw('null')",
                "raw('')",
                "raw({t: 'connect', address: '127.0.0.1', port: 1})",
                "raw({t: 'connect', id: -1, address: '127.0.0.1', port: 1})",
                "raw({t: 'connect', id: 1e300, address: '127.0.0.1', port: 1})",
                "raw({t: 'connect', id: 'x', address: '127.0.0.1', port: 1})",
                "raw({t: 'unknown', id: 1})",
                "raw({cmd: 'NODE_HANDLE', type: 'net.Native', msg: {}})",
                "raw({cmd: 'NODE_HANDLE_ACK'})",
                "raw({cmd: 'NODE_HANDLE_NACK'})",
                "raw({cmd: 'NODE_SOCKET_ALL_CLOSED'})",
                "raw({t: 'lookup', id: 1})",
                "raw({t: 'lookup', id: 1, host: {}})",
                "raw({t: 'lookup', id: 1, host: 'a'.repeat(2000)})",
                "raw({t: 'lookup', id: 1, host: 'a'.repeat(5000)})",
                "raw('['.repeat(3000))",
                "raw('a'.repeat(100000))",
                "for (let n = 1; n < 100; n++) raw({t: 'lookup', id: n, host: 'n' + n + '.invalid'})",
                "for (let n = 1; n < 1e6; n++) try { raw({t: 'connect', id: n, address: '127.0.0.3', port: props.open}) } catch (e) { if (e.code !== 'EAGAIN') break }",
                "for (let n = 1; n < 1e6; n++) try { raw({t: 'abort', id: n}) } catch (e) { if (e.code !== 'EAGAIN') break }",
                "for (let n = 1; n < 1e6; n++) try { raw({t: 'connect', id: n, address: '10.0.0.1', port: 1}) } catch (e) { if (e.code !== 'EAGAIN') break }",
            })
    void isEnded_whenItSendsWhatItsScriptDoesNotSend(String code) throws IOException {
        var result = evaluated(code + "; await new Promise((yes) => setTimeout(yes, 20000))");

        assertThat(isEndedByItsChannel(result)).as(result.toString()).isTrue();
        assertNothingAccepted();
        assertThat(evaluated("return 1")).isInstanceOf(NodeResult.Returned.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{t: 'connect', id: 1e9, address: '127.0.0.1', port: props.port}",
                "{t: 'connect', id: 1e9, address: '127.1', port: props.port}",
                "{t: 'connect', id: 1e9, address: 'localhost', port: props.port}",
                "{t: 'connect', id: 1e9, address: ['127.0.0.1'], port: props.port}",
                "{t: 'connect', id: 1e9, address: '127.0.0.3', port: 0}",
                "{t: 'connect', id: 1e9, address: '127.0.0.3', port: -1}",
                "{t: 'connect', id: 1e9, address: '127.0.0.3', port: 65536 + props.open}",
                "{t: 'connect', id: 1e9, address: '127.0.0.3', port: '' + props.open}",
                "{t: 'connect', id: 1e9, address: '127.0.0.3', port: props.open + 0.5}",
                "{t: 'connect', id: 1e9}",
            })
    void isRefused_whenItAsksForAnotherTargetItself(String message) throws IOException {
        JsonNode code = ((NodeResult.Returned) evaluated("return await new Promise((yes) => {"
                        + " process.on('internalMessage', (m) => m.id === 1e9 && yes([m.t, m.code])); raw(" + message
                        + "); })"))
                .value();

        assertThat(code.toString()).isEqualTo("[\"refused\",-13]");
        assertNothingAccepted();
    }
}
