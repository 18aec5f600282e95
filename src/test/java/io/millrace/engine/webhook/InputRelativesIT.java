package io.millrace.engine.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/** Input values in all forms, over HTTP: the flow gets exactly what was sent, or the caller gets an error. */
class InputRelativesIT {
    private static final Charset WINDOWS = Charset.forName("windows-1252");

    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of());

    @AutoClose
    private static HttpClient client = HttpClient.newHttpClient();

    private static String echo = hooks.flow(
            Hooks.trigger(), Hooks.answering("{'responseType':'json','fields':{'body':{'got':'{{trigger.output}}'}}}"));

    private static byte[] gzip(byte[]... members) {
        var packed = new ByteArrayOutputStream();
        for (var member : members) {
            try (var stream = new GZIPOutputStream(packed)) {
                stream.write(member);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
        return packed.toByteArray();
    }

    private static byte[] allBytes() {
        var bytes = new byte[256];
        for (var index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) index;
        }
        return bytes;
    }

    private static RawHttp.Answer send(String query, String headers, byte[] body) {
        var head = "POST /api/v1/webhooks/" + echo + "/sync" + query + " HTTP/1.1\r\nHost: h\r\nContent-Length: "
                + body.length + "\r\n" + headers + "\r\n";
        var request = new ByteArrayOutputStream();
        request.writeBytes(head.getBytes(ISO_8859_1));
        request.writeBytes(body);
        try (var connection = RawHttp.connect(hooks.server().port(), Duration.ofSeconds(60))) {
            return connection.send(request.toByteArray()).answer();
        }
    }

    private static String type(String type) {
        return "Content-Type: " + type + "\r\n";
    }

    private static String packed(String encoding) {
        return "Content-Encoding: " + encoding + "\r\n";
    }

    static final List<Arguments> TEXTS = List.of(
            Arguments.of(
                    "gzip of several members",
                    type("application/json") + packed("gzip"),
                    gzip("{\"foo\":".getBytes(UTF_8), "\"bär\"}".getBytes(UTF_8)),
                    "{'foo':'bär'}"),
            Arguments.of(
                    "gzip of JSON in UTF-16",
                    type("application/json") + packed("gzip"),
                    gzip("{\"foo\":\"bär\"}".getBytes(UTF_16LE)),
                    "{'foo':'bär'}"),
            Arguments.of(
                    "gzip of a form in Latin-1",
                    type("application/x-www-form-urlencoded;charset=iso-8859-1") + packed("gzip"),
                    gzip("a=%FC&b=x+y".getBytes(US_ASCII)),
                    "{'a':'ü','b':'x y'}"),
            Arguments.of(
                    "encodings in two headers",
                    type("text/plain") + packed("gzip") + packed("gzip"),
                    gzip(gzip("hello".getBytes(UTF_8))),
                    "'hello'"),
            Arguments.of(
                    "a declaration in single quotes",
                    type("text/xml"),
                    "<?xml version='1.0' encoding='windows-1252'?><n>M\u00fcller \u20ac</n>".getBytes(WINDOWS),
                    "'<?xml version=\\'1.0\\' encoding=\\'windows-1252\\'?><n>Müller €</n>'"),
            Arguments.of(
                    "a declaration that the header contradicts",
                    type("application/xml; charset=utf-8"),
                    "<?xml version='1.0' encoding='iso-8859-1'?><n>Müller</n>".getBytes(UTF_8),
                    "'<?xml version=\\'1.0\\' encoding=\\'iso-8859-1\\'?><n>Müller</n>'"),
            Arguments.of(
                    "SVG in UTF-16 with its mark",
                    type("application/atom+xml"),
                    "\uFEFF<n>Müller</n>".getBytes(UTF_16BE),
                    "'<n>Müller</n>'"),
            Arguments.of(
                    "a page that names its charset in http-equiv",
                    type("text/html"),
                    "<meta http-equiv=content-type content='text/html; charset=windows-1252'>Müller €"
                            .getBytes(WINDOWS),
                    "'<meta http-equiv=content-type content=\\'text/html; charset=windows-1252\\'>Müller €'"),
            Arguments.of(
                    "text with a charset in quotes",
                    type("text/csv; charset=\"WINDOWS-1252\""),
                    "Name\r\nMüller".getBytes(WINDOWS),
                    "'Name\\r\\nMüller'"),
            Arguments.of(
                    "JSON in the charset of its header",
                    type("application/json; charset=iso-8859-1"),
                    "{\"a\":\"Müller\"}".getBytes(ISO_8859_1),
                    "{'a':'Müller'}"),
            Arguments.of(
                    "gzip of XML with a declaration",
                    type("application/xml") + packed("x-gzip"),
                    gzip("<?xml version='1.0' encoding='ISO-8859-1'?><n>Müller</n>".getBytes(ISO_8859_1)),
                    "'<?xml version=\\'1.0\\' encoding=\\'ISO-8859-1\\'?><n>Müller</n>'"),
            Arguments.of("no type, and a text", "", "grüße".getBytes(UTF_8), "'grüße'"),
            Arguments.of("a byte order mark before JSON", type("application/json"), "\uFEFF[1]".getBytes(UTF_8), "[1]"),
            Arguments.of(
                    "a number alone",
                    type("application/json"),
                    "9007199254740993".getBytes(UTF_8),
                    "9007199254740993"));

    @ParameterizedTest(name = "{0}")
    @FieldSource("TEXTS")
    void getsTheText(String about, String headers, byte[] body, String expected) {
        var answer = send("", headers, body);

        assertThat(answer.status()).as(about + ": " + answer.body()).isEqualTo(200);
        var wanted = Json.trusted(
                expected.replace("\\'", "\u0001").replace('\'', '"').replace('\u0001', '\''));
        assertThat(Json.trusted(answer.body()).at("/got/body")).as(about).isEqualTo(wanted);
    }

    static final List<Arguments> FILES = List.of(
            Arguments.of("an older spreadsheet", type("application/vnd.ms-excel"), allBytes()),
            Arguments.of("bytes with a charset", type("application/octet-stream; charset=utf-8"), allBytes()),
            Arguments.of("an archive", type("application/x-tar"), allBytes()),
            Arguments.of("no usable type", type("binary"), allBytes()),
            Arguments.of("a type of any kind", type("*/*"), allBytes()),
            Arguments.of(
                    "tabs in Latin-1", type("text/tab-separated-values"), "Name\tM\u00fcller".getBytes(ISO_8859_1)),
            Arguments.of("a calendar in Latin-1", type("text/calendar"), "SUMMARY:M\u00fcller".getBytes(ISO_8859_1)),
            Arguments.of(
                    "a declared charset that does not decode",
                    type("application/xml"),
                    "<?xml version='1.0' encoding='utf-8'?><n>M\u00fcller</n>".getBytes(ISO_8859_1)),
            Arguments.of("an unknown charset", type("text/plain; charset=x-none"), "M\u00fcller".getBytes(ISO_8859_1)));

    @ParameterizedTest(name = "{0}")
    @FieldSource("FILES")
    void keepsTheBytes(String about, String headers, byte[] body) {
        var answer = send("", headers, body);

        assertThat(answer.status()).as(about + ": " + answer.body()).isEqualTo(200);
        var got = Json.trusted(answer.body()).path("got");
        assertThat(got.has("rawBody")).as(about).isFalse();
        assertThat(download(got)).as(about + ": " + got.path("body")).isEqualTo(body);
    }

    private static byte[] download(JsonNode got) {
        var request = HttpRequest.newBuilder(URI.create(got.at("/body/fileUrl").asText()))
                .build();
        return client.sendAsync(request, BodyHandlers.ofByteArray()).join().body();
    }

    static final List<Arguments> QUERIES = List.of(
            Arguments.of("?tag=a&tag=b&tag=c", "{'tag':['a','b','c']}"),
            Arguments.of("?tag[]=a", "{'tag[]':'a'}"),
            Arguments.of("?a=&b", "{'a':'','b':''}"),
            Arguments.of("?r=50%&s=%zz&t=%C3", null),
            Arguments.of("?r=100%25&s=%", "{'r':'100%','s':'%'}"),
            Arguments.of("?q=a%2Bb+c", "{'q':'a+b c'}"),
            Arguments.of("?n=M%C3%BCller", "{'n':'Müller'}"),
            Arguments.of("?%=1", "{'%':'1'}"),
            Arguments.of("?tag=a&TAG=b&tag=", "{'tag':['a',''],'TAG':'b'}"),
            Arguments.of("?a=b=c&a=%3D", "{'a':['b=c','=']}"));

    @ParameterizedTest(name = "{0}")
    @FieldSource("QUERIES")
    void getsTheQuery(String query, String expected) {
        var answer = send(query, type("text/plain"), "x".getBytes(UTF_8));

        assertThat(answer.status()).as(query + ": " + answer.body()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("\uFFFD");
        if (expected != null) {
            assertThat(Json.trusted(answer.body()).at("/got/queryParams")).isEqualTo(Hooks.json(expected));
        }
    }

    static final List<Arguments> REFUSED = List.of(
            Arguments.of("one encoding of two", packed("gzip, lzma"), gzip(allBytes()), 415),
            Arguments.of("an encoding with a parameter", packed("gzip;q=1"), gzip(allBytes()), 415),
            Arguments.of("a gzip without its end", packed("gzip"), new byte[] {0x1f, (byte) 0x8b, 8}, 400),
            Arguments.of("a gzip with more behind it", packed("gzip"), concat(gzip(allBytes()), allBytes()), 400),
            Arguments.of(
                    "a gzip with one byte behind it", packed("gzip"), concat(gzip(allBytes()), new byte[] {1}), 400),
            Arguments.of(
                    "a gzip with half of another",
                    packed("gzip"),
                    concat(gzip(allBytes()), new byte[] {31, -117}),
                    400),
            Arguments.of("a gzip with padding", packed("gzip"), concat(gzip(allBytes()), new byte[512]), 200));

    private static byte[] concat(byte[] first, byte[] second) {
        var both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("REFUSED")
    void refuses(String about, String headers, byte[] body, int status) {
        assertThat(send("", type("text/plain") + headers, body).status())
                .as(about)
                .isEqualTo(status);
    }

    static final List<Arguments> JSON_LIMITS = List.of(
            Arguments.of("[".repeat(200) + "]".repeat(200), ""),
            Arguments.of("[".repeat(201) + "]".repeat(201), "Too deep: expected at most 200 levels"),
            Arguments.of("[".repeat(250) + "1" + "]".repeat(250), "Too deep: expected at most 200 levels"),
            Arguments.of("{'a':".repeat(250) + "1" + "}".repeat(250), "Too deep: expected at most 200 levels"),
            Arguments.of(
                    "[" + "1,".repeat(400_000) + "[".repeat(250) + "]".repeat(250) + "]",
                    "Too deep: expected at most 200 levels"),
            Arguments.of("[" + "7".repeat(1000) + "]", ""),
            Arguments.of("[" + "7".repeat(1001) + "]", "Number too long: expected at most 1000 characters"),
            Arguments.of("{'" + "n".repeat(50_000) + "':1}", ""),
            Arguments.of("{'" + "n".repeat(50_001) + "':1}", "Name too long: expected at most 50000 characters"),
            Arguments.of("[".repeat(150), "not valid JSON"),
            Arguments.of("[1", "not valid JSON"));

    @ParameterizedTest(name = "{1}, {index}")
    @FieldSource("JSON_LIMITS")
    void namesTheLimitThatValidJsonExceeds(String body, String message) {
        var answer = send("", type("application/json"), body.replace('\'', '"').getBytes(UTF_8));

        assertThat(answer.status()).as(answer.body()).isEqualTo(message.isEmpty() ? 200 : 400);
        assertThat(answer.body()).contains(message);
    }

    private static JsonNode answerOf(String step, String input, String expression) {
        var flow = hooks.flow(
                Hooks.trigger(),
                step.equals("code")
                        ? Hooks.code(input)
                        : Hooks.piece(step, versionOf(step), "convert-xml-to-json", input),
                Hooks.answering("{'responseType':'json','fields':{'body':{'got':'" + expression + "'}}}"));
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + hooks.server().port() + "/api/v1/webhooks/" + flow + "/sync"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        var answer = client.sendAsync(request, BodyHandlers.ofString()).join();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.trusted(answer.body()).path("got");
    }

    private static String versionOf(String piece) {
        return hooks.server()
                .anonymous()
                .get("/v1/pieces/@activepieces/piece-" + piece)
                .text("/version");
    }

    @Test
    void readsXml_afterMarkAndDeclaration() {
        assertThat(answerOf(
                                "xml",
                                "{'xml':'\\uFEFF<?xml version=\\u00271.0\\u0027"
                                        + " encoding=\\u0027utf-16\\u0027?><order>1</order>'}",
                                "{{step_1.output}}")
                        .path("order")
                        .asText())
                .isEqualTo("1");
        assertThat(answerOf("xml", "{'xml':'\\uFEFF\\r\\n<order/>'}", "{{step_1.output}}"))
                .isEqualTo(Hooks.json("{'order':''}"));
    }

    @Test
    void returnsWhatCodeReturns() {
        assertThat(answerOf(
                                "code",
                                "export const code = async () => new TextDecoder(\"windows-1252\").decode(new"
                                        + " Uint8Array([0x80]))",
                                "{{step_1.output}}")
                        .asText())
                .isEqualTo("€");
        assertThat(answerOf(
                                "code",
                                "export const code = async () => new TextDecoder(\"utf-16be\").decode(new"
                                        + " Uint8Array([0, 65]))",
                                "{{step_1.output}}")
                        .asText())
                .isEqualTo("A");
    }
}
