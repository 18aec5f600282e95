package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies in every charset and content encoding: a flow gets the text, or a file with the same bytes (decision 0396). */
class WebhookBytesIT {
    private static final int BYTES_MAX = 1 << 20;

    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of("AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB", "1"));

    @AutoClose
    private static HttpClient client = HttpClient.newHttpClient();

    private static String flowId = hooks.draft(Hooks.trigger());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gzip",
                "x-gzip",
                "GZIP",
                "deflate",
                "raw",
                "identity",
                "gzip, deflate",
                " deflate , identity,gzip"
            })
    void unpacksEncodedBodies(String encoding) {
        var json = "{\"foo\":\"bär\"}";

        var sample = sampleOf("application/json", encoding, json.getBytes(StandardCharsets.UTF_8));
        assertThat(sample.at("/body/foo").asText()).isEqualTo("bär");
        assertThat(sample.path("rawBody").asText()).isEqualTo(json);

        assertThat(sampleOf("text/plain", encoding, "hello".getBytes(StandardCharsets.UTF_8))
                        .path("body")
                        .asText())
                .isEqualTo("hello");
        assertThat(sampleOf("application/x-www-form-urlencoded", encoding, "a=%C3%BC".getBytes(StandardCharsets.UTF_8))
                        .at("/body/a")
                        .asText())
                .isEqualTo("ü");
        assertThat(download(sampleOf("application/pdf", encoding, allBytes()))).isEqualTo(allBytes());
    }

    @Test
    void unpacksAFormInParts() {
        var form = "--edge\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nbär\r\n--edge--\r\n";

        var sample = sampleOf("multipart/form-data; boundary=edge", "gzip", form.getBytes(StandardCharsets.UTF_8));

        assertThat(sample.at("/body/a").asText()).isEqualTo("bär");
    }

    @Test
    void unpacksZstd() throws IOException {
        var packed = Files.readAllBytes(Path.of("src/test/resources/zstd", "lines.zst"));

        assertThat(send("text/plain", packed, "Content-Encoding", "zstd").statusCode())
                .isEqualTo(200);
        assertThat(hooks.sample(flowId).path("body").isTextual()).isTrue();
    }

    @Test
    void unpacksAnEmptyBody() {
        assertThat(send("application/json", new byte[0], "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(200);
        assertThat(hooks.sample(flowId).path("body")).isEqualTo(Json.object());
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "compress", "nonsense", "gzip, br", "gzip,gzip,gzip,gzip,gzip"})
    void refusesUnknownEncodings(String encoding) {
        var answer = send("text/plain", new byte[] {1, 2, 3}, "Content-Encoding", encoding);

        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(answer.headers().firstValue("Accept-Encoding")).contains("gzip, x-gzip, deflate, zstd, identity");
        assertThat(answer.body()).contains("content-encoding");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "zstd"})
    void refusesBytesThatDoNotMatchTheirEncoding(String encoding) {
        for (var body : new byte[][] {
            allBytes(), {1}, Arrays.copyOf(packed(encoding.equals("zstd") ? "gzip" : encoding, allBytes()), 30)
        }) {
            var answer = send("text/plain", body, "Content-Encoding", encoding);

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains(encoding);
        }
    }

    @Test
    void countsUnpackedBytesAgainstTheLimit() {
        assertThat(send("application/pdf", packed("gzip", new byte[BYTES_MAX]), "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(200);
        assertThat(send("application/pdf", packed("gzip", new byte[BYTES_MAX + 1]), "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw", "gzip, gzip"})
    void staysSmallForABomb(String encoding) {
        var bomb = packed(encoding, new byte[200 << 20]);
        assertThat(bomb.length).isLessThan(BYTES_MAX);

        var answer = send("application/json", bomb, "Content-Encoding", encoding.replace("raw", "deflate"));

        assertThat(answer.statusCode()).isEqualTo(413);
    }

    @Test
    void unpacksALargeBodyThatHardlyShrinks() {
        var bytes = new byte[BYTES_MAX - 1000];
        new Random(1).nextBytes(bytes);

        assertThat(download(sampleOf("application/zip", "gzip", bytes))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                "application/x-protobuf",
                "application/msgpack",
                "font/woff2",
                "x-odd/thing",
                "???",
                "",
                "text/plain",
                "text/csv",
                "application/xml",
                "application/x-www-form-urlencoded",
                "text/plain; charset=windows-1252",
                "text/plain; charset=nonsense"
            })
    void keepsWhatIsNoTextAsAFile(String type) {
        var sample = sampleOf(type, "identity", allBytes());

        assertThat(download(sample)).isEqualTo(allBytes());
        assertThat(sample.has("rawBody")).isFalse();
        assertThat(sample.path("body").has("reason"))
                .isEqualTo(type.startsWith("text/")
                        || type.contains("xml") && !type.contains("openxml")
                        || type.contains("form-url"));
    }

    @Test
    void keepsATypeThatIsNotTextAsAFile_evenIfItsBytesAreLetters() {
        var letters = "hello".getBytes(StandardCharsets.UTF_8);

        assertThat(download(sampleOf("application/vnd.ms-excel", "identity", letters)))
                .isEqualTo(letters);
        assertThat(sampleOf("", "identity", letters).path("body").asText()).isEqualTo("hello");
        assertThat(download(sampleOf("", "identity", new byte[] {'a', 0, 1}))).containsExactly('a', 0, 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    application/xml                       | ISO-8859-1   | <?xml version="1.0" encoding="ISO-8859-1"?><n>Müller</n>
                    text/csv; charset=windows-1252        | windows-1252 | Name;Müller €
                    text/csv; header=present; CHARSET="iso-8859-15" | ISO-8859-15 | Müller €
                    text/html                             | Shift_JIS    | <html><head><meta charset="shift_jis">日本
                    text/plain; charset=utf-16            | UTF-16BE     | Müller
                    application/json                      | UTF-16LE     | ["Müller"]
                    application/x-www-form-urlencoded; charset=iso-8859-1 | ISO-8859-1 | a=Müller
                    """)
    void readsTextInItsCharset(String type, String charset, String text) {
        var sample = sampleOf(type, "identity", text.getBytes(Charset.forName(charset)));

        assertThat(sample.path("rawBody").asText()).isEqualTo(text);
        assertThat(sample.path("body").toString())
                .contains("Müller".substring(0, type.startsWith("text/html") ? 0 : 6));
    }

    @Test
    void dropsAByteOrderMark() {
        for (var charset :
                new Charset[] {StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE}) {
            assertThat(sampleOf("text/plain", "identity", "\uFEFFhello".getBytes(charset))
                            .path("body")
                            .asText())
                    .isEqualTo("hello");
            assertThat(sampleOf("application/json; charset=utf-8", "identity", "\uFEFF{\"a\":1}".getBytes(charset))
                            .at("/body/a")
                            .asInt())
                    .isEqualTo(1);
        }
    }

    @Test
    void readsAFormInTheCharsetThatItNames() {
        var sample = sampleOf(
                "application/x-www-form-urlencoded",
                "identity",
                "a=M%FCller&_charset_=windows-1252".getBytes(StandardCharsets.UTF_8));

        assertThat(sample.at("/body/a").asText()).isEqualTo("Müller");
    }

    @Test
    void answersApiCallsInAnEncodingWith415() {
        try (var connection = RawHttp.connect(hooks.server().port())) {
            var answer = connection
                    .send("POST /api/v1/authentication/sign-in HTTP/1.1\nHost: h\nContent-Type: application/json\n"
                            + "Content-Encoding: gzip\nContent-Length: 3\n\nabc")
                    .answer();

            assertThat(answer.status()).isEqualTo(415);
            assertThat(answer.headers().get("accept-encoding")).isEqualTo("identity");
        }
    }

    private static byte[] allBytes() {
        var bytes = new byte[256];
        for (var index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) index;
        }
        return bytes;
    }

    /** The body in the encodings of the header, the first applied first. */
    private static byte[] packed(String encodings, byte[] body) {
        var packed = body;
        for (var encoding : encodings.split(",")) {
            packed = packedOnce(encoding.strip().toLowerCase(Locale.ROOT), packed);
        }
        return packed;
    }

    private static byte[] packedOnce(String encoding, byte[] body) {
        if (encoding.equals("identity")) {
            return body;
        }
        var bytes = new ByteArrayOutputStream();
        try (var packing = packing(encoding, bytes)) {
            packing.write(body);
        } catch (IOException impossible) {
            throw new AssertionError("memory can be written to", impossible);
        }
        return bytes.toByteArray();
    }

    private static OutputStream packing(String encoding, OutputStream bytes) throws IOException {
        return switch (encoding) {
            case "deflate" -> new DeflaterOutputStream(bytes);
            case "raw" -> new DeflaterOutputStream(bytes, new Deflater(Deflater.DEFAULT_COMPRESSION, true));
            default -> new GZIPOutputStream(bytes);
        };
    }

    private static JsonNode sampleOf(String type, String encoding, byte[] body) {
        var answer = send(type, packed(encoding, body), "Content-Encoding", encoding.replace("raw", "deflate"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return hooks.sample(flowId);
    }

    private static HttpResponse<String> send(String type, byte[] body, String... headers) {
        var all = Arrays.copyOf(headers, headers.length + (type.isEmpty() ? 0 : 2));
        if (!type.isEmpty()) {
            all[headers.length] = "Content-Type";
            all[headers.length + 1] = type;
        }
        return hooks.call("POST", flowId + "/test", BodyPublishers.ofByteArray(body), all);
    }

    private static byte[] download(JsonNode sample) {
        var request = HttpRequest.newBuilder(
                        URI.create(sample.at("/body/fileUrl").asText()))
                .build();
        return client.sendAsync(request, BodyHandlers.ofByteArray()).join().body();
    }
}
