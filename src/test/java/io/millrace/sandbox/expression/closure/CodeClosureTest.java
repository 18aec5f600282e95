package io.millrace.sandbox.expression.closure;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The subset of JavaScript that runs in the server. The equality with workers is tested with random programs. */
class CodeClosureTest {
    private static final String INPUTS =
            "{'name':'Ada','n':5,'x':2.5,'none':null,'yes':true,'list':[3,1,2],'items':[{'price':2,'count':3,'name':'b'},"
                    + "{'price':0.5,'count':4,'name':'a'}],'map':{'b':1,'a':2},'text':' Anna, Bob ,Cy '}";

    @ParameterizedTest
    @CsvSource(delimiterString = " ⇒ ", quoteCharacter = '~', textBlock = """
            return inputs.n + 1; ⇒ 6
            return inputs.missing; ⇒ undefined
            return; ⇒ undefined
            const a = 1; ⇒ undefined
            return null; ⇒ null
            return { a: inputs.missing, b: [inputs.missing] }; ⇒ {"b":[null]}
            return `${inputs.name}: ${inputs.x} ${inputs.none} ${inputs.yes} ${inputs.missing}`; ⇒ "Ada: 2.5 null true undefined"
            return inputs.items.reduce((s, i) => s + i.price * i.count, 0).toFixed(2); ⇒ "8.00"
            return inputs.items.map(({ name, price }) => ({ name, price })); ⇒ [{"name":"b","price":2},{"name":"a","price":0.5}]
            return inputs.text.split(",").map((part) => part.trim()).filter(Boolean).join("|"); ⇒ "Anna|Bob|Cy"
            const { name, map: { b } } = inputs; const [first, ...rest] = [1, 2]; return first; ⇒ worker
            const { name, map: { b } } = inputs; const [first, second] = inputs.list; return [name, b, first, second]; ⇒ ["Ada",1,3,1]
            if (inputs.n > 3) { return "big"; } else return "small"; ⇒ "big"
            if (inputs.n > 9) return 1; else if (inputs.yes) return 2; return 3; ⇒ 2
            let total = 0; for (const item of inputs.items) { total += item.price * item.count; } return total; ⇒ 8
            let n = 0; for (const x of inputs.list) { if (x === 1) continue; if (x === 2) break; n++; } return n; ⇒ 1
            const out = []; for (const x of inputs.list) { out.push(x * 2); } return out; ⇒ [6,2,4]
            const out = []; inputs.list.forEach((x, i) => { out.push({ x, i }); }); return out.length; ⇒ 3
            const groups = {}; for (const i of inputs.items) { groups[i.name] = (groups[i.name] ?? 0) + i.count; } return groups; ⇒ {"b":3,"a":4}
            const counts = {}; counts.total = 1; counts.total += 2; return counts; ⇒ {"total":3}
            return [...inputs.list].sort((a, b) => a - b); ⇒ [1,2,3]
            return inputs.items.toSorted((a, b) => { return b.price - a.price; }).map((i) => i.name); ⇒ ["b","a"]
            const a = [1, 2, 3]; return a.find((x) => { a.reverse(); return x === 1; }); ⇒ 1
            return Object.keys(inputs.map).sort(); ⇒ ["a","b"]
            return Object.entries(inputs.map).map(([k, v]) => `${k}${v}`); ⇒ ["b1","a2"]
            return Object.fromEntries(inputs.items.map((i) => [i.name, i.price])); ⇒ {"b":2,"a":0.5}
            return { ...inputs.map, c: 3, ["d" + 1]: 4 }; ⇒ {"b":1,"a":2,"c":3,"d1":4}
            return inputs.missing?.a.b.c ?? "none"; ⇒ "none"
            return inputs.none?.list.map((x) => x); ⇒ undefined
            return (inputs.missing || inputs.list).length; ⇒ 3
            const twice = (x) => x * 2; return inputs.list.map(twice); ⇒ [6,2,4]
            const twice = (x) => { const y = x * 2; return y; }; return twice(twice(2)); ⇒ 8
            return Math.max(...inputs.list) + Math.round(2.5) + parseInt("12px") + Number("3"); ⇒ 21
            return JSON.stringify({ a: [1, "x"], b: inputs.missing }); ⇒ "{\\"a\\":[1,\\"x\\"]}"
            return JSON.parse('{"a":[1]}').a; ⇒ [1]
            return /^[a-z]+$/i.test(inputs.name); ⇒ true
            return "a1b22".replace(/[0-9]+/g, "-"); ⇒ "a-b-"
            return "2026-11-30".match(/(\\d+)-(\\d+)/)?.[2]; ⇒ "11"
            return typeof inputs.name + typeof inputs.list + typeof inputs.missing; ⇒ "stringobjectundefined"
            return [inputs.n | 0, inputs.n >> 1, ~inputs.n, inputs.n % 3]; ⇒ [5,2,-6,2]
            return void 0; ⇒ undefined
            return "5" * "2"; ⇒ 10
            return inputs.list.includes(inputs.list); ⇒ false
            const Math = { floor: 1 }; return Math.floor; ⇒ 1
            const parseInt = (x) => 5; return parseInt("7") + Number.parseInt("7"); ⇒ 12
            """)
    void returnsWhatAWorkerReturns(String body, String result) {
        assertThat(ClosureModules.result(body, INPUTS).orElse("worker")).isEqualTo(result);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return inputs.none.a;",
                "return missing;",
                "return this;",
                "return inputs.constructor;",
                "return inputs['constructor'];",
                "const k = 'constructor'; return inputs[k];",
                "return inputs.__proto__;",
                "return { __proto__: inputs };",
                "return { ['__proto__']: 1 };",
                "return inputs.list.map;",
                "return inputs.list['length2'];",
                "return inputs.name.at;",
                "return inputs.toString();",
                "return inputs.toString;",
                "return `${inputs.list}`;",
                "return inputs.n / 0;",
                "return -0;",
                "return 0 * -1;",
                "return NaN;",
                "return Number('x');",
                "return 9007199254740993;",
                "return 9007199254740991 + 1;",
                "return 2 ** 3;",
                "return Math.random();",
                "return Math.pow(2, 3);",
                "return Math.sin(1);",
                "return Date.now();",
                "return new Date();",
                "return new Date(0).getTime();",
                "return new Map();",
                "console.log(1); return 1;",
                "throw new Error('x');",
                "try { return 1; } catch { return 2; }",
                "while (true) {}",
                "for (let i = 0; i < 3; i++) {} return 1;",
                "for (const k in inputs) {} return 1;",
                "inputs.n = 1; return inputs;",
                "inputs.list.push(1); return inputs;",
                "inputs.list.sort(); return 1;",
                "const l = inputs.list; l.push(1); return l;",
                "const l = inputs.list.reverse(); return l;",
                "const o = inputs.map; o.c = 1; return o;",
                "let l = []; l = inputs.list; l.push(1); return l;",
                "delete inputs.n; return inputs;",
                "return [1, , 2];",
                "return [undefined];",
                "return { 1: 2 };",
                "return { [1]: 2 };",
                "return { ['1']: 2 };",
                "return () => 1;",
                "return { a: () => 1 };",
                "return [(x) => x];",
                "const f = (x) => f(x); return f(1);",
                "return a; const a = 1;",
                "const a = a2 + 1; const a2 = 1; return a;",
                "const a = 1; a = 2; return a;",
                "const items = inputs.list; let n = 0; for (const items of items) { n += 1; } return n;",
                "const f = (...all) => all; return f(1);",
                "const { a = 1 } = inputs; return a;",
                "const { a, ...rest } = inputs; return rest;",
                "return await Promise.resolve(1);",
                "return fetch('http://x');",
                "return require('fs');",
                "return eval('1');",
                "return Function('return 1')();",
                "return globalThis;",
                "return inputs.list.sort((a, b) => a > b ? 1 : -1);",
                "return [...inputs.list].sort((a, b) => a - 2 * b);",
                "return ['b', 'a'].sort((a, b) => a.localeCompare(b));",
                "return [null, 1].sort();",
                "return inputs.list.map(parseInt);",
                "return 'a'.replace('a', '$&');",
                "return 'a'.replace('a', () => 'b');",
                "return /(a+)+b/.test('aaaa');",
                "return /a(?=b)/.test('ab');",
                "return /\\bа/.test('ab');",
                "return /x*/.test('ab');",
                "return /(.)\\1/.test('aa');",
                "return /a/y.test('a');",
                "return /./.test('😀');",
                "return /k/i.test('\\u212a');",
                "return inputs.list === inputs.list;",
                "return inputs.n < 'a';",
                "return inputs.n == '5';",
                "return inputs.yes + 1;",
                "return '\\ud800';",
                "return '😀'[0];",
                "return (1).toFixed(101);",
                "return 'x'.repeat(-1);",
                "return (0.000001).constructor;",
                "return isFinite(1);",
                "return 'a' in inputs;",
                "return inputs instanceof Object;",
                "const undefined = 1; return undefined;",
                "return arguments.length;",
                "return String.raw`a`;",
                "return inputs.list.at;",
                "return inputs.list.length = 0;",
                "return JSON.parse('{\"1\":2}');",
                "return JSON.parse('{\"__proto__\":2}');",
                "return JSON.parse('{');",
                "return JSON.stringify(inputs, ['n']);",
                "label: for (const x of inputs.list) { break label; } return 1;",
                "switch (inputs.n) { case 5: return 1; } return 2;",
                "var a = 1; return a;",
                "return inputs.list.filter((x) => x > 1, 1);",
                "return 'abc'.split(',', 1);",
                "class A {} return 1;",
                "return inputs?.();",
                "return inputs.list.map?.((x) => x);"
            })
    void leavesToAWorker_whatIsBeyondTheSubset(String body) {
        assertThat(ClosureModules.result(body, INPUTS)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'a':9007199254740993}",
                "{'a':1e400}",
                "{'a':-0.0}",
                "{'a':123456789012345678901234567890}",
                "{'1':2}",
                "{'a':{'12':2}}",
                "{'__proto__':2}",
                "{'a':'\\ud800'}",
                "{'a':'\\udc00\\ud800'}"
            })
    void leavesToAWorker_inputsThatJsonTextChanges(String inputs) {
        assertThat(ClosureModules.result("return 1;", inputs)).isEmpty();
    }

    @Test
    void neverChangesItsInputs() {
        var inputs = ClosureModules.read(INPUTS);
        var before = Json.text(inputs);
        var closure = CodeClosure.compile(ClosureModules.ofBody(
                        "const copy = { ...inputs }; copy.n = 9; const l = [...inputs.list]; l.sort((a, b) => a - b);"
                                + " l.push(7); return { copy, l, inputs };"))
                .orElseThrow();

        var output = closure.call(inputs).orElseThrow();

        assertThat(Json.text(inputs)).isEqualTo(before);
        assertThat(Json.text(output.get("l"))).isEqualTo("[1,2,3,7]");
        assertThat(output.get("inputs")).isEqualTo(inputs).isNotSameAs(inputs);
        assertThat(output.at("/inputs/map")).isNotSameAs(inputs.get("map"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function code(inputs) { return inputs.n; }",
                "async function code(inputs) { return inputs.n; }",
                "const code = (inputs) => inputs.n;",
                "const code = async ({ n }) => n;",
                "const code = async ({ n }) => helper(n); function helper(a) { return twice(a) - a; } const twice = (a) => a * 2;",
                "const one = 1; const code = async (inputs) => inputs.n * one;",
                "const code = async () => 5;"
            })
    void acceptsTheFormsOfModules(String statements) {
        var order = statements.contains("helper") ? "worker" : "5";

        assertThat(CodeClosure.compile(ClosureModules.of(statements))
                        .flatMap(closure -> closure.call(ClosureModules.read(INPUTS)))
                        .map(Json::text)
                        .orElse("worker"))
                .isEqualTo(order);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const code = async (a, b) => a;",
                "const code = 5;",
                "let code = async (inputs) => 1;code = 2;",
                "const other = async (inputs) => 1;",
                "function* code(inputs) { return 1; }",
                "const helper = async (a) => a; const code = async (inputs) => helper(1);",
                "let count = 0; count++; const code = async (inputs) => count;"
            })
    void leavesOtherModulesToAWorker(String statements) {
        assertThat(CodeClosure.compile(ClosureModules.of(statements))).isEmpty();
        assertThat(CodeClosure.compile(statements)).isEmpty();
    }
}
