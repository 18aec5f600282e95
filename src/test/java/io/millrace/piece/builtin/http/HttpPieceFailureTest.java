package io.millrace.piece.builtin.http;

import static io.millrace.base.net.LocalServer.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.net.LocalServer;
import io.millrace.piece.PieceFailure;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures, retries and error messages of the HTTP action. */
class HttpPieceFailureTest extends HttpPieceCalls {
    @Test
    void failsWithTheFieldsOfTheContract_andMasksCredentials() {
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .setStatusCode(404)
                        .putHeader("Content-Type", "application/json")
                        .putHeader("Set-Cookie", "session=secret")
                        .putHeader("X-Request-Id", "r1")
                        .end("{\"error\":{\"message\":\"not here\"}}"));
        var url = "http://me:secret@127.0.0.1:" + server.port() + "/x";
        var step = HttpStep.calling("PUT", url).withBody("json", "{'a':1}");

        var failure = failed(step);

        assertThat(failure).hasMessage("not here");
        var details = failure.details();
        assertThat(details.path("status").asInt()).isEqualTo(404);
        assertThat(details.path("apiMessage").asText()).isEqualTo("not here");
        assertThat(details.path("responseBody").path("error").path("message").asText())
                .isEqualTo("not here");
        assertThat(details.path("responseHeaders").path("x-request-id").asText())
                .isEqualTo("r1");
        assertThat(details.path("requestUrl").asText()).isEqualTo(server.url("/x"));
        assertThat(details.path("requestMethod").asText()).isEqualTo("PUT");
        assertThat(details.path("requestBody").path("a").asInt()).isEqualTo(1);
        assertThat(Json.text(details)).doesNotContain("secret").contains("***");
    }

    @ParameterizedTest
    @CsvSource({
        "continue_none, 503, 1, fail",
        "continue_none, 404, 1, fail",
        "retry_none, 503, 1, fail",
        "retry_all, 404, 3, fail",
        "retry_all, 503, 3, fail",
        "retry_5xx, 503, 3, fail",
        "retry_5xx, 404, 1, fail",
        "continue_all, 503, 1, continue",
        "continue_all, 404, 1, continue",
        "continue_4xx, 404, 1, continue",
        "continue_4xx, 503, 3, fail",
        "'', 503, 1, fail"
    })
    void followsTheFailureMode(String mode, int status, int tries, String end) {
        var server = answering(status, "text/plain", Buffer.buffer("no"));
        var step = HttpStep.calling("POST", server.url("/"))
                .with("failureMode", mode)
                .withBody("json", "{'a':1}");

        if (end.equals("continue")) {
            assertThat(run(step))
                    .isEqualTo(Json.trusted("{\"response\":{\"status\":" + status
                            + ",\"body\":\"no\"},\"request\":{\"body\":{\"a\":1}}}"));
        } else {
            assertThat(failed(step).details().path("status").asInt()).isEqualTo(status);
        }
        assertThat(server.asked()).hasSize(tries);
        assertThat(step.sleeps).isEqualTo(List.of(1000L, 2000L).subList(0, tries - 1));
    }

    @Test
    void succeeds_whenALaterTryDoes() {
        var tries = new AtomicInteger();
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .setStatusCode(tries.incrementAndGet() < 3 ? 500 : 200)
                        .end());

        var output = run(HttpStep.calling("GET", server.url("/")).with("failureMode", "retry_5xx"));

        assertThat(output.path("status").asInt()).isEqualTo(200);
    }

    @Test
    void continues_whenThereIsNoResponseAndTheModeAllowsIt() {
        var server = LocalServer.start(vertx, request -> request.connection().close());
        var step = HttpStep.calling("GET", server.url("/")).with("failsafe", true);

        var output = run(step);

        assertThat(output.path("response").path("status").asInt()).isEqualTo(500);
        assertThat(output.path("response").path("body").asText()).contains("ECONNRESET");
    }

    @Test
    void namesTheBlockedAddress_andDoesNotTryAgain() {
        var step = HttpStep.calling("GET", "http://169.254.169.254/latest").with("failureMode", "retry_all");

        var failure = failed(step);

        assertThat(failure.details().path("errorName").asText()).isEqualTo("SSRFBlockedError");
        assertThat(failure).hasMessageContaining("169.254.169.254");
        assertThat(step.sleeps).isEmpty();
    }

    @Test
    void timesOut_afterTheGivenSecondsOrWhatIsLeftOfTheRun() {
        var server = LocalServer.start(vertx, _ -> {});

        var given = failed(HttpStep.calling("GET", server.url("/")).withJson("timeout", "0.1"));
        var left = failed(HttpStep.calling("GET", server.url("/")).remaining(120));

        assertThat(given).hasMessage("timeout of 100ms exceeded");
        assertThat(left).hasMessage("timeout of 120ms exceeded");
        assertThat(given.details().path("errorName").asText()).isEqualTo("FetchError");
    }

    @ParameterizedTest
    @CsvSource({
        "url, '', URL is required",
        "url, ftp://x, Invalid URL",
        "method, '', Method is required",
        "method, A B, HTTP method"
    })
    void refusesInputThatMakesNoRequest(String name, String value, String message) {
        assertThat(failed(HttpStep.calling("GET", "http://example.com").with(name, value)))
                .hasMessageContaining(message);
    }

    @Test
    void refusesAHeaderThatWouldBeTwo_withoutRepeatingIt() {
        var step = HttpStep.calling("GET", "http://example.com")
                .with("authType", "BEARER_TOKEN")
                .withJson("authFields", "{'token':'t0k3n\\nX: y'}");

        assertThat(failed(step).getMessage()).contains("Authorization").doesNotContain("t0k3n");
    }

    private PieceFailure failed(HttpStep step) {
        var failure = failure(send(step));
        assertThat(failure).isInstanceOf(PieceFailure.class);
        return (PieceFailure) failure;
    }
}
