package io.millrace.piece;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorMessageTest {
    @Test
    void dropsTheLinesOfAStack() {
        assertThat(read(ErrorMessage.of("boom\n    at step (code.js:1:2)\nmore"))
                        .path("message")
                        .asText())
                .isEqualTo("boom\nmore");
    }

    @Test
    void keepsAPlainText() {
        assertThat(ErrorMessage.of("plain")).isEqualTo("{\"__apErrorVersion\":1,\"message\":\"plain\"}");
    }

    @Test
    void keepsTheLineOfCode() {
        assertThat(ErrorMessage.of("boom", Json.object().put("line", 7)))
                .isEqualTo("{\"__apErrorVersion\":1,\"message\":\"boom\",\"line\":7}");
        assertThat(ErrorMessage.of("boom", Json.object().put("line", 0))).doesNotContain("line");
    }

    @Test
    void saysUnknownError_whenThereIsNoText() {
        assertThat(read(ErrorMessage.of((String) null)).path("message").asText())
                .isEqualTo("Unknown error");
        assertThat(read(ErrorMessage.of((Throwable) null)).path("message").asText())
                .isEqualTo("Unknown error");
        assertThat(read(ErrorMessage.of(new IllegalStateException()))
                        .path("message")
                        .asText())
                .isEqualTo("Unknown error");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'error':{'message':'not here'}}                  | not here
            {'errors':[{'message':'a'},{'detail':'b'}]}       | a; b
            {'message':'  ','error_description':' expired '}  | expired
            {'error':'bad','description':'later'}             | bad
            {'title':'Gone','status':410}                     | Gone
            {'fault':{'reason':{'error':'deep'}}}             | deep
            {'message':'<p>No <b>way</b></p>'}                | No way
            'simply no'                                       | simply no
            """)
    void digsTheMessageOutOfAResponse(String body, String expected) {
        var details = Json.object().put("status", 400);
        details.set("responseBody", Json.trusted(body.replace('\'', '"')));

        var message = read(ErrorMessage.of(PieceFailure.of("Request failed with status 400", details)));

        assertThat(message.path("message").asText()).isEqualTo(expected);
        assertThat(message.path("apiMessage").asText()).isEqualTo(expected);
        assertThat(message.path("status").asInt()).isEqualTo(400);
    }

    @Test
    void reducesAPageToWhatAReaderSees() {
        var page = "<!DOCTYPE html><html><head><title>Oops</title><style>p{}</style></head>"
                + "<body><script>alert(1)</script><h1>Bad &amp; sad</h1></body></html>";
        var details = Json.object().put("status", 500).put("responseBody", page);

        var message = read(ErrorMessage.of(PieceFailure.of("failed", details)));

        assertThat(message.path("message").asText()).isEqualTo("Oops — Bad & sad");
    }

    @Test
    void doesNotRepeatATitle_thatTheTextBeginsWith() {
        assertThat(MarkupText.reduce("<html><head><title>Oops</title></head><header>Oops</header> again</html>"))
                .isEqualTo("Oops again");
    }

    @Test
    void keepsTheErrorsOwnText_whenTheResponseSaysNothing() {
        var details = Json.object().put("status", 502);
        details.putObject("responseBody").put("code", 7);

        var message = read(ErrorMessage.of(PieceFailure.of("Bad gateway", details)));

        assertThat(message.path("message").asText()).isEqualTo("Bad gateway");
        assertThat(message.has("apiMessage")).isFalse();
    }

    @Test
    void masksHeadersThatCarrySecrets() {
        var details = Json.object().put("status", 401);
        details.putObject("responseHeaders")
                .put("Set-Cookie", "id=1")
                .put("X-Api-Key", "k")
                .put("x-auth-token", "t")
                .put("content-type", "text/plain");

        var headers = read(ErrorMessage.of(PieceFailure.of("no", details))).path("responseHeaders");

        assertThat(headers.path("Set-Cookie").asText()).isEqualTo("********");
        assertThat(headers.path("X-Api-Key").asText()).isEqualTo("********");
        assertThat(headers.path("x-auth-token").asText()).isEqualTo("********");
        assertThat(headers.path("content-type").asText()).isEqualTo("text/plain");
    }

    @Test
    void boundsEveryPart() {
        var details = Json.object().put("raw", "r".repeat(20_000)).put("responseBody", "b".repeat(20_000));

        var message = read(ErrorMessage.of(PieceFailure.of("m".repeat(3000), details)));

        assertThat(message.path("message").asText()).hasSize(2001).endsWith("…");
        assertThat(message.path("raw").asText()).hasSize(16_000 + 13).endsWith("\n…[truncated]");
        assertThat(message.path("responseBody").asText()).endsWith("\n…[truncated]");
    }

    @Test
    void boundsForgedDetails() {
        // given details as a process may send them past its host
        var forged = "x".repeat(1 << 20);
        var details = Json.object().put("errorName", forged).put("status", forged);
        details.put("requestUrl", forged).put("requestMethod", forged);
        details.putObject("responseHeaders").put("small", "kept").put("large", forged);

        // when
        var message = read(ErrorMessage.of(PieceFailure.of("failed", details)));

        // then
        assertThat(Json.text(message)).hasSizeLessThan(60_000);
        assertThat(message.path("errorName").asText()).hasSize(201).endsWith("…");
        assertThat(message.at("/responseHeaders/small").asText()).isEqualTo("kept");
        assertThat(message.at("/responseHeaders/large").isMissingNode()).isTrue();
        assertThat(message.at("/responseHeaders/…[truncated]").asBoolean()).isTrue();
    }

    @Test
    void boundsATextThatHasTheFormAlready() {
        var atLimit = formed(ErrorMessage.FORMED_LENGTH_MAX);

        assertThat(ErrorMessage.of(atLimit)).isEqualTo(atLimit);
        assertThat(ErrorMessage.of(formed(ErrorMessage.FORMED_LENGTH_MAX + 1))).hasSizeLessThan(5_000);
    }

    private static String formed(int length) {
        var start = "{\"__apErrorVersion\":1,\"message\":\"";
        return start + "m".repeat(length - start.length() - 2) + "\"}";
    }

    @Test
    void namesTheError_unlessItIsJustAnError() {
        var named = read(ErrorMessage.of(PieceFailure.named("ConnectionNotFound", "gone")));
        var unnamed = read(ErrorMessage.of(PieceFailure.named("Error", "gone")));

        assertThat(named.path("errorName").asText()).isEqualTo("ConnectionNotFound");
        assertThat(unnamed.has("errorName")).isFalse();
    }

    @Test
    void keepsATextThatHasTheFormAlready() {
        var text = "{\"__apErrorVersion\":1,\"message\":\"kept\",\"status\":404}";

        assertThat(ErrorMessage.of(PieceFailure.of(text))).isEqualTo(text);
    }

    private static JsonNode read(String errorMessage) {
        return (ObjectNode) Json.trusted(errorMessage);
    }
}
