package io.millrace.support;

import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** Code that throws unusual values, with the message of the failed step in both JavaScript executors. */
public final class ErrorSamples {
    public static final List<Arguments> ALL = List.of(
            Arguments.of("throw null;", "Unknown error"),
            Arguments.of("throw undefined;", "Unknown error"),
            Arguments.of("throw '';", "Unknown error"),
            Arguments.of("throw 0;", "0"),
            Arguments.of("throw -0;", "0"),
            Arguments.of("throw NaN;", "NaN"),
            Arguments.of("throw false;", "false"),
            Arguments.of("throw 8202522731445525542n;", "8202522731445525542"),
            Arguments.of("throw Symbol('s');", "Symbol(s)"),
            Arguments.of("throw [];", "Unknown error"),
            Arguments.of("throw [null, 1];", ",1"),
            Arguments.of("throw { a: 1 };", "{\"a\":1}"),
            Arguments.of("throw { message: '' };", "{\"message\":\"\"}"),
            Arguments.of("throw { message: 'm' };", "m"),
            Arguments.of("throw Object.create(null);", "Unknown error"),
            Arguments.of("throw { toString() { throw 1; } };", "Unknown error"),
            Arguments.of("throw { get message() { throw new Error('inner'); } };", "Unknown error"),
            Arguments.of("throw new Proxy({}, { get() { throw 1; } });", "Unknown error"),
            Arguments.of("throw new Error();", "Unknown error"),
            Arguments.of("throw Object.assign(new Error('x'), { toString: null });", "x"),
            Arguments.of("throw Object.assign(new Error('x'), { stack: null, name: null });", "x"),
            Arguments.of("const e = new Error('loop'); e.cause = e; throw e;", "loop"),
            Arguments.of("throw new AggregateError([new Error('a')], 'all');", "all"),
            Arguments.of("class Own extends Error { get message() { return 'own'; } } throw new Own();", "own"),
            Arguments.of("await Promise.reject('r');", "r"),
            Arguments.of("await Promise.reject();", "Unknown error"),
            Arguments.of("return Promise.reject(new Error('p'));", "p"),
            Arguments.of("return { then(done, fail) { fail(new Error('t')); } };", "t"));

    private ErrorSamples() {}
}
