package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trigger payloads by content type of the request, and rejected bodies (contract flows-and-engine 17.3, 17.4). */
class WebhookBodyIT {
    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of("AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB", "1"));

    private static String flowId = hooks.draft(Hooks.trigger());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "APPLICATION/JSON; charset=utf-8",
                "application/vnd.api+json",
                "application/json;charset=\"UTF-8\""
            })
    void parsesJson(String contentType) {
        var sample = sampleOf(contentType, "{\"a\": [1, \"é☕\", null]}");

        assertThat(sample.path("body")).isEqualTo(Hooks.json("{'a':[1,'é☕',null]}"));
        assertThat(sample.path("rawBody").asText()).isEqualTo("{\"a\": [1, \"é☕\", null]}");
        assertThat(sample.path("method").asText()).isEqualTo("POST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "UTF-16LE"})
    void parsesJson_inTheCharacterSetThatTheCallerNames(String charset) {
        var body = "{\"a\":\"é\"}".getBytes(Charset.forName(charset));

        var answer = send("application/json; charset=" + charset, body);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(hooks.sample(flowId).at("/body/a").asText()).isEqualTo("é");
    }

    @Test
    void parsesAnyJsonValue_andItsOddTexts() {
        for (var text :
                List.of("1", "true", "null", "[]", "\"a\\u0000b\"", "\"\\ud800\"", "1e400", "123456789012345678901")) {
            var answer = hooks.post(flowId + "/test", "application/json", text);

            assertThat(answer.statusCode()).as(text).isEqualTo(200);
            assertThat(hooks.sample(flowId).path("rawBody").asText()).isEqualTo(text);
        }
    }

    @Test
    void refusesMalformedJson() {
        var bodies = List.of("{", "{\"a\":1}x", "   ", "undefined");
        for (var body : bodies) {
            var answer = hooks.post(flowId + "/test", "application/json", body);

            assertThat(answer.statusCode())
                    .as(body.substring(0, Math.min(10, body.length())))
                    .isEqualTo(400);
            assertThat(Hooks.parsed(answer).path("code").asText()).isEqualTo("FST_ERR_CTP_INVALID_JSON_BODY");
        }
    }

    @Test
    void namesTheLimitThatJsonExceeds() {
        var bodies = Map.of(
                "[".repeat(100_000), "Too deep: expected at most 200 levels",
                "{\"a\":".repeat(100_000), "Too deep: expected at most 200 levels",
                "1".repeat(20_000), "Number too long: expected at most 1000 characters");
        bodies.forEach((body, limit) -> {
            var answer = hooks.post(flowId + "/test", "application/json", body);

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(Hooks.parsed(answer).path("message").asText()).contains(limit);
        });
    }

    @Test
    void refusesJsonThatIsNoText() {
        var bodies = List.of(
                new byte[] {'"', (byte) 0xff, (byte) 0xfe, '"'},
                new byte[] {0, 0, (byte) 0xff, (byte) 0xff, 0, 0, 0, 1},
                new byte[] {0, 0, 0, '[', 0, 17, 0, 0},
                new byte[] {'[', 0, 0, 0, 0},
                new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf},
                new byte[] {0});
        for (var body : bodies) {
            assertThat(send("application/json", body).statusCode()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/plain", "multipart/form-data; boundary=edge", "image/png"})
    void takesAnEmptyBodyForAnEmptyObject(String contentType) {
        var sample = sampleOf(contentType, "");

        assertThat(sample.path("body")).isEqualTo(Json.object());
    }

    @Test
    void readsFormFields_andMakesAListOfARepeatedName() {
        var sample = sampleOf("application/x-www-form-urlencoded", "a=1&b=x+y%20z&a=2&c=&a=%C3%A9&d&/~e=1&/~e=2");

        assertThat(sample.path("body"))
                .isEqualTo(Hooks.json("{'a':['1','2','é'],'b':'x y z','c':'','d':'','/~e':['1','2']}"));
        assertThat(sample.path("rawBody").asText()).startsWith("a=1&b=x+y%20z");
    }

    @Test
    void losesNoFieldOfALongForm() {
        var form = "f=1&".repeat(5000) + "last=yes";

        var body = sampleOf("application/x-www-form-urlencoded", form).path("body");

        assertThat(body.path("f")).hasSize(5000);
        assertThat(body.path("last").asText()).isEqualTo("yes");
    }

    @ParameterizedTest
    @CsvSource({"r=%zz,%zz", "r=%,%", "r=50%25+%,50% %", "r=a#b,a#b", "r=%FC%41,%FC%41", "r=%C3%BC%f,ü%f", "r=ü%2C,'ü,'"
    })
    void takesAPercentSignThatEncodesNothingAsText(String form, String value) {
        var sample = sampleOf("application/x-www-form-urlencoded", form);

        assertThat(sample.path("body").path("r").asText()).isEqualTo(value);
    }

    @Test
    void refusesAFormOfTooManyFields() {
        var answer = hooks.post(flowId + "/test", "application/x-www-form-urlencoded", "a=&".repeat(100_000));

        assertThat(answer.statusCode()).isEqualTo(400);
    }

    @Test
    void readsTextAndFilesOfAMultipartForm() {
        // given
        var form = part("note", null, "hello ☕") + part("note", null, "again") + part("one", "a b.txt", "first")
                + part("many", "x.txt", "second") + part("many", "y.txt", "third") + part("empty", null, "")
                + "--edge--\r\n";

        // when
        var body = sampleOf("multipart/form-data; boundary=edge", form).path("body");

        // then
        assertThat(body.path("note")).isEqualTo(Hooks.json("['hello ☕','again']"));
        assertThat(body.path("empty").asText()).isEmpty();
        assertThat(hooks.download(body.path("one").asText())).isEqualTo("first");
        assertThat(hooks.download(body.path("many").path(0).asText())).isEqualTo("second");
        assertThat(hooks.download(body.path("many").path(1).asText())).isEqualTo("third");
    }

    @Test
    void readsALongTextOfAMultipartForm_andManyFields() {
        var form =
                part("long", null, "x".repeat(500_000)) + part("n", null, "1").repeat(1000) + "--edge--\r\n";

        var body = sampleOf("multipart/form-data; boundary=edge", form).path("body");

        assertThat(body.path("long").asText()).hasSize(500_000);
        assertThat(body.path("n")).hasSize(1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data;;;"})
    void refusesAMultipartFormWithoutBoundary(String contentType) {
        var answer = hooks.post(flowId + "/test", contentType, part("a", null, "1") + "--edge--\r\n");

        assertThat(answer.statusCode()).isEqualTo(400);
    }

    @Test
    void staysWell_whenAMultipartFormIsBroken() {
        var bodies = List.of(
                "nonsense",
                "--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--",
                "--edge\r\n" + "X: y\r\n".repeat(20_000) + "\r\n",
                "--edge\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end",
                "--edge\r\nContent-Disposition: form-data; name=\"" + "n".repeat(100_000) + "\"\r\n\r\nx\r\n--edge--",
                part("a", null, "1").repeat(11_000));
        for (var body : bodies) {
            var answer = hooks.post(flowId + "/test", "multipart/form-data; boundary=edge", body);

            assertThat(answer.statusCode()).isLessThan(500);
        }
        assertThat(hooks.post(flowId + "/test", "application/json", "{}").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "application/pdf", "application/octet-stream", "audio/mpeg", "video/mp4"})
    void keepsABinaryBodyAsAFile(String contentType) {
        var answer = send(contentType, new byte[] {'a', 'b', 0, 'c'});

        assertThat(answer.statusCode()).isEqualTo(200);
        var sample = hooks.sample(flowId);
        assertThat(sample.has("rawBody")).isFalse();
        assertThat(hooks.download(sample.at("/body/fileUrl").asText())).isEqualTo("ab\0c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "text/html; charset=utf-8", "application/xml", "text/xml", "x-odd/thing", "???"})
    void takesTheTextAsItIs(String contentType) {
        var sample = sampleOf(contentType, "<a>é &amp; ☕</a>");

        assertThat(sample.path("body").asText()).isEqualTo("<a>é &amp; ☕</a>");
        assertThat(sample.path("rawBody").asText()).isEqualTo("<a>é &amp; ☕</a>");
    }

    @Test
    void keepsInvalidTextAsAFile() {
        var answer = send("text/plain", new byte[] {(byte) 0xff, 'a', 0, (byte) 0xc3});

        assertThat(answer.statusCode()).isEqualTo(200);
        var sample = hooks.sample(flowId);
        assertThat(sample.has("rawBody")).isFalse();
        assertThat(sample.at("/body/reason").asText()).contains("kept as a file");
    }

    @Test
    void handsOverQueryAndHeaders() {
        hooks.call(
                "POST",
                flowId + "/test?q=x%20y&flowId=mine&empty=&a;b=1&nul=%00",
                BodyPublishers.noBody(),
                "X-Mixed-CASE",
                "Value",
                "X-Twice",
                "one",
                "X-Twice",
                "two");

        var sample = hooks.sample(flowId);
        assertThat(sample.path("queryParams").path("flowId").asText()).isEqualTo("mine");
        assertThat(sample.path("queryParams").path("q").asText()).isEqualTo("x y");
        assertThat(sample.path("queryParams").path("empty").asText("-")).isEmpty();
        assertThat(sample.path("queryParams").path("nul").asText()).isEqualTo("\0");
        assertThat(sample.path("headers").path("x-mixed-case").asText()).isEqualTo("Value");
        assertThat(sample.path("headers").path("x-twice").asText()).isEqualTo("one, two");
    }

    @ParameterizedTest
    @CsvSource({
        "r=50%,50%",
        "r=%zz,%zz",
        "r=a%2Cb%,'a,b%'",
        "r=%FC,%FC",
        "r=%C3%BC,ü",
        "r=\u00c3\u00bc,ü",
        "r=\u00fc,ü",
        "r=a+b%25,a b%"
    })
    void takesAQueryAsText(String query, String value) {
        try (var connection = hooks.raw()) {
            var answer = connection
                    .send("GET /api/v1/webhooks/" + flowId + "/test?" + query + " HTTP/1.1\nHost: h\n\n")
                    .answer();

            assertThat(answer.status()).isEqualTo(200);
        }
        assertThat(hooks.sample(flowId).at("/queryParams/r").asText()).isEqualTo(value);
    }

    @Test
    void makesAListOfARepeatedNameInAQuery() {
        hooks.call("POST", flowId + "/test?tag=a&tag=b&one=1&a[]=x&a[]=y&b[]=z", BodyPublishers.noBody());

        assertThat(hooks.sample(flowId).path("queryParams"))
                .isEqualTo(Hooks.json("{'tag':['a','b'],'one':'1','a[]':['x','y'],'b[]':'z'}"));
    }

    @Test
    void readsHeadersInUtf8_elseInLatin1() {
        try (var connection = hooks.raw()) {
            var head = "GET /api/v1/webhooks/" + flowId
                    + "/test HTTP/1.1\nHost: h\nX-Utf: \u00c3\u00bc\nX-Latin: \u00fc\n\n";
            assertThat(connection.send(head).answer().status()).isEqualTo(200);
        }
        var headers = hooks.sample(flowId).path("headers");
        assertThat(headers.path("x-utf").asText()).isEqualTo("ü");
        assertThat(headers.path("x-latin").asText()).isEqualTo("ü");
    }

    private static String part(String name, String fileName, String content) {
        var file = fileName == null ? "" : "; filename=\"" + fileName + "\"\r\nContent-Type: text/plain";
        return "--edge\r\nContent-Disposition: form-data; name=\"" + name + "\"" + file + "\r\n\r\n" + content + "\r\n";
    }

    private static JsonNode sampleOf(String contentType, String body) {
        var answer = hooks.post(flowId + "/test", contentType, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return hooks.sample(flowId);
    }

    private static HttpResponse<String> send(String contentType, byte[] body) {
        return hooks.call("POST", flowId + "/test", BodyPublishers.ofByteArray(body), "Content-Type", contentType);
    }
}
