package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.redecide.StepFixtures;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.builtin.http.FixedResponse;
import java.util.Locale;
import java.util.Optional;

/**
 * Fixtures of one test. A fixture of the path of a step precedes one of its name, and both precede those of HTTP requests,
 * of which the first that matches answers.
 */
final class FixtureSet implements StepFixtures {
    private static final String ERROR = "error";
    private static final String OUTPUT = "output";
    private static final String ANY_METHOD = "*";
    private static final int STATUS_OK = 200;

    private final JsonNode steps;
    private final JsonNode http;
    private Optional<String> end = Optional.empty();

    FixtureSet(JsonNode fixtures) {
        this.steps = fixtures.path("steps");
        this.http = fixtures.path("http");
    }

    @Override
    public Optional<ObjectNode> answer(Question question) {
        var fixture = steps.has(question.path()) ? steps.get(question.path()) : steps.get(question.name());
        if (fixture != null) {
            return Optional.of(ofStep(question, fixture));
        }
        return question.isCall() && question.input().path("url").isTextual() ? ofRequest(question) : Optional.empty();
    }

    @Override
    public void ended(String status) {
        end = Optional.of(status);
    }

    /** Status of the end; empty when the walk did not get there. */
    Optional<String> end() {
        return end;
    }

    /** The fixture of a recorded output, in the form that {@link #answer} reads. */
    static JsonNode ofOutput(JsonNode output) {
        return isWrapped(output, ERROR) || isWrapped(output, OUTPUT)
                ? Json.object().set(OUTPUT, output)
                : output;
    }

    static JsonNode ofFailure(String message) {
        return Json.object().put(ERROR, message);
    }

    private static boolean isWrapped(JsonNode fixture, String name) {
        return fixture.isObject() && fixture.size() == 1 && fixture.has(name);
    }

    private static ObjectNode ofStep(Question question, JsonNode fixture) {
        if (isWrapped(fixture, ERROR)) {
            var error = fixture.get(ERROR);
            return failed(question, error.isTextual() ? error.textValue() : Json.pretty(error));
        }
        return succeeded(question, isWrapped(fixture, OUTPUT) ? fixture.get(OUTPUT) : fixture);
    }

    private Optional<ObjectNode> ofRequest(Question question) {
        for (var fixture : http) {
            if (isFor(fixture, question.input())) {
                return Optional.of(response(question, fixture.path("response")));
            }
        }
        return Optional.empty();
    }

    private static boolean isFor(JsonNode fixture, JsonNode input) {
        var method = fixture.path("method").asText();
        return (method.equals(ANY_METHOD)
                        || method.equalsIgnoreCase(input.path("method").asText("GET")))
                && TextPattern.matches(
                        fixture.path("urlPattern").asText(),
                        input.path("url").textValue().strip())
                && (!fixture.has("bodyPattern")
                        || TextPattern.matches(fixture.path("bodyPattern").asText(), textOf(input.path("body"))));
    }

    private static String textOf(JsonNode body) {
        return body.isMissingNode() || body.isNull() ? "" : body.isTextual() ? body.textValue() : Json.text(body);
    }

    /** The response in the form in which the HTTP piece gives it to a flow, with the failure mode of the step. */
    private static ObjectNode response(Question question, JsonNode response) {
        var headers = Json.object();
        response.path("headers")
                .properties()
                .forEach(header -> headers.set(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        var outcome = FixedResponse.outcome(
                question.input() instanceof ObjectNode input ? input : Json.object(),
                response.path("status").asInt(STATUS_OK),
                headers,
                response.has("body") ? response.get("body") : Json.object());
        return switch (outcome) {
            case FixedResponse.Result(var output) -> succeeded(question, output);
            case FixedResponse.Refused(var failure) -> failed(question, ErrorMessage.of(failure));
        };
    }

    private static ObjectNode succeeded(Question question, JsonNode output) {
        return RunLog.record(question.type(), "SUCCEEDED", question.logged(), output, 0);
    }

    private static ObjectNode failed(Question question, String message) {
        return RunLog.record(question.type(), "FAILED", question.logged(), null, 0)
                .put("errorMessage", message);
    }
}
