package io.millrace.sandbox.expression.closure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.MachineSpeed;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code steps that try to take the time, the memory or the stack of the server: a worker runs them. */
@HostileKind("expression bomb")
class ClosureBombTest {
    /** Far above the bound on work, far below what each program would take without it. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final String TEN = "const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return 'x'.repeat(1e9);",
                "return 'x'.repeat(600000).repeat(600000);",
                "return 'x'.padStart(1e9, 'ab');",
                "return 'x'.padEnd(1e300);",
                "let t = 'xxxxxxxx'; for (const a of ten) for (const b of ten) { t += t; } return t;",
                "let t = 'xxxxxxxx'; for (const a of ten) for (const b of ten) { t = `${t}${t}`; } return t;",
                "let l = [1]; for (const a of ten) for (const b of ten) { l = [...l, ...l]; } return l;",
                "let l = [1]; for (const a of ten) for (const b of ten) { l = l.concat(l); } return l;",
                "let l = [1]; for (const a of ten) for (const b of ten) { l = [l, l]; } return l;",
                "let l = [1]; for (const a of ten) for (const b of ten) { l = [l, l]; } return JSON.stringify(l);",
                "let l = {}; for (const a of ten) for (const b of ten) { l = { a: l, b: l }; } return l;",
                "let l = [1]; for (const a of ten) for (const b of ten) { l = [l]; } return l;",
                "const l = [1]; l.push(l); return l;",
                "const l = [1]; l.push(l); return JSON.stringify(l);",
                "const l = [1]; for (const x of l) { l.push(x); } return l;",
                "const o = {}; o.o = o; return o;",
                "return ten.map((a) => ten.map((b) => ten.map((c) => ten.map((d) => ten.map((e) => e)))));",
                "for (const a of ten) for (const b of ten) for (const c of ten) for (const d of ten) for (const e of ten) {} return 1;",
                "const f = (x) => ten.map((y) => x + y); return ten.map((a) => f(a).map((b) => f(b).map((c) => f(c).map(f))));",
                "const a = 'a'.repeat(200000); return a.includes('a'.repeat(100000) + 'b');",
                "const a = 'a'.repeat(200000); return a.lastIndexOf('b' + 'a'.repeat(100000));",
                "const a = 'a'.repeat(200000); return a.split('a'.repeat(100000) + 'b').length;",
                "const a = 'a'.repeat(200000); return a.replaceAll('a'.repeat(100000) + 'b', '').length;",
                "return 'a'.repeat(100000).replaceAll('a', 'x'.repeat(100000));",
                "return 'a'.repeat(100000).replace(/a/g, 'x'.repeat(100000));",
                "return 'a'.repeat(100000).split('').map((c) => 'x'.repeat(1000)).join('x'.repeat(1000));",
                "return /a*a*a*a*a*b/.test('a'.repeat(2000));",
                "return /.*.*.*=.*;/.test('x='.repeat(2000));",
                "return JSON.parse('['.repeat(100000));",
                "const l = ten.flatMap((a) => ten.flatMap((b) => ten.map((c) => true))); let n = 0; for (const x of l) { if (l.every(Boolean)) { n += 1; } } return n;",
                "const l = ten.flatMap((a) => ten.flatMap((b) => ten.map((c) => true))); let n = 0; for (const x of l) { if (l.filter(Number).length > 0) { n += 1; } } return n;",
                "return JSON.parse('[1,'.repeat(100) + '1' + ']'.repeat(100));",
                "return ten.map((x) => 1 / 3).map((x) => (x * 1e-300).toFixed(20).repeat(20000));",
                "const s = ten.flatMap((a) => ten.flatMap((b) => ten.flatMap((c) => ten.map((d) => a * b * c * d)))); return s.sort((a, b) => a - b);"
            })
    void areLeftToAWorker(String body) {
        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(ClosureModules.result(TEN + body, "{}")).isEmpty());
    }

    @Test
    void largeInputsAreLeftToAWorker() {
        var closure = CodeClosure.compile(ClosureModules.ofBody("return 1;")).orElseThrow();
        var numbers = Json.object();
        var list = numbers.putArray("l");
        for (var index = 0; index < 100_000; index++) {
            list.add(index);
        }
        ArrayNode deep = Json.array();
        for (var level = 0; level < 5_000; level++) {
            deep = Json.array().add(deep);
        }

        assertThat(closure.call(numbers)).isEmpty();
        assertThat(closure.call(Json.object().put("t", "x".repeat(5_000_000)))).isEmpty();
        assertThat(closure.call(Json.object().set("d", deep))).isEmpty();
    }

    @Test
    void deepSourcesAreLeftToAWorker() {
        for (var piece : new String[] {
            "(", "[", "-", "!", "{a:", "`${", "1+(", "[...", "f(", "(x)=>", "if(1){", "if(1)", "for(const a of b)"
        }) {
            assertThat(CodeClosure.compile(ClosureModules.ofBody("return " + piece.repeat(5_000))))
                    .as(piece)
                    .isEmpty();
            assertThat(CodeClosure.compile(ClosureModules.ofBody(piece.repeat(5_000))))
                    .as(piece)
                    .isEmpty();
        }
        assertThat(CodeClosure.compile(ClosureModules.ofBody("return 1" + "+1".repeat(5_000) + ";")))
                .isEmpty();
        assertThat(CodeClosure.compile(ClosureModules.ofBody("return inputs" + ".a".repeat(5_000) + ";")))
                .isEmpty();
        assertThat(CodeClosure.compile(ClosureModules.ofBody("return inputs.a" + ".trim()".repeat(2_000) + ";")))
                .isEmpty();
    }
}
