package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of all supported forms, and their results or errors. */
class CodeRunnerTest {
    @AutoClose
    private static CodeBench bench = new CodeBench(64 << 20, 1, 1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "export const code = async (inputs) => { return inputs.n + 1; };",
                "export const code = (inputs) => inputs.n + 1;",
                "export async function code(inputs) { return inputs.n + 1; }",
                "export default async function (inputs) { return inputs.n + 1; }",
                "const code = async (inputs) => inputs.n + 1; export { code };",
                "exports.code = async (inputs) => inputs.n + 1;",
                "module.exports = { code: async (inputs) => inputs.n + 1 };",
                "const code = (inputs) => inputs.n + 1; module.exports = { code }; // a comment at the end",
            })
    void runsTheFormsThatFlowsUse(String source) {
        CodeResult result = bench.run(source, json("{'n':41}"));

        assertThat(result).isEqualTo(new CodeResult.Returned(json("42"), ConsoleLog.empty()));
    }

    @Test
    void runsTypeScript() {
        String source = """
                interface Person { name: string; age?: number }
                enum Colour { Red, Green = 5 }
                abstract class Named<T extends Person> {
                  constructor(protected readonly who: T) {}
                  abstract greet(): string;
                }
                class Friend extends Named<Person> {
                  greet(): string { return `Hi ${this.who.name}`; }
                }
                const first = <T,>(items: T[]): T | undefined => items[0];
                export const code = async (inputs: { people: Person[] }): Promise<unknown> => {
                  const person = first(inputs.people)!;
                  return { greeting: new Friend(person).greet(), colour: Colour.Green, name: Colour[0], any: person as any };
                };
                """;

        CodeResult result = bench.run(source, json("{'people':[{'name':'Ada'}]}"));

        assertThat(result)
                .isEqualTo(new CodeResult.Returned(
                        json("{'greeting':'Hi Ada','colour':5,'name':'Red','any':{'name':'Ada'}}"),
                        ConsoleLog.empty()));
    }

    @Test
    void runsAModuleDirectly_whenItWasNotTranspiled() {
        CodeProgram program = new CodeProgram(
                CodeProgram.Form.MODULE, "export const code = async (i) => i.n * 2;", Optional.empty(), List.of());

        CodeResult result = CodeBench.await(bench.runner()
                .run(new CodeCall("project", program, json("{'n':4}"), CodeBench.LIMITS))
                .result());

        assertThat(result).isEqualTo(new CodeResult.Returned(json("8"), ConsoleLog.empty()));
    }

    @Test
    void copiesTheOutputAsJson() {
        assertThat(bench.output(
                        "return {a: [1, undefined, () => 1, NaN], f() {}, s: Symbol('x'), u: undefined, n: null,"
                                + " d: new Date(0), t: {toJSON: () => 'told'}, m: new Map([[1, 2]]), x: 'ü€😀'};"))
                .isEqualTo(json("{'a':[1,null,null,null],'n':null,'d':'1970-01-01T00:00:00.000Z','t':'told','m':{},"
                        + "'x':'ü€😀'}"));
    }

    @Test
    void hasNoOutput_whenTheCodeReturnsWhatHasNoJson() {
        assertThat(bench.output("")).isNull();
        assertThat(bench.output("return () => 1;")).isNull();
        assertThat(bench.output("return null;")).isEqualTo(json("null"));
    }

    @Test
    void awaitsPromisesAndTimers() {
        assertThat(bench.output("const t = Date.now(); const seen = [];"
                        + "setTimeout((x) => seen.push(x), 20, 'late'); setTimeout(() => seen.push('soon'), 5);"
                        + "const gone = setTimeout(() => seen.push('never'), 1); clearTimeout(gone);"
                        + "let n = 0; const thrice = new Promise(r => { const every = setInterval("
                        + "() => { if (++n === 3) { clearInterval(every); r(); } }, 2); });"
                        + "queueMicrotask(() => seen.push('now'));"
                        + "await new Promise(r => setTimeout(r, 60)); await thrice;"
                        + "await Promise.all([1, 2].map(async (x) => seen.push(x)));"
                        + "return {seen, n, waited: Date.now() - t >= 55};"))
                .isEqualTo(json("{'seen':['now','soon','late',1,2],'n':3,'waited':true}"));
    }

    @Test
    void returnsAtOnce_whenTimersAreLeft() {
        assertThat(bench.output("setInterval(() => {}, 1); setTimeout(() => {}, 1e9); return 1;"))
                .isEqualTo(json("1"));
    }

    @Test
    void fails_whenNothingCanSettleThePromise() {
        assertThat(bench.thrown("await new Promise(() => {});").message()).startsWith("The code never finished");
    }

    @Test
    void fails_whenATimerThrows() {
        assertThat(bench.thrown("setTimeout(() => { throw new Error('in a timer'); }, 1);"
                                + "await new Promise((r) => setTimeout(r, 50));")
                        .message())
                .isEqualTo("in a timer");
    }

    @Test
    void keepsConsoleLines() {
        CodeResult result = bench.run("export const code = () => { console.log('a', 1, {b: [2]}, null, undefined, 3n);"
                + "console.warn(new TypeError('w')); console.error('e'); console.info(new Set([1])); };");

        assertThat(result.log().standardOutput()).isEqualTo("a 1 {\"b\":[2]} null undefined 3n\nSet(1) [1]");
        assertThat(result.log().standardError()).isEqualTo("TypeError: w\ne");
    }

    @Test
    void knowsTheWholeConsole() {
        CodeResult result = bench.run("export const code = () => {"
                + "console.time(); console.timeLog(undefined, 'half'); console.timeEnd(); console.timeEnd('never');"
                + "console.count('c'); console.count('c'); console.countReset('c'); console.count('c');"
                + "console.group('outer'); console.log('inner\\nlines'); console.groupEnd(); console.groupEnd();"
                + "console.assert(true, 'fine'); console.assert(false, 'broken', 1); console.assert(false);"
                + "console.dir({a: 1}, {depth: 0}); console.dirxml(1); console.clear(); console.timeStamp('x');"
                + "return Object.keys(console).length; };");

        assertThat(result).isInstanceOf(CodeResult.Returned.class);
        assertThat(result.log().standardOutput())
                .matches("default: [0-9.]+ms half\ndefault: [0-9.]+ms\n"
                        + "c: 1\nc: 2\nc: 1\nouter\n  inner\n  lines\n\\{\"a\":1}\n1");
        assertThat(result.log().standardError())
                .isEqualTo("No such label 'never'\nAssertion failed: broken 1\nAssertion failed");
    }

    @Test
    void drawsTables() {
        CodeResult result = bench.run("export const code = () => { console.table([{a: 1, b: 'x'}, {a: 2}]);"
                + "console.table([1, 2]); console.table([{a: 1, b: 2}], ['b']); console.table('text');"
                + "console.table([]); console.table(Array(5000).fill({a: 1}).map((_, i) => i)); };");

        assertThat(result).isInstanceOf(CodeResult.Returned.class);
        assertThat(result.log().standardOutput()).startsWith("""
                ┌─────────┬───┬───┐
                │ (index) │ a │ b │
                ├─────────┼───┼───┤
                │ 0       │ 1 │ x │
                │ 1       │ 2 │   │
                └─────────┴───┴───┘
                ┌─────────┬────────┐
                │ (index) │ Values │
                ├─────────┼────────┤
                │ 0       │ 1      │
                │ 1       │ 2      │
                └─────────┴────────┘
                ┌─────────┬───┐
                │ (index) │ b │
                ├─────────┼───┤
                │ 0       │ 2 │
                └─────────┴───┘
                text
                ┌─────────┐""");
    }

    @Test
    void readsAThrownArrayAsItsItems() {
        assertThat(bench.thrown("throw ['a', 'b'];").message()).isEqualTo("a,b");
        assertThat(bench.thrown("throw [];").message()).isEqualTo("Unknown error");
    }

    @Test
    void cutsTheLogAtItsLimit() {
        CodeResult result = bench.run(
                "export const code = () => { for (let i = 0; i < 1e5; i++) console.log('x'.repeat(99)); return 1; };",
                Json.object(),
                new CodeLimits(10_000, 250, 100));

        assertThat(result).isInstanceOf(CodeResult.Returned.class);
        assertThat(result.log().lines()).hasSize(3);
        assertThat(result.log().truncated()).isTrue();
    }

    @Test
    void offersTheUsualHelpers() {
        assertThat(bench.output("const bytes = new TextEncoder().encode('€');"
                        + "return {b: btoa('hello'), a: atob('aGVsbG8='), e: [...bytes], d: new TextDecoder().decode(bytes),"
                        + "u: /^[0-9a-f-]{36}$/.test(crypto.randomUUID()), r: crypto.getRandomValues(new Uint8Array(4)).length,"
                        + "c: structuredClone({m: new Map([[1, [2]]])}).m.get(1), p: typeof performance.now(),"
                        + "i: new Intl.NumberFormat('en-US').format(1234.5), z: new Date(0).getTimezoneOffset()};"))
                .isEqualTo(json("{'b':'aGVsbG8=','a':'hello','e':[226,130,172],'d':'€','u':true,'r':4,'c':[2],"
                        + "'p':'number','i':'1,234.5','z':0}"));
    }

    @Test
    void decodesTextInTheUsualEncodings() {
        assertThat(bench.output("const of = (label, ...bytes) => new TextDecoder(label).decode(new Uint8Array(bytes));"
                        + "return [of('iso-8859-1', 0xfc, 0x80), of(' Latin1 ', 0x41), of('windows-1252', 0x93, 0x9f, 0x81),"
                        + "of('utf-16le', 0xfc, 0), of('utf-8', 0xef, 0xbb, 0xbf, 0xc3, 0xbc), of(undefined, 0x41),"
                        + "new TextDecoder('latin1').encoding, new TextDecoder('ascii').decode(),"
                        + "new TextDecoder('latin1').decode(new Uint8Array(100000).fill(0xe9).buffer).length,"
                        + "new TextDecoder('latin1').decode(new Uint8Array([1, 0xe9, 2]).subarray(1, 2)),"
                        + "new TextDecoder('utf-8', {fatal: true}).fatal];"))
                .isEqualTo(json("['ü€','A','“Ÿ\\u0081','ü','ü','A','windows-1252','',100000,'é',true]"));
        assertThat(bench.thrown("new TextDecoder('nonsense')").message()).contains("nonsense");
    }

    @Test
    void readsAndBuildsAddresses() {
        assertThat(bench.output("const u = new URL('HTTPS://me:pw@Example.com:443/a/./b/../c d?x=1&y=a%20b#h');"
                        + "u.searchParams.append('z', 'ü &'); u.searchParams.set('x', '2');"
                        + "return [u.href, u.origin, u.host, u.pathname, u.searchParams.get('y'), u.username, u.port, u.hash,"
                        + "String(new URL('../q?r', 'http://h:81/a/b/c')), URL.canParse('nope'),"
                        + "new URL('mailto:a@b.c').pathname, String(new URLSearchParams({a: '1 2', b: '~'})),"
                        + "[...new URLSearchParams('?a=1&a=2&b')].length];"))
                .isEqualTo(
                        json(
                                "['https://me:pw@example.com/a/c%20d?x=2&y=a+b&z=%C3%BC+%26#h','https://example.com',"
                                        + "'example.com','/a/c%20d','a b','me','','#h','http://h:81/a/q?r',false,'a@b.c','a=1+2&b=%7E',3]"));
        assertThat(bench.thrown("new URL('/relative');").message()).isEqualTo("Invalid URL: /relative");
    }

    @Test
    void tellsErrorsInTheWordsOfAStep() {
        assertThat(bench.thrown("throw new Error('boom\\n    at step (code.js:1:1)');"))
                .isEqualTo(new CodeResult.Threw("boom", Json.object().put("line", 1), ConsoleLog.empty()));
        assertThat(bench.thrown("throw 'plain';").message()).isEqualTo("plain");
        assertThat(bench.thrown("throw null;").message()).isEqualTo("Unknown error");
        assertThat(bench.thrown("throw undefined;").message()).isEqualTo("Unknown error");
        assertThat(bench.thrown("throw new Error('');").message()).isEqualTo("Unknown error");
        assertThat(bench.thrown("throw new TypeError('t');").details())
                .isEqualTo(json("{'errorName':'TypeError','line':1}"));
        assertThat(bench.thrown("throw {message: 'm', code: 7};"))
                .isEqualTo(new CodeResult.Threw(
                        "m", Json.object().put("raw", "{\"message\":\"m\",\"code\":7}"), ConsoleLog.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throw new Error('no total');",
                "await undefined; throw new RangeError('no total');",
                "return JSON.parse('{');",
                "return inputs.missing.total;",
                "await new Promise((_, reject) => setTimeout(() => reject(new Error('late'))));",
                "setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});",
                "throw new Error('at x (code.js:1:1)\\n    at x (code.js:1:1)');",
                "eval('1'); throw new Error('in a separate realm');"
            })
    void reportsTheLineOfTheAuthorsSource(String statement) {
        CodeResult result = bench.run("""
                interface Order {
                  total: number;
                }

                enum Color { Red, Green }

                export const code = async (inputs: Order): Promise<unknown> => {
                  const list = [1, 2]
                    .map((n) => n + Color.Green)
                    .filter(Boolean);
                  %s
                };
                """.formatted(statement));

        assertThat(result)
                .isInstanceOfSatisfying(
                        CodeResult.Threw.class,
                        threw -> assertThat(threw.details().path("line")).isEqualTo(json("11")));
    }

    @Test
    void reportsTheLineWithinAStatement_thatTheCompilerJoins() {
        CodeResult result = bench.run("""
                export const code = () =>
                  [1, 2]
                    .map((n) => n)
                    .map((n) => missing)
                    .length;
                """);

        assertThat(result)
                .isInstanceOfSatisfying(
                        CodeResult.Threw.class,
                        threw -> assertThat(threw.details().path("line")).isEqualTo(json("4")));
    }

    @Test
    void reportsTheLine_ofCodeOnTheFirstLineOfTheCompiledSource() {
        CodeResult result = bench.run("// a comment\n\nexports.code = () => missing;");

        assertThat(result)
                .isInstanceOfSatisfying(
                        CodeResult.Threw.class,
                        threw -> assertThat(threw.details().path("line")).isEqualTo(json("3")));
    }

    @Test
    void reportsTheLine_ofAModuleThatWasNotTranspiled() {
        CodeProgram program = new CodeProgram(
                CodeProgram.Form.MODULE,
                "export const code = async (i) => {\n  throw new Error('no');\n};",
                Optional.empty(),
                List.of());

        CodeResult result = CodeBench.await(bench.runner()
                .run(new CodeCall("project", program, json("{}"), CodeBench.LIMITS))
                .result());

        assertThat(result).isEqualTo(new CodeResult.Threw("no", Json.object().put("line", 2), ConsoleLog.empty()));
    }

    @Test
    void reportsNoLine_whereTheErrorHasNone() {
        assertThat(bench.thrown("throw 'plain';").details()).isEmpty();
        assertThat(bench.thrown("const error = new Error('x'); error.stack = 'at x (code.js:99:1)'; throw error;")
                        .details()
                        .has("line"))
                .isFalse();
        assertThat(bench.thrown("return 1n;").details().has("line")).isFalse();
    }

    @Test
    void cutsLongMessages() {
        assertThat(bench.thrown("throw new Error('x'.repeat(5000));").message()).isEqualTo("x".repeat(2000) + "…");
    }

    @Test
    void survivesErrorsThatCannotBeTold() {
        assertThat(bench.thrown("throw {get message() { throw new Error('trap'); }};")
                        .message())
                .isEqualTo("Unknown error");
    }

    @Test
    void tellsTheResponse_thatAnErrorCarries() {
        CodeResult.Threw threw = bench.thrown("const error = new Error('Request failed');"
                + "error.response = {status: 404, data: {error: {message: 'not here'}}}; throw error;");

        assertThat(threw.message()).isEqualTo("Request failed");
        assertThat(threw.details().path("status").asInt()).isEqualTo(404);
        assertThat(threw.details().path("responseBody").toString()).isEqualTo("{\"error\":{\"message\":\"not here\"}}");
        assertThat(bench.thrown("throw {response: 'none'};").details().has("status"))
                .isFalse();
    }

    @Test
    void throwsTheCompileError_whenItRuns() {
        CodeResult result = bench.run("export const code = ( => 3");

        assertThat(result).isInstanceOfSatisfying(CodeResult.Threw.class, threw -> {
            assertThat(threw.message()).isEqualTo("Compilation Error: Unexpected \"=>\" (line 1, column 22)");
            assertThat(threw.details()).isEqualTo(json("{'errorName':'CompilationError','line':1}"));
        });
    }

    @Test
    void tellsWhatIsMissing() {
        assertThat(bench.thrown("return await fetch('http://x');").message())
                .isEqualTo("fetch is not defined: code steps have no network access; use the HTTP piece");
        assertThat(bench.thrown("return require('fs');").message())
                .isEqualTo("Cannot find module 'fs': Node modules and npm packages are not available in code steps");
        assertThat(bench.thrown("return process.env;").message()).startsWith("process is not defined: ");
        assertThat(bench.run("import _ from 'lodash'; export const code = () => _.now();"))
                .isInstanceOfSatisfying(
                        CodeResult.Threw.class,
                        threw -> assertThat(threw.message()).startsWith("Cannot find module 'lodash'"));
        assertThat(bench.run("export const other = () => 1;"))
                .isInstanceOfSatisfying(
                        CodeResult.Threw.class,
                        threw -> assertThat(threw.message()).isEqualTo("The code must export a function named code"));
    }

    @Test
    void refusesOutputsThatCannotBeKept() {
        assertThat(bench.thrown("const a = {}; a.a = a; return a;")
                        .details()
                        .path("errorName")
                        .asText())
                .isEqualTo("TypeError");
        assertThat(bench.thrown("return 1n;").message()).contains("BigInt");
        assertThat(bench.thrown("let a = []; for (let i = 0; i < 300; i++) a = [a]; return a;")
                        .message())
                .startsWith("The output cannot be used");
        assertThat(bench.thrown("return 'x'.repeat(2 ** 20);").message())
                .isEqualTo(
                        "The output of the code is too large: expected at most 1048576 bytes of JSON, but found 1048578");
    }

    @Test
    void evaluatesExpressions() {
        ObjectNode globals = Json.object();
        globals.set("trigger", json("{'output':{'users':[{'name':'Alice'},{'name':'Bob'}],'price':6.4}}"));

        assertThat(evaluated("trigger['output']['price'] + 1", globals)).isEqualTo(json("7.4"));
        assertThat(evaluated("flattenNestedKeys(trigger['output'], ['users','name'])", globals))
                .isEqualTo(json("['Alice','Bob']"));
        assertThat(evaluated("{a: 1}", globals)).isEqualTo(json("{'a':1}"));
        assertThat(evaluated("(() => { let n = 0; for (const u of trigger.output.users) n++; return n; })()", globals))
                .isEqualTo(json("2"));
        assertThat(result("missing.x", globals)).isInstanceOf(CodeResult.Threw.class);
        assertThat(result("1 +", globals)).isInstanceOf(CodeResult.Threw.class);
    }

    private static Object evaluated(String expression, ObjectNode globals) {
        return result(expression, globals) instanceof CodeResult.Returned returned ? returned.output() : null;
    }

    private static CodeResult result(String expression, ObjectNode globals) {
        return CodeBench.await(bench.runner()
                .evaluate(new CodeExpression("project", expression, globals, CodeBench.LIMITS))
                .result());
    }
}
