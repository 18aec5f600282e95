package io.millrace.support;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Return values that JSON cannot represent, with the messages that both JavaScript executors write to the log of the
 * step.
 */
public final class LossyValues {
    private static final String PREFIX = "JSON cannot hold a value of the output: ";

    private LossyValues() {}

    /**
     * A return value and the messages about it.
     *
     * @param body body of a function
     */
    public record Example(String body, List<String> messages) {
        /** Lines of the log, each with a line end. */
        public String log() {
            return messages.stream().map(message -> PREFIX + message).collect(Collectors.joining("\n"));
        }

        @Override
        public String toString() {
            return body;
        }
    }

    private static Example lossy(String value, String... messages) {
        return new Example("return " + value + ";", List.of(messages));
    }

    /** Values with a loss, and values of the same kinds without one. */
    public static List<Example> all() {
        return List.of(
                lossy("new Map([['a', 1]])", "output: a Map becomes {}; return Object.fromEntries(map) or [...map]"),
                lossy("{m: new Map()}", "output.m: a Map becomes {}; return Object.fromEntries(map) or [...map]"),
                lossy("new Set([1])", "output: a Set becomes {}; return [...set]"),
                lossy("[{s: new Set()}, {s: new Set([2])}]", "output[].s: a Set becomes {}; return [...set]"),
                lossy("{p: Promise.resolve(1)}", "output.p: a Promise becomes {}; await it"),
                lossy(
                        "{'e-1': new TypeError('x')}",
                        "output[\"e-1\"]: an Error keeps only its own fields; return its message"),
                lossy("[/a/g]", "output[]: a RegExp becomes {}; return its source"),
                lossy(
                        "new ArrayBuffer(2)",
                        "output: an ArrayBuffer becomes {}; return Array.from(new Uint8Array(buffer))"),
                lossy(
                        "new Uint8Array([1])",
                        "output: Uint8Array becomes an object with a field for each element; return Array.from(list)"),
                lossy(
                        "new (class Order { #n = 1; get n() { return this.#n; } })()",
                        "output: an instance of Order keeps only its own fields; methods, accessors and private fields"
                                + " are left out"),
                lossy(
                        "[1].values()",
                        "output: an instance of Array Iterator keeps only its own fields; methods, accessors and private"
                                + " fields are left out"),
                lossy(
                        "Object.create({a: 1})",
                        "output: an instance of Object keeps only its own fields; methods, accessors and private fields"
                                + " are left out"),
                lossy("{f() {}, s: Symbol('x')}", "output.f: a function is left out", "output.s: a symbol is left out"),
                lossy("[() => 1]", "output[]: a function becomes null"),
                lossy("() => 1", "output: a function is left out"),
                lossy("{a: NaN, b: [-Infinity]}", "output.a: NaN becomes null", "output.b[]: -Infinity becomes null"),
                lossy("{d: new Date(NaN)}", "output.d: an invalid Date becomes null"),
                new Example(
                        "const all = {}; for (let i = 0; i < 13; i++) all['k' + i] = NaN; return all;",
                        IntStream.rangeClosed(0, 10)
                                .mapToObj(number -> number < 10
                                        ? "output.k" + number + ": NaN becomes null"
                                        : "output: 3 more differences")
                                .toList()),
                lossy("{a: [1, 'x', true, null], b: {c: undefined}}"),
                lossy("[new Date(0), new URL('http://a.example/')]"),
                lossy("{toJSON: () => 'j', f: () => 1}"),
                lossy("[new Number(1), Object(true), Object('s')]"),
                lossy("Object.assign(Object.create(null), {a: 1})"),
                lossy("(function () { return arguments; })(1)"),
                lossy("new Proxy({a: 1}, {})"),
                lossy("new Proxy({a: 1}, {getOwnPropertyDescriptor(target, key) { return"
                        + " Reflect.getOwnPropertyDescriptor(target, key); }})"),
                new Example("let n = 0; return {get n() { return ++n; }};", List.of()),
                lossy("new Array(100000).fill(0)"),
                lossy("undefined"),
                lossy("'text'"));
    }
}
