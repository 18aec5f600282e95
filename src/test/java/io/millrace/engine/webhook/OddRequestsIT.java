package io.millrace.engine.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/** Requests of unusual clients over HTTP: the flow gets what was sent, or the caller gets an error with the reason. */
class OddRequestsIT {
    private static final Charset WINDOWS = Charset.forName("windows-1252");

    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of());

    private static String echo = hooks.flow(
            Hooks.trigger(), Hooks.answering("{'responseType':'json','fields':{'body':{'got':'{{trigger.output}}'}}}"));

    private static RawHttp.Answer send(String query, String headers, byte[] body) {
        return sendRaw(query, "Content-Length: " + body.length + "\r\n" + headers, body);
    }

    private static RawHttp.Answer sendRaw(String query, String headers, byte[] body) {
        var head = "POST /api/v1/webhooks/" + echo + "/sync" + query + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
        var request = new ByteArrayOutputStream();
        request.writeBytes(head.getBytes(ISO_8859_1));
        request.writeBytes(body);
        try (var connection = RawHttp.connect(hooks.server().port(), Duration.ofSeconds(60))) {
            return connection.send(request.toByteArray()).answer();
        }
    }

    private static byte[] gzip(byte[] bytes) {
        var packed = new ByteArrayOutputStream();
        try (var stream = new GZIPOutputStream(packed)) {
            stream.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    private static String type(String type) {
        return "Content-Type: " + type + "\r\n";
    }

    private static byte[] form(String part) {
        return ("--x\r\nContent-Disposition: form-data; " + part + "\r\n--x--\r\n").getBytes(ISO_8859_1);
    }

    static final List<Arguments> BODIES = List.of(
            Arguments.of("JSON of .NET", type("application/json; charset=utf-16"), "{'a':'ü'}", UTF_16LE, "{'a':'ü'}"),
            Arguments.of("text of .NET", type("text/plain; charset=utf-16"), "Łódź ü", UTF_16LE, "'Łódź ü'"),
            Arguments.of(
                    "Windows under the name of Latin-1",
                    type("text/plain; charset=iso-8859-1"),
                    "“5 €”",
                    WINDOWS,
                    "'“5 €”'"),
            Arguments.of(
                    "JSON in UTF-8 under another name",
                    type("application/json; charset=ISO-8859-1"),
                    "{'a':'ü'}",
                    UTF_8,
                    "{'a':'ü'}"),
            Arguments.of("a charset in quotes", type("text/plain; charset='latin-1'"), "ü", ISO_8859_1, "'ü'"),
            Arguments.of(
                    "a form of Windows",
                    type("application/x-www-form-urlencoded; charset=iso-8859-1"),
                    "a=%80&b=%FC&c=50%",
                    US_ASCII,
                    "{'a':'€','b':'ü','c':'50%'}"),
            Arguments.of(
                    "names like those of objects",
                    type("application/x-www-form-urlencoded"),
                    "__proto__=1&constructor=2&__proto__=3&a[]=4&a[]=5&=6",
                    US_ASCII,
                    "{'__proto__':['1','3'],'constructor':'2','a[]':['4','5'],'':'6'}"),
            Arguments.of("the last of repeated keys", type("application/json"), "{'a':1,'a':2}", UTF_8, "{'a':2}"),
            Arguments.of(
                    "large numbers",
                    type("application/json"),
                    "[8202522731445525542,123456789012345678901234567890,-9223372036854775809]",
                    UTF_8,
                    "[8202522731445525542,123456789012345678901234567890,-9223372036854775809]"),
            Arguments.of("empty and null", type("application/json"), "{'':'','a':null}", UTF_8, "{'':'','a':null}"),
            Arguments.of("NUL in JSON", type("application/json"), "{'a':'x\\u0000y'}", UTF_8, "{'a':'x\\u0000y'}"),
            Arguments.of("half a character", type("application/json"), "['\\ud83d']", UTF_8, "['\\ud83d']"),
            Arguments.of("NUL in text", type("text/plain"), "x\u0000y", UTF_8, "'x\\u0000y'"),
            Arguments.of(
                    "a long key",
                    type("application/json"),
                    "{'" + "k".repeat(10_000) + "':1}",
                    UTF_8,
                    "{'" + "k".repeat(10_000) + "':1}"),
            Arguments.of("a type with a suffix", type("application/vnd.api+json; ext=1"), "{'a':1}", UTF_8, "{'a':1}"),
            Arguments.of("lines of JSON", type("application/x-ndjson"), "{}\n{}\n", UTF_8, "'{}\\n{}\\n'"),
            Arguments.of(
                    "a form in the charset of its header",
                    type("multipart/form-data; charset=iso-8859-1; boundary=x"),
                    new String(form("name=\"a\"\r\n\r\nü"), ISO_8859_1),
                    ISO_8859_1,
                    "{'a':'ü'}"),
            Arguments.of(
                    "an extended name",
                    type("multipart/form-data; boundary=x"),
                    new String(form("name*=utf-8''%C3%BC\r\n\r\nv"), ISO_8859_1),
                    ISO_8859_1,
                    "{'ü':'v'}"));

    @ParameterizedTest(name = "{0}")
    @FieldSource("BODIES")
    void getsTheBody(String about, String headers, String body, Charset charset, String expected) {
        var sent = headers.contains("form") ? body : body.replace('\'', '"');

        var answer = send("", headers, sent.getBytes(charset));

        assertThat(answer.status()).as(about + ": " + answer.body()).isEqualTo(200);
        assertThat(got(answer).path("body")).as(about).isEqualTo(Hooks.json(expected));
    }

    private static JsonNode got(RawHttp.Answer answer) {
        return Json.trusted(answer.body()).path("got");
    }

    static final List<Arguments> QUERIES = List.of(
            Arguments.of("?a=%00", "{'a':'\\u0000'}"),
            Arguments.of("?a=%ED%A0%80", "{'a':'%ED%A0%80'}"),
            Arguments.of("?__proto__=1&__proto__=2", "{'__proto__':['1','2']}"),
            Arguments.of("?a;b=1;c", "{'a;b':'1;c'}"),
            Arguments.of("?&&a=1&", "{'a':'1'}"),
            Arguments.of("?=1&=2", "{'':['1','2']}"),
            Arguments.of("?a?b=1", "{'a?b':'1'}"),
            Arguments.of("?%E4%BD%A0=%E5%A5%BD", "{'你':'好'}"),
            Arguments.of("?a=%F0%9F%98%80&a=%F0%9F", "{'a':['😀','%F0%9F']}"),
            Arguments.of("?a=%u00fc&b=%", "{'a':'%u00fc','b':'%'}"),
            Arguments.of("?flowId=x&a=" + "y".repeat(3_000), "{'flowId':'x','a':'" + "y".repeat(3_000) + "'}"));

    @ParameterizedTest(name = "{0}")
    @FieldSource("QUERIES")
    void getsTheQuery(String query, String expected) {
        var answer = send(query, type("text/plain"), "x".getBytes(UTF_8));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(got(answer).path("queryParams")).isEqualTo(Hooks.json(expected));
    }

    static final List<Arguments> HEADERS = List.of(
            Arguments.of("X-A: 1\r\nx-a: 2\r\n", "x-a", "1, 2"),
            Arguments.of("X-A: M\u00fcller\r\n", "x-a", "Müller"),
            Arguments.of("X-A: M\u00c3\u00bcller\r\n", "x-a", "Müller"),
            Arguments.of("X-A:\r\n", "x-a", ""),
            Arguments.of("X-A: \t a  b \t\r\n", "x-a", "a  b"),
            Arguments.of("__proto__: 1\r\n", "__proto__", "1"),
            Arguments.of("Cookie: a=1\r\nCookie: b=2; c=\"x;y\"\r\n", "cookie", "a=1; b=2; c=\"x; y\""),
            Arguments.of("X-A: " + "y".repeat(5_000) + "\r\n", "x-a", "y".repeat(5_000)));

    @ParameterizedTest(name = "{1} {2}")
    @FieldSource("HEADERS")
    void getsTheHeaders(String headers, String name, String expected) {
        var answer = send("", type("text/plain") + headers, "x".getBytes(UTF_8));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(got(answer).path("headers").path(name).asText()).isEqualTo(expected);
    }

    static final List<Arguments> REFUSED = List.of(
            Arguments.of(
                    "JSON in no charset",
                    type("application/json"),
                    new byte[] {'"', (byte) 0xfc, '"'},
                    400,
                    "not valid JSON"),
            Arguments.of(
                    "a part that is no Base64",
                    type("multipart/form-data; boundary=x"),
                    form("name=\"photo\"\r\nContent-Transfer-Encoding: base64\r\n\r\n*"),
                    400,
                    "expected base64 in the field photo"),
            Arguments.of(
                    "a part without a name",
                    type("multipart/form-data; boundary=x"),
                    form("filename=f\r\n\r\nx"),
                    400,
                    "part 1 has no name"),
            Arguments.of(
                    "a form without a boundary", type("multipart/form-data"), form("name=a\r\n\r\nx"), 400, "boundary"),
            Arguments.of(
                    "a form with another boundary",
                    type("multipart/form-data; boundary=y"),
                    form("name=a\r\n\r\nx"),
                    400,
                    "expected the boundary"),
            Arguments.of(
                    "an encoding of other products",
                    type("text/plain") + "Content-Encoding: aws-chunked\r\n",
                    "x".getBytes(UTF_8),
                    415,
                    "headers/content-encoding"),
            Arguments.of(
                    "a charset as an encoding",
                    type("text/plain") + "Content-Encoding: utf-8\r\n",
                    "x".getBytes(UTF_8),
                    415,
                    "found utf-8"));

    @ParameterizedTest(name = "{0}")
    @FieldSource("REFUSED")
    void refusesWithTheReason(String about, String headers, byte[] body, int status, String message) {
        var answer = send("", headers, body);

        assertThat(answer.status()).as(about + ": " + answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(message);
    }

    static final List<Arguments> TRANSFERS = List.of(
            Arguments.of("gzip, chunked", gzip("hello".getBytes(UTF_8))),
            Arguments.of("gzip;q=1, chunked", gzip("hello".getBytes(UTF_8))),
            Arguments.of("GZIP , Chunked", gzip("hello".getBytes(UTF_8))));

    /** The server does not decode transfer codings: a packed body must never arrive as text. */
    @ParameterizedTest(name = "{0}")
    @FieldSource("TRANSFERS")
    void refusesTransferCodingsThatItDoesNotUndo(String coding, byte[] body) {
        var chunked = new ByteArrayOutputStream();
        chunked.writeBytes((Integer.toHexString(body.length) + "\r\n").getBytes(US_ASCII));
        chunked.writeBytes(body);
        chunked.writeBytes("\r\n0\r\n\r\n".getBytes(US_ASCII));

        var answer = sendRaw("", "Transfer-Encoding: " + coding + "\r\n" + type("text/plain"), chunked.toByteArray());

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("headers/transfer-encoding expected chunked, found " + coding);
    }
}
