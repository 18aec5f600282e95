package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.socket.EventStream;
import io.millrace.integration.mcp.tool.CallCancellation.CallCancelled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends a fast answer as JSON, a slow one as the last event of a stream: a proxy would close a connection that is idle for as
 * long as some flows run. A client with a progress token receives the elapsed time of its call, so that it continues to wait.
 */
final class SlowAnswer {
    private static final long SOON_MS = 5_000;

    private static final class CallProgress {
        private final EventStream stream;
        private final JsonNode token;
        private long runMs;

        CallProgress(EventStream stream, JsonNode token) {
            this.stream = stream;
            this.token = token;
        }

        void tell() {
            runMs += SOON_MS;
            var seconds = TimeUnit.MILLISECONDS.toSeconds(runMs);
            var message = Json.object().put("jsonrpc", "2.0").put("method", "notifications/progress");
            message.putObject("params")
                    .put("progress", seconds)
                    .put("message", "running for " + seconds + " s")
                    .set("progressToken", token);
            stream.send(McpListeners.EVENT, message);
        }
    }

    private final Vertx vertx;
    private final Optional<JsonNode> progressToken;
    private final Supplier<EventStream> streams;
    private final Function<Throwable, ObjectNode> errorOf;

    /**
     * @param progressToken token of the client for progress notifications
     * @param streams opens the stream; refuses when too many are open
     * @param errorOf maps a failure that occurs after the status of the answer has been sent
     */
    SlowAnswer(
            Vertx vertx,
            Optional<JsonNode> progressToken,
            Supplier<EventStream> streams,
            Function<Throwable, ObjectNode> errorOf) {
        this.vertx = vertx;
        this.progressToken = progressToken;
        this.streams = streams;
        this.errorOf = errorOf;
    }

    /** Completes with the reply to send, or empty after the switch to a stream. */
    Future<Optional<ApiReply>> send(Future<ObjectNode> answer, boolean mayStream) {
        if (!mayStream || answer.isComplete()) {
            return answer.map(SlowAnswer::reply);
        }
        var promise = Promise.<Optional<ApiReply>>promise();
        var timer = vertx.setTimer(SOON_MS, _ -> stream(answer, promise));
        answer.onComplete(_ -> vertx.cancelTimer(timer));
        answer.map(SlowAnswer::reply).onSuccess(promise::tryComplete).onFailure(promise::tryFail);
        return promise.future();
    }

    private static Optional<ApiReply> reply(ObjectNode answer) {
        return Optional.of(ApiReply.ok(answer));
    }

    /** If no stream is available, the answer is sent as JSON. */
    private void stream(Future<ObjectNode> answer, Promise<Optional<ApiReply>> promise) {
        EventStream stream;
        try {
            stream = streams.get();
        } catch (ApiException tooMany) {
            return;
        }
        promise.complete(Optional.empty());
        progressToken.ifPresent(token -> tellProgress(new CallProgress(stream, token), stream));
        answer.onComplete((message, failure) -> {
            // A canceled call has no answer.
            if (!(failure instanceof CallCancelled)) {
                stream.send(McpListeners.EVENT, failure == null ? message : errorOf.apply(failure));
            }
            stream.end();
        });
    }

    private void tellProgress(CallProgress progress, EventStream stream) {
        progress.tell();
        var timer = vertx.setPeriodic(SOON_MS, _ -> progress.tell());
        stream.whenClosed(() -> vertx.cancelTimer(timer));
    }
}
