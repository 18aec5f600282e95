package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.support.Slow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sandbox escape attempts by less common interfaces of Node.js: loaders, bindings, descriptors, names, the server's
 * channel.
 */
@Slow(Slow.Reason.HOSTILE)
@HostileKind("Node.js escape")
class NodeApiEscapeTest {
    /** Messages of the guards, of Node.js and of the kernel, and of a release without the interface. */
    private static final String REFUSAL =
            "^(Blocked an attempt|Blocked a request|Access to this API has been restricted"
                    + "|EACCES|EPERM|open EACCES|No such built-in module|Programmatic selection of OpenSSL engines is unsupported"
                    + "|query\\w+ ENOTFOUND|getnameinfo ENOTIMP|\\w+ is not defined|\\S+ is not a function)";

    private static NodeBench bench;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Programs, threads and native code.
                "require('node:child_process').execFileSync(process.execPath, ['-v'])",
                "require('node:child_process').spawn('/bin/true')",
                "require('node:child_process').fork('/dev/null')",
                "process.binding('spawn_sync').spawn({file: '/bin/true', args: ['x'], stdio: []})",
                "process.binding('tcp_wrap')",
                "process.binding('pipe_wrap')",
                "process.binding('udp_wrap')",
                "process.binding('cares_wrap')",
                "new (require('node:worker_threads').Worker)('', {eval: true, execArgv: ['--allow-fs-read=*']})",
                "new (require('node:worker_threads').Worker)('', {eval: true, env: {NODE_OPTIONS: '--allow-worker'}})",
                "require('node:crypto').setEngine('/lib/x86_64-linux-gnu/libc.so.6')",
                "require('node:crypto').setEngine('dynamic')",
                "new (require('node:sqlite').DatabaseSync)('/etc/passwd')",
                "new (require('node:sqlite').DatabaseSync)(':memory:', {allowExtension: true})",
                "process.setuid(0)",
                "process.setgid(0)",
                "process.seteuid(0)",
                "process.setgroups([0])",
                "process.initgroups('root', 0)",
                // Any folder may be the working directory: it grants no access.
                "(process.chdir('/'), require('node:fs').readFileSync('etc/hostname'))",
                "(process.chdir('/etc'), require('node:fs').readFileSync(Buffer.from('hostname')))",
                "process.kill(process.pid, 'SIGUSR1')",
                // Loaders.
                "require('node:module').register('data:text/javascript,export async function resolve(){}')",
                "require('node:module')._load('/etc/hostname')",
                "require('node:module').createRequire('/etc/')('./hostname')",
                "require('node:module')._extensions['.js']({_compile(code) { throw new Error(code) }}, '/etc/hostname')",
                "require.extensions['.json']({}, '/etc/hostname')",
                "await import('file:///etc/hostname')",
                "await import('data:text/javascript,import fs from \"node:fs\"; export default fs.readFileSync(\"/etc/hostname\")')",
                "await import('data:text/javascript,import \"node:worker_threads\"; await import(\"file:///etc/hostname\")')",
                "process.loadEnvFile('/etc/environment')",
                // The inspector and the engine.
                "require('node:inspector').url()",
                "require('node:v8').setHeapSnapshotNearHeapLimit(1)",
                "new (require('node:wasi').WASI)({version: 'preview1', preopens: {'/': '/'}})",
                "new (require('node:wasi').WASI)({version: 'unstable', preopens: {'/': '/etc'}, args: [], env: {}})",
                // Files in other notations.
                "require('node:fs').statSync('/etc/shadow')",
                "require('node:fs').lstatSync('/etc/shadow')",
                "require('node:fs').existsSync('/etc/shadow')",
                "require('node:fs').accessSync('/etc/shadow')",
                "require('node:fs').statfsSync('/')",
                "require('node:fs').statfsSync(process.env.TMPDIR)",
                "await require('node:fs').promises.statfs('/etc/shadow')",
                "await require('node:fs').promises.statfs('/etc/absent')",
                "require('node:fs').realpathSync.native('/proc/self/exe')",
                "require('node:fs').watchFile('/etc/hostname', () => {})",
                "require('node:fs').linkSync('/etc/hostname', process.env.TMPDIR + '/link')",
                "require('node:fs').renameSync(process.env.TMPDIR, '/tmp/moved')",
                "require('node:fs').chmodSync('/etc/hostname', 0o777)",
                "require('node:fs').chownSync('/etc/hostname', 0, 0)",
                "require('node:fs').utimesSync('/etc/hostname', 0, 0)",
                "require('node:fs').truncateSync('/etc/hostname')",
                "require('node:fs').readFileSync(Buffer.from('/etc/hostname'))",
                "require('node:fs').readFileSync(new URL('file:///etc/hostname'))",
                "require('node:fs').readFileSync(process.env.TMPDIR + '/../../../../../../../../etc/hostname')",
                "require('node:fs').readFileSync(Buffer.from(process.env.TMPDIR + '/../../../../../../../../etc/hostname'))",
                "require('node:fs').readFileSync(`${process.env.TMPDIR}//..//..//..//..//..//..//..//etc/./hostname`)",
                "await require('node:fs').promises.readFile('/etc/hostname')",
                "await (await require('node:fs').promises.open('/etc/hostname')).read()",
                "await new Promise((yes, no) => require('node:fs').createReadStream('/etc/hostname').on('data', yes).on('error', no))",
                "await (await require('node:fs').openAsBlob('/etc/hostname')).text()",
                "require('node:fs').readFileSync('/proc/self/maps')",
                "require('node:fs').readFileSync('/proc/self/mountinfo')",
                "require('node:fs').readFileSync('/proc/thread-self/environ')",
                "require('node:fs').readFileSync('/proc/net/tcp')",
                "require('node:fs').readFileSync('/proc/meminfo')",
                "require('node:fs').readdirSync('/proc/self/fd/5')",
                "require('node:fs').writeFileSync('/proc/self/oom_score_adj', '-1000')",
                "require('node:fs').writeFileSync('/proc/self/coredump_filter', '7')",
                "require('node:fs').openSync('/dev/mem')",
                "require('node:fs').openSync('/dev/kmsg')",
                "require('node:fs').openSync('/dev/ptmx', 'r+')",
                "require('node:fs').openSync('/dev/net/tun', 'r+')",
                "require('node:fs').openSync('/dev/fuse', 'r+')",
                "require('node:fs').openSync('/dev/vsock', 'r+')",
                // Sockets and names; the server answers name lookups, but none of these names exists.
                "await new Promise((yes, no) => require('node:net').connect('\\0abstract').on('error', no).on('connect', yes))",
                "await new Promise((yes, no) => require('node:net').connect({path: '@/tmp/dbus'}).on('error', no).on('connect', yes))",
                "new (require('node:net').Socket)({fd: 3})",
                "await new Promise((yes, no) => require('node:dns').resolve4('localhost', (e, a) => e ? no(e) : yes(a)))",
                "await new Promise((yes, no) => require('node:dns').resolveTxt('x.invalid', (e, a) => e ? no(e) : yes(a)))",
                "await new Promise((yes, no) => new (require('node:dns').Resolver)().resolveNs('x.invalid', (e, a) => e ? no(e) : yes(a)))",
                "await require('node:dns').promises.reverse('127.0.0.1')",
                "await require('node:dns').promises.lookupService('127.0.0.1', 22)",
                "await new Promise((yes, no) => { const s = new WebSocket('ws://127.0.0.1:1'); s.onopen = yes; s.onerror = (e) => no(new Error(e.message || 'EACCES')); })",
            })
    void refuses(String expression) {
        var result = evaluate("console.log('attack begun'); return String(" + expression + ");");

        assertThat(result)
                .isInstanceOfSatisfying(
                        NodeResult.Threw.class,
                        threw -> assertThat(threw.error().path("message").asText())
                                .containsPattern(REFUSAL));
        assertThat(result.printed().standardOutput()).contains("attack begun");
    }

    /** Messages in the name of the engine on its channel to the server, the third descriptor. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage\\n",
                "{}\\n",
                "[]\\n",
                "null\\n",
                "{\"t\":\"connect\",\"id\":\"__proto__\",\"host\":\"127.0.0.1\",\"port\":22}\\n",
                "{\"t\":\"connect\",\"id\":1e400,\"host\":[\"127.0.0.1\"],\"port\":\"22\"}\\n",
                "{\"t\":\"held\",\"id\":-1,\"held\":true}\\n",
                "{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Socket\"}\\n",
                "{\"t\":\"abort\",\"id\":{\"a\":[]}}\\n",
                "\\0\\0\\0\\0\\n",
            })
    void endsOrIgnoresAProcess_thatForgesMessagesToTheServer(String message) {
        var forged = evaluate("for (let n = 0; n < 3; n++) require('node:fs').writeSync(3, '" + message + "');"
                + " await new Promise((yes) => setTimeout(yes, 50)); return 'quiet'");

        assertThat(forged).isInstanceOfAny(NodeResult.Broke.class, NodeResult.Returned.class);
        assertThat(evaluate("return 'well'")).isInstanceOf(NodeResult.Returned.class);
    }

    /** Messages in the name of the server to the functions of the engine in the process: they open nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{cmd: 'NODE_MILLRACE', id: 1, until: 1e18, held: true}",
                "{cmd: 'NODE_MILLRACE', id: 1, t: 'connected', address: '127.0.0.1'}",
                "{cmd: 'NODE_MILLRACE', id: '__proto__'}",
                "{cmd: 'NODE_HANDLE', type: 'net.Native', msg: {}}",
            })
    void connectsNowhere_afterAForgedAnswer(String answer) {
        var result = evaluate("try { process.emit('internalMessage', " + answer + ", undefined); } catch {}"
                + " return await new Promise((yes, no) => require('node:net').connect(9, '127.0.0.1')"
                + ".on('error', no).on('connect', () => yes('connected')))");

        assertThat(result).isInstanceOfAny(NodeResult.Threw.class, NodeResult.Broke.class);
        assertThat(result.toString()).containsAnyOf("Blocked a request", "over its network channel");
    }

    private static NodeResult evaluate(String code) {
        return NodeBench.await(bench.start("evaluate", Json.object().put("code", code), 20_000));
    }
}
