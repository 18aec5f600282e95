package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.EventStream;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An answer as JSON when it comes soon, else as the last event of a stream: a proxy would cut a connection that says
 * nothing for as long as some flows run.
 */
final class SlowAnswer {
    private static final long SOON_MS = 5_000;

    private final Vertx vertx;
    private final Supplier<EventStream> streams;
    private final Function<Throwable, ObjectNode> errorOf;

    /**
     * @param streams opens the stream; refuses when too many are open
     * @param errorOf what a failure is told as, once the status of the answer has been sent
     */
    SlowAnswer(Vertx vertx, Supplier<EventStream> streams, Function<Throwable, ObjectNode> errorOf) {
        this.vertx = vertx;
        this.streams = streams;
        this.errorOf = errorOf;
    }

    /** Completes with what is to be sent, or with nothing when a stream has taken over. */
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

    /** Without a stream to be had the answer comes as JSON after all. */
    private void stream(Future<ObjectNode> answer, Promise<Optional<ApiReply>> promise) {
        EventStream stream;
        try {
            stream = streams.get();
        } catch (ApiException tooMany) {
            return;
        }
        promise.complete(Optional.empty());
        answer.otherwise(errorOf).onSuccess(message -> {
            stream.send(McpListeners.EVENT, message);
            stream.end();
        });
    }
}
