package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.builtin.action.Props;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sends the waiting caller a response with the resume URL, and waits for the call of that URL, whose caller gets the
 * run's response (contract flows-and-engine 13.4).
 */
final class AnswerAndWait implements Action {
    private static final String NEXT_URL_HEADER = "x-activepieces-resume-webhook-url";

    private static final ActionSpec SPEC = new ActionSpec(
            "return_response_and_wait_for_next_webhook",
            "Respond and Wait for Next Webhook",
            "Answers the caller of the webhook, and waits for its next call.",
            Props.of(CallerResponse.TYPE, CallerResponse.FIELDS),
            true,
            true,
            false);

    private final InstantSource clock;

    AnswerAndWait(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        if (context.resumePayload().isPresent()) {
            return Future.succeededFuture(context.resumePayload().get());
        }
        HttpAnswer answer;
        try {
            answer = CallerResponse.answer(CallerResponse.given(context.props()));
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
        return context.createWaitpoint(Waitpoint.Request.call()).map(waitpoint -> {
            var nextUrl = waitpoint.resumeUrl(nextQuery(context), true);
            context.waitFor(waitpoint, Optional.of(withNextUrl(answer, nextUrl)));
            return output(nextUrl);
        });
    }

    private Map<String, String> nextQuery(StepContext context) {
        var query = new LinkedHashMap<String, String>();
        query.put("created", Json.timestamp(clock.instant()));
        query.put("runId", context.runId());
        return query;
    }

    private static HttpAnswer withNextUrl(HttpAnswer answer, String nextUrl) {
        var headers = new LinkedHashMap<>(answer.headers());
        headers.put(NEXT_URL_HEADER, nextUrl);
        return new HttpAnswer(answer.status(), headers, answer.body(), answer.isFile());
    }

    private static ObjectNode output(String nextUrl) {
        return Json.object().put("nextWebhookUrl", nextUrl);
    }
}
