package io.millrace.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ExchangeCheck.Exchange;
import org.junit.jupiter.api.Test;

/** The check of all integration tests rejects undocumented exchanges. */
class ExchangeCheckTest {
    private static final String JSON = "application/json";
    private static final String PATH_UNKNOWN =
            "{\"statusCode\":404,\"error\":\"Not Found\",\"message\":\"Route not found\"}";

    @Test
    void isContent_whenEverythingIsDocumented() {
        assertIsContent(answer("GET", "/v1/health", 200, "{\"status\":\"Healthy\"}"));
    }

    @Test
    void isContent_whenAnUnknownPathIsUnknown() {
        assertIsContent(answer("GET", "/v1/nothing-here", 404, PATH_UNKNOWN));
    }

    @Test
    void objects_whenAnUnknownPathIsServed() {
        assertObjects(answer("GET", "/v1/nothing-here", 200, "{}"), "an operation that is documented");
    }

    @Test
    void objects_whenAnUnknownMethodIsServed() {
        assertObjects(answer("DELETE", "/v1/health", 200, "{}"), "an operation that is documented");
    }

    @Test
    void objects_whenTheStatusIsNotDocumented() {
        assertObjects(answer("GET", "/v1/health", 500, "{}"), "a status that is documented");
    }

    @Test
    void objects_whenTheBodyLacksAField() {
        assertObjects(answer("GET", "/v1/health/system", 200, "{\"cpu\":true}"), "a body that is documented");
    }

    @Test
    void objects_whenAFieldHasAnotherWord() {
        assertObjects(answer("GET", "/v1/health", 200, "{\"status\":\"Fine\"}"), "a body that is documented");
    }

    @Test
    void objects_whenARowOfAPageIsWrong() {
        assertObjects(
                answer("GET", "/v1/api-keys", 200, "{\"data\":[{\"id\":\"1\"}],\"next\":null,\"previous\":null}"),
                "a body that is documented");
    }

    @Test
    void objects_whenAnErrorHasTheCodeOfAnotherStatus() {
        assertObjects(
                answer("GET", "/v1/api-keys", 403, "{\"code\":\"ENTITY_NOT_FOUND\",\"params\":{}}"),
                "a body that is documented");
    }

    @Test
    void objects_whenTheBodyIsOfAnotherType() {
        assertObjects(new Exchange("GET", "/v1/health", "", 200, "text/html", "<p>"), "a media type");
    }

    @Test
    void fails_whenAnUndocumentedBodyArrives() {
        assertObjects(answer("DELETE", "/v1/api-keys/8c2vKq0aXbY7mNpTzR4eL", 200, "{}"), "an empty body");
    }

    @Test
    void objects_whenTheServerTakesWhatTheDocumentDoesNotAllow() {
        var session = "{\"id\":\"8c2vKq0aXbY7mNpTzR4eL\",\"platformRole\":\"ADMIN\",\"status\":\"ACTIVE\","
                + "\"externalId\":null,\"platformId\":null,\"verified\":true,\"firstName\":\"A\",\"lastName\":\"B\","
                + "\"email\":\"a@b.example\",\"trackEvents\":true,\"newsLetter\":true,\"token\":\"t\","
                + "\"projectId\":null}";
        var exchange =
                new Exchange("POST", "/v1/authentication/sign-in", "{\"email\":\"a@b.example\"}", 200, JSON, session);

        assertObjects(exchange, "to refuse what the document does not allow");
    }

    @Test
    void prefersThePathWithoutParameters() {
        assertObjects(answer("GET", "/v1/flows/count", 200, "{}"), "a body that is documented");
        assertIsContent(answer("GET", "/v1/flows/count", 200, "3"));
    }

    @Test
    void knowsThatWebhooksTakeAnyMethod() {
        assertIsContent(answer("PROPFIND", "/v1/webhooks/8c2vKq0aXbY7mNpTzR4eL", 200, "{}"));
    }

    /** Alternatives that each traverse the rest of the flow would take exponential time. */
    @Test
    void judgesALongChainOfStepsOnce() {
        // Given
        var action = Json.object().put("$ref", "#/components/schemas/Action");
        var chain = chain(60, "CODE");
        var broken = chain(60, "BREW_COFFEE");

        // When, then
        assertThat(ApiContract.ofThisBuild().objections(action, chain)).isEmpty();
        assertThat(ApiContract.ofThisBuild().objections(action, broken)).isNotEmpty();
    }

    /** A chain of this many steps, the last of this type. */
    private static ObjectNode chain(int length, String lastType) {
        ObjectNode chain = null;
        for (var number = length; number > 0; number--) {
            var step = Json.object()
                    .put("name", "step_" + number)
                    .put("displayName", "Step")
                    .put("type", number == length ? lastType : "CODE")
                    .put("valid", false)
                    .put("lastUpdatedDate", "2026-03-09T12:34:56.789Z");
            step.putObject("settings");
            if (chain != null) {
                step.set("nextAction", chain);
            }
            chain = step;
        }
        return chain;
    }

    private static Exchange answer(String method, String path, int status, String body) {
        return new Exchange(method, path, "", status, JSON, body);
    }

    private static void assertIsContent(Exchange exchange) {
        assertThatCode(() -> ExchangeCheck.check(exchange)).doesNotThrowAnyException();
    }

    private static void assertObjects(Exchange exchange, String expectation) {
        assertThatThrownBy(() -> ExchangeCheck.check(exchange))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected " + expectation);
    }
}
