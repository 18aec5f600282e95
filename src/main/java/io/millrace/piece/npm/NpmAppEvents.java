package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.piece.AppEvents;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.vertx.core.Future;
import java.util.LinkedHashMap;

/** Event parser of an app, implemented by its package (contract pieces 3). */
record NpmAppEvents(NpmHost host, NpmHost.Target target) implements AppEvents {
    private static final long CALL_MS_MAX = 10_000;

    @Override
    public Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl) {
        var frame = frame("parse", payload);
        return call(frame).map(returned -> parsed(returned.value()));
    }

    private static ParseResult parsed(JsonNode value) {
        if (value == null) {
            return new ParseResult.Malformed();
        }
        var reply = value.get("reply");
        if (reply != null && reply.isObject()) {
            var headers = new LinkedHashMap<String, String>();
            reply.path("headers")
                    .properties()
                    .forEach(header ->
                            headers.put(header.getKey(), header.getValue().asText()));
            return new ParseResult.Reply(new HttpAnswer(200, headers, reply.get("body")));
        }
        return ParseResult.event(
                value.path("event").textValue(), value.path("identifierValue").textValue(), null);
    }

    @Override
    public Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl) {
        var frame = frame("verify", payload).put("appWebhookUrl", appWebhookUrl);
        frame.set("webhookSecret", secret);
        return call(frame)
                .map(returned -> returned.value() != null && returned.value().asBoolean());
    }

    private ObjectNode frame(String operation, ObjectNode payload) {
        var frame = host.frame(target, operation, host.runtime(null, null, null, null));
        frame.set("payload", payload);
        return frame;
    }

    /** Parsing an event needs no project data, so callbacks are not permitted. */
    private Future<NodeResult.Returned> call(ObjectNode frame) {
        return host.call(
                        target,
                        NodeCall.Urgency.RUN,
                        frame,
                        (method, _, _) -> StepQuestions.refused(PieceFailure.of(method + " is not available here")),
                        CALL_MS_MAX)
                .compose(running -> running.returned(target.id(), Censor.of(null)))
                .recover(failure -> Future.failedFuture(failure instanceof PieceCrash ? unread() : failure));
    }

    /** The app that sent the event sends it again. */
    private ApiException unread() {
        return ApiException.of(
                ErrorCode.UNAVAILABLE,
                target.id() + " did not read the event: its process was ended, or took too long");
    }
}
