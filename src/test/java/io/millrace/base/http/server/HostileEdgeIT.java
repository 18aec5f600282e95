package io.millrace.base.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import io.millrace.support.RawHttp;
import io.millrace.support.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests whose end is ambiguous between two servers, headers in paths, and ambiguous paths. The smuggled request
 * would be answered 200; the enclosing one never is.
 */
@HostileKind("HTTP edge")
final class HostileEdgeIT {
    private static final int SILENCE_MS = 700;
    private static final int ANSWER_MS = 20_000;
    private static final int BYTES_MAX = 1 << 20;
    private static final String SMUGGLED = "GET /api/v1/flags HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String TARGET = "POST /api/v1/authentication/sign-in HTTP/1.1\r\nHost: localhost\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

    @AutoClose
    private static TestServer server = TestServer.start();

    /** Everything that the server sends until it closes the connection or is silent. */
    private static String answers(String request) {
        return answers(request, SILENCE_MS);
    }

    /** Response to a request that asks for the end of its connection, on a machine of any speed. */
    private static String answer(String request) {
        return answers(request, ANSWER_MS);
    }

    private static String answers(String request, int silenceMs) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(silenceMs);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return read(socket);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String read(Socket socket) {
        var all = new ByteArrayOutputStream();
        var part = new byte[8192];
        try {
            for (var length = socket.getInputStream().read(part);
                    length >= 0 && all.size() < BYTES_MAX;
                    length = socket.getInputStream().read(part)) {
                all.write(part, 0, length);
            }
        } catch (IOException silentOrReset) {
            // Bytes read before the reset are the response; a reset may follow the response to invalid HTTP.
            return all.toString(StandardCharsets.ISO_8859_1);
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    private static Arguments framing(String name, String request) {
        return Arguments.of(name, request);
    }

    private static Arguments header(String name, String headers) {
        return framing(name, TARGET + headers + "\r\n0\r\n\r\n" + SMUGGLED);
    }

    private static Arguments chunk(String name, String body) {
        return framing(name, TARGET + CHUNKED + "\r\n" + body);
    }

    private static int length() {
        return SMUGGLED.length() + 5;
    }

    static Stream<Arguments> framings() {
        return Stream.of(
                header("length before chunks", "Content-Length: 5\r\n" + CHUNKED),
                header("chunks before length", CHUNKED + "Content-Length: 5\r\n"),
                header("length of all and chunks", "Content-Length: " + length() + "\r\n" + CHUNKED),
                header("two lengths", "Content-Length: 5\r\nContent-Length: " + length() + "\r\n"),
                header("two lengths in one header", "Content-Length: 5, " + length() + "\r\n"),
                header("a length with a sign", "Content-Length: +5\r\n"),
                header("a negative length", "Content-Length: -5\r\n"),
                header("a hexadecimal length", "Content-Length: 0x5\r\n"),
                header("a length with a parameter", "Content-Length: 5;a=b\r\n"),
                header("a length with a fraction", "Content-Length: 5.0\r\n"),
                header("a length beyond numbers", "Content-Length: 18446744073709551621\r\n"),
                header("an empty length", "Content-Length: \r\n"),
                header("a length with a blank inside", "Content-Length: 5 5\r\n"),
                header("a length of Arabic digits", "Content-Length: \u00d9\u00a5\r\n"),
                header("a length with a vertical tab", "Content-Length: \u000b5\r\n"),
                header("a blank before the colon of the length", "Content-Length : 5\r\n"),
                header("a blank before the colon of the coding", "Transfer-Encoding : chunked\r\n"),
                header("a tab before the colon of the coding", "Transfer-Encoding\t: chunked\r\n"),
                header("a coding in a folded line", "Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n"),
                header("a folded length", "Content-Length:\r\n 5\r\n" + CHUNKED),
                header("chunks that are not last", "Transfer-Encoding: chunked, identity\r\nContent-Length: 5\r\n"),
                header("chunks twice", "Transfer-Encoding: chunked, chunked\r\nContent-Length: 5\r\n"),
                header("two codings in two headers", CHUNKED + "Transfer-Encoding: identity\r\n"),
                header("an unknown coding", "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n"),
                header("a coding with a vertical tab", "Transfer-Encoding: \u000bchunked\r\nContent-Length: 5\r\n"),
                header("a coding with NUL", "Transfer-Encoding: chunked\u0000\r\nContent-Length: 5\r\n"),
                header("a coding in quotes", "Transfer-Encoding: \"chunked\"\r\nContent-Length: 5\r\n"),
                header(
                        "a header behind a lone carriage return",
                        "X: a\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
                header("a header behind NUL", "X: a\u0000Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
                header("a header without a name", ": chunked\r\nContent-Length: 5\r\n" + CHUNKED),
                header("a header name with NUL", "Transfer\u0000-Encoding: chunked\r\nContent-Length: 5\r\n" + CHUNKED),
                header("a header name with a blank", "Transfer Encoding: chunked\r\nContent-Length: 5\r\n" + CHUNKED),
                chunk("a chunk with a sign", "+0\r\n\r\n" + SMUGGLED),
                chunk("a negative chunk", "-1\r\n\r\n" + SMUGGLED),
                chunk("a chunk in the notation of C", "0x0\r\n\r\n" + SMUGGLED),
                chunk("a chunk beyond numbers", "FFFFFFFFFFFFFFFF0\r\n\r\n" + SMUGGLED),
                chunk("a chunk that makes a number negative", "80000000\r\n\r\n" + SMUGGLED),
                chunk("a chunk without a size", "\r\n\r\n" + SMUGGLED),
                chunk("a chunk with a size of letters", "zero\r\n\r\n" + SMUGGLED),
                chunk("a chunk that is shorter than its data", "1\r\nabc\r\n0\r\n\r\n" + SMUGGLED),
                chunk("a chunk without its line end", "3\r\nabc0\r\n\r\n" + SMUGGLED),
                framing(
                        "HTTP 1.0 with chunks",
                        "POST /api/v1/authentication/sign-in HTTP/1.0\r\nHost: localhost\r\n"
                                + "Connection: keep-alive\r\nContent-Length: 5\r\n" + CHUNKED + "\r\n0\r\n\r\n"
                                + SMUGGLED),
                framing(
                        "another version",
                        "POST /x HTTP/1.2\r\nHost: localhost\r\nContent-Length: 0\r\n" + CHUNKED + "\r\n" + SMUGGLED),
                framing("no version", "POST /x\r\nHost: localhost\r\n\r\n" + SMUGGLED),
                framing("a method with NUL", "PO\u0000ST /x HTTP/1.1\r\nHost: localhost\r\n\r\n" + SMUGGLED),
                framing("a version with text behind it", "POST /x HTTP/1.1 x\r\nHost: localhost\r\n\r\n" + SMUGGLED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("framings")
    void servesNoRequestInAnother(String name, String request) {
        var said = answers(request);

        assertThat(said).doesNotContain("HTTP/1.1 200").doesNotContainPattern("HTTP/1\\.1 5(?!01|05)");
    }

    /**
     * The port has no HTTP/2 decoder, so HTTP/2 floods have no target: streams, resets, settings, pings, continuations.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /api/v1/flags HTTP/1.1\r\n"
                        + "Host: localhost\r\n"
                        + "Connection: Upgrade, HTTP2-Settings\r\n"
                        + "Upgrade: h2c\r\n"
                        + "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n"
            })
    void speaksNoHttp2(String before) {
        var settings = "\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000";
        var request = before + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings.repeat(1_000);

        assertThat(answer(request))
                .startsWith("HTTP/" + (before.isEmpty() ? "2.0 501 " : "1.1 200 "))
                .contains(" 501 Not Implemented\r\n")
                .doesNotContain(" 101 ", "\u0000");
        try (var connection = RawHttp.connect(server.port())) {
            connection.sendWhatIsTaken(request.getBytes(StandardCharsets.ISO_8859_1));
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void servesRequestsOneAfterTheOther_whereTheirEndsAreClear() {
        var said = answers(TARGET + "Content-Length: 2\r\n\r\n{}" + SMUGGLED);

        assertThat(said).startsWith("HTTP/1.1 4").contains("HTTP/1.1 200");
        assertThat(answers(TARGET + CHUNKED + "\r\n2\r\n{}\r\n0\r\n\r\n" + SMUGGLED))
                .contains("HTTP/1.1 200");
    }

    /** Duplicate and invalid hosts must not influence the response or the address that a page links to. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: localhost\r\nHost: evil.example\r\n",
                "Host: evil.example/\r\n",
                "Host: evil.example#\r\n",
                "Host: user@evil.example\r\n",
                "Host: evil.example\u0000\r\n",
                "Host: evil.example:99999999\r\n",
                "Host: [::1\r\n",
                "Host: evil.example\r\nX-Forwarded-Host: evil.example\r\n",
                "Host: localhost\r\nX-Forwarded-Host: evil.example\"><script>\r\n",
                "Host: localhost\r\nForwarded: host=evil.example\r\n",
                "Host: localhost\r\nX-Original-URL: /api/v1/users\r\nX-Rewrite-URL: /api/v1/users\r\n",
                "Host: localhost\r\nX-HTTP-Method-Override: DELETE\r\n"
            })
    void redirectsToThisServer_withAnyHost(String headers) {
        for (var path : new String[] {"/", "/sign-in", "/api/v1/flags", "/api/v1/authn/saml/metadata"}) {
            var said = answer("GET " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");

            var head = said.split("\r\n\r\n", 2)[0].toLowerCase(Locale.ROOT);
            assertThat(head)
                    .as(path)
                    .startsWith("http/1.1 ")
                    .doesNotContain("evil.example")
                    .doesNotContainPattern("http/1\\.1 5(?!01|05)");
            assertThat(said).as(path).doesNotContain("><script>");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%0d%0aX-Injected:%20yes",
                "/sign-in?x=%0d%0aX-Injected:%20yes",
                "/api/v1/flags?x=%0d%0aX-Injected:%20yes",
                "/api/v1/%0d%0aX-Injected:%20yes",
                "/authorize?client_id=x&redirect_uri=https://x/%0d%0aX-Injected:%20yes&response_type=code",
                "/%E5%98%8D%E5%98%8AX-Injected:%20yes",
                "/assets/%0aX-Injected:%20yes",
                "/redirect?code=%0d%0aX-Injected:%20yes"
            })
    void putsNoHeaderIntoAnAnswer(String path) {
        var said = answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(said.split("\r\n\r\n", 2)[0])
                .startsWith("HTTP/1.1 ")
                .doesNotContainPattern("(?i)\nX-Injected")
                .doesNotContainPattern("HTTP/1\\.1 5");
    }

    /** Notations of addresses that need a session: each accepted one needs the same session. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/users",
                "/api/v1/./users",
                "/api/v1//users",
                "//api/v1/users",
                "/api/v1/flags/../users",
                "/api/v1/flags/%2e%2e/users",
                "/api/v1/flags/..%2fusers",
                "/api/v1/flags/..;/users",
                "/api/v1/users;jsessionid=1",
                "/api/v1/%75sers",
                "/api/v1/%2575sers",
                "/API/V1/users",
                "/api/v1/users/",
                "/api/v1/users%20",
                "/api/v1/users%00",
                "/api/v1/users%2f",
                "/api\\v1\\users",
                "/api/v1/\\users",
                "/assets/../api/v1/users",
                "/forms/../api/v1/users",
                "/health/../api/v1/users",
                "/api/v1/webhooks/../users",
                "/api/v1/webhooks/%2e%2e/users",
                "http://localhost/api/v1/users",
                "http://user:pw@localhost/api/v1/users",
                "/api/v1/users?token=x&access_token=x",
                "/api/v1/users#/flags"
            })
    void asksForASession_howeverAnAddressIsWritten(String path) {
        var said = answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(said).startsWith("HTTP/1.1 ").doesNotContainPattern("HTTP/1\\.1 5");
        assertThat(said).doesNotContain("\"data\":[");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/../../../../etc/passwd",
                "/assets/..%2f..%2f..%2f..%2fetc/passwd",
                "/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                "/assets/..%5c..%5cetc%5cpasswd",
                "/assets/....//....//etc/passwd",
                "/assets/%252e%252e%252fetc%252fpasswd",
                "/assets//etc/passwd",
                "/assets/file:///etc/passwd",
                "/assets/%00/../../etc/passwd",
                "/..%c0%af..%c0%afetc/passwd",
                "/%2e%2e/%2e%2e/etc/passwd",
                "/docs/../../etc/passwd",
                "/assets/../io/millrace/Millrace.class",
                "/io/millrace/Millrace.class",
                "/META-INF/MANIFEST.MF",
                "/assets/../../META-INF/MANIFEST.MF",
                "/assets/../../db/migration"
            })
    void givesNoFileBeyondItsPages(String path) {
        var said = answer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(said)
                .startsWith("HTTP/1.1 ")
                .doesNotContain("root:", "Manifest-Version", "\u00ca\u00fe\u00ba\u00be")
                .doesNotContainPattern("HTTP/1\\.1 5");
    }

    /** A redirect must not lead to another host, however many slashes its address begins with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.example",
                "//evil.example/",
                "///evil.example/..",
                "/\\evil.example",
                "//evil.example/%2f..",
                "/%2fevil.example",
                "/%5cevil.example/",
                "https://evil.example/",
                "//evil.example/assets",
                "/sign-in//evil.example"
            })
    void redirectsNowhereElse(String path) {
        var said = answer(
                "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n");

        assertThat(said.split("\r\n\r\n", 2)[0].toLowerCase(Locale.ROOT))
                .startsWith("http/1.1 ")
                .doesNotContainPattern("location:\\s*(?:https?:|[/\\\\]{2})")
                .doesNotContainPattern("http/1\\.1 5");
    }
}
