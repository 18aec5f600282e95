package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.support.Slow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Successive calls of one project in a frozen realm: it behaves like a new realm, and keeps nothing between calls. */
@Slow(Slow.Reason.HOSTILE)
class SharedRealmTest {
    @AutoClose
    private static CodeBench bench = new CodeBench(64 << 20, 1, 1);

    /** Each returns whether it found data of its first call. An attempt may also fail. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "const found = Object.prototype.left; Object.prototype.left = 1; return found !== undefined;",
                "const found = [].left; try { Array.prototype.left = 1; } catch {} return found !== undefined;",
                "const found = console.left; try { console.left = 1; } catch {} return found !== undefined;",
                "const found = setTimeout.left; try { setTimeout.left = 1; } catch {} return found !== undefined;",
                "const found = require.left; try { require.left = 1; } catch {} return found !== undefined;",
                "const found = URL.left; try { URL.left = 1; } catch {} return found !== undefined;",
                "const found = new URL('http://a/').left; try { URL.prototype.left = 1; } catch {} return !!found;",
                "const found = typeof left; try { left = 1; } catch {} return found !== 'undefined';",
                "const found = this?.left; try { this.left = 1; } catch {} return found !== undefined;",
                "const g = (async () => {}).constructor.prototype; const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getPrototypeOf(function* () {}); const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getPrototypeOf((function* () {})()); const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getPrototypeOf((async function* () {})()); const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getPrototypeOf([][Symbol.iterator]()); const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getPrototypeOf('a'.matchAll(/a/g)); const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getPrototypeOf(new Map().keys()); const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getPrototypeOf([].values().map((x) => x)); const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = ((parts) => parts)`a`; const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__').get; const f = g.left;"
                        + " try { g.left = 1; } catch {} return !!f;",
                "const g = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get; const f = g.left;"
                        + " try { g.left = 1; } catch {} return !!f;",
                "const g = Symbol.iterator.constructor; const f = g.left; try { g.left = 1; } catch {} return !!f;",
                "const g = globalThis.Intl; const f = g?.left; try { g.left = 1; } catch {} return !!f;",
                "const f = JSON.parse('{}').left; try { JSON.left = 1; JSON.parse = () => ({left: 1}); } catch {} return !!f;",
                "const f = Error.stackTraceLimit === 3; try { Error.stackTraceLimit = 3; } catch {} return f;",
                "const f = Math.max(1) === 7; try { Math.max = () => 7; } catch {} return f;",
                "const R = RegExp; const f = R.$1 === 'left'; /(left)/.test('left'); return f;",
                "const f = /(left)/.test('x') || (RegExp['$' + 1] === 'left'); /(left)/.test('left'); return f;",
            })
    void keepsNothing(String body) {
        for (int call = 0; call < 3; call++) {
            CodeResult result = bench.run("export const code = async (inputs) => {" + body + "};");

            assertThat(result).isNotEqualTo(new CodeResult.Returned(json("true"), ConsoleLog.empty()));
        }
    }

    @Test
    void keepsNeitherTimersNorTheConsoleOfAnEndedCall() {
        bench.output(
                "console.group('left'); console.time('left'); console.count('left');"
                        + "setTimeout(() => console.log('late'), 1); (async () => { await new Promise(() => {}); })(); return 1;");

        CodeResult next = bench.run("export const code = async () => { console.log('mine'); console.timeEnd('left');"
                + " console.count('left'); await new Promise((done) => setTimeout(done, 20)); return 1; };");

        assertThat(next)
                .isEqualTo(new CodeResult.Returned(
                        json("1"),
                        new ConsoleLog(
                                List.of(
                                        new ConsoleLog.Line(ConsoleLog.Level.LOG, "mine"),
                                        new ConsoleLog.Line(ConsoleLog.Level.WARN, "No such label 'left'"),
                                        new ConsoleLog.Line(ConsoleLog.Level.LOG, "left: 1")),
                                false)));
    }

    /** Assignments that a frozen realm would reject or ignore; authors must not notice the frozen realm. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "class Mine extends Error { constructor() { super('m'); this.name = 'Mine'; } }; return new Mine().name;",
                "const o = {}; o.toString = () => 'Mine'; return `${o}`;",
                "const o = new Date(0); o.toJSON = () => 'Mine'; return o;",
                "function Maker() {} Maker.prototype.constructor = Maker; Maker.prototype.name = 'Mine'; return new Maker().name;",
                "Array.prototype.last = function () { return this[this.length - 1]; }; return ['Mine'].last();",
                "String.prototype.shout = function () { return 'Mine'; }; return 'x'.shout();",
                "globalThis.kept = 'Mine'; return kept;",
                "kept = 'Mine'; return globalThis.kept;",
                "return new Function('return \"Mine\"')();",
                "return eval('\"Mine\"');",
                "/(M)ine/.test('Mine'); return RegExp.$1 + 'ine';",
                "return typeof WeakRef === 'function' && new WeakRef({a: 'Mine'}).deref().a;",
                "console.log = () => {}; return 'Mine';",
            })
    void doesWhatAnyRealmDoes(String body) {
        for (int call = 0; call < 3; call++) {
            assertThat(bench.output(body)).isEqualTo(json("'Mine'"));
        }
    }

    @Test
    void tellsLinesOnce_whenACallBeginsAnew() {
        for (int call = 0; call < 2; call++) {
            assertThat(
                            bench.run(
                                    "export const code = () => { console.log('once'); Array.prototype.mine = 1; return [].mine; };"))
                    .isEqualTo(new CodeResult.Returned(
                            json("1"),
                            new ConsoleLog(List.of(new ConsoleLog.Line(ConsoleLog.Level.LOG, "once")), false)));
        }
    }

    @Test
    void tellsTheAuthorsError_ofACallThatFailsInAnyRealm() {
        assertThat(bench.thrown("console.log('x'); return inputs.a.b.c;")
                        .details()
                        .path("errorName")
                        .asText())
                .isEqualTo("TypeError");
    }

    @Test
    void givesEachCallItsOwnAnswer_whenManyWaitTogether() {
        List<RunningCode> running = new ArrayList<>();
        String source = "let calls = 0; export const code = (inputs) => ({n: inputs.n, calls: ++calls});";
        for (int n = 0; n < 10; n++) {
            running.add(bench.start("project", source, Json.object().put("n", n), CodeBench.LIMITS));
        }

        for (int n = 0; n < 10; n++) {
            assertThat(CodeBench.await(running.get(n).result()))
                    .isEqualTo(new CodeResult.Returned(json("{'n':" + n + ",'calls':1}"), ConsoleLog.empty()));
        }
    }

    @Test
    void makesTheOthers_whenOneOfThoseThatWaitTogetherEndsTheWorker() {
        String bomb = "export const code = () => { const a = []; while (true) a.push(new Uint8Array(500000)); };";
        String calm = "export const code = (inputs) => inputs.n;";
        List<RunningCode> running = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            running.add(
                    bench.start("project", n == 3 ? bomb : calm, Json.object().put("n", n), CodeBench.LIMITS));
        }

        for (int n = 0; n < 8; n++) {
            CodeResult result = CodeBench.await(running.get(n).result());
            if (n == 3) {
                assertThat(result).isInstanceOf(CodeResult.MemoryExceeded.class);
            } else {
                assertThat(result).isEqualTo(new CodeResult.Returned(json("" + n), ConsoleLog.empty()));
            }
        }
    }
}
