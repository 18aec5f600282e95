package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Isolation of programs from the host and from other calls. One worker, so that each call follows the previous one in the same process. */
@HostileKind("code step escape")
class CodeIsolationTest {
    @AutoClose
    private static CodeBench bench = new CodeBench(64 << 20, 1, 1);

    @Test
    void keepsNothingBetweenCalls() {
        bench.output("globalThis.left = 1; Object.prototype.polluted = 2; Array.prototype.map = () => 'mine';"
                + "JSON.stringify = () => '\"forged\"'; Promise.prototype.then = undefined; console.log = null;"
                + "Symbol.for('x').description; RegExp.prototype.exec = null; delete globalThis.Map; return 1;");

        assertThat(
                        bench.output(
                                "return [typeof left, typeof ({}).polluted, [1].map((x) => x + 1), JSON.stringify({a: 1}),"
                                        + "await Promise.resolve(3).then((x) => x), typeof console.log, /a/.test('a'), typeof Map];"))
                .isEqualTo(json("['undefined','undefined',[2],'{\\'a\\':1}',3,'function',true,'function']"
                        .replace("\\'", "\\\"")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Array.prototype.map = () => 'mine';",
                "Array.prototype.forEach = Array.prototype.slice = Array.prototype.concat = null;",
                "Array.prototype[Symbol.iterator] = Set.prototype.add = null;",
                "Object.keys = Object.getPrototypeOf = Number.isFinite = () => { throw 1; };",
                "RegExp.prototype.exec = RegExp.prototype.test = () => { throw 1; };",
            })
    void returnsAValueThatJsonCannotHold_whateverTheCodeDidToItsRealm(String change) {
        assertThat(bench.output(change + "return {m: new Map(), n: NaN};")).isEqualTo(json("{'m':{},'n':null}"));
    }

    @Test
    void keepsNoModuleStateBetweenCalls() {
        String source = "let calls = 0; export const code = () => ++calls;";

        bench.run(source);

        assertThat(bench.run(source)).isEqualTo(new CodeResult.Returned(json("1"), ConsoleLog.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Java",
                "Polyglot",
                "Graal",
                "load",
                "loadWithNewGlobal",
                "print",
                "printErr",
                "read",
                "readbuffer",
                "quit",
                "exit",
                "process",
                "require",
                "fetch",
                "XMLHttpRequest",
                "WebSocket",
                "Worker",
                "java",
                "javax",
                "Packages",
                "com",
                "org",
                "importScripts",
                "ShadowRealm",
                "WebAssembly",
                "SharedArrayBuffer",
                "Atomics",
                "arguments",
                "sink",
                "Debug",
                "Realm",
                "global"
            })
    void offersNoDoorToTheHost(String name) {
        // An indirect eval uses the global scope, which excludes the parameters of the module wrapper.
        assertThat(bench.output("return (0, eval)('typeof " + name + "');")).isEqualTo(json("'undefined'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "await import('fs')",
                "await import('/etc/passwd')",
                "await import('file:///etc/hostname')",
                "await import('http://127.0.0.1:1/x.js')",
                "Java.type('java.lang.System')",
                "(function () {}).constructor('return Java')()",
                "console.log.constructor('return process')()",
                "new (Object.getPrototypeOf(async function () {}).constructor)('return java.lang.Runtime')()"
                        + ".then((x) => x)",
                "Object.getPrototypeOf(console.log).constructor('return Polyglot')().import('x')",
                "await import('data:text/javascript,export default Java.type(\"java.lang.System\")')",
                "await import('data:text/javascript,export * from \"file:///etc/hostname\"')",
                "await import('data:text/javascript,export default await import(\"/proc/self/environ\")')",
                "await import('data:text/javascript,export default process.env')",
                "await import('data:application/json,{}', {with: {type: 'json'}}).then((x) => x.default.getClass())",
                "await import('node:fs', {with: {type: 'json'}})",
                "await import('/proc/self/environ', {with: {type: 'json'}})",
                "(0, eval)('import(\"file:///etc/hostname\")').then((x) => x)",
                "inputs.getClass().forName('java.lang.Runtime')",
                "inputs.constructor.constructor('return java')()",
                "console.log.getClass().getClassLoader()",
                "console.getMember('log').getDeclaringClass()",
                "Reflect.get(console, 'class').getName()",
                "new Proxy(console, {}).log.constructor('return Packages')()",
                "Error.captureStackTrace.constructor('return loadWithNewGlobal')()({script: '1', name: 'x'})",
                "Reflect.construct(Function, ['return process'])().binding('fs')",
                "[].flat.constructor('return Graal')().versionGraalVM",
            })
    void refusesTheWaysOut(String expression) {
        var source =
                "export const code = async (inputs) => { console.log('attack begun'); return " + expression + "; };";

        var result = bench.run(source);

        assertThat(result).isInstanceOf(CodeResult.Threw.class);
        assertThat(result.log().standardOutput()).isEqualTo("attack begun");
    }
}
