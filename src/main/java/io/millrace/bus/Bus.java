package io.millrace.bus;

import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.eventbus.ReplyException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The event bus as this server uses it: typed messages, by reference, inside a node.
 *
 * <p>A request's address is its class, or a named desk where several serve the same class. A handler runs on the
 * context of the verticle that opened it. Every ask states its deadline.
 */
public final class Bus {
    /** A consumer on an event loop is never paused, so nothing waits here; the bound is only the last resort. */
    private static final int BUFFERED_MESSAGES_MAX = 1_000_000;

    private static final String UNANSWERED = "unanswered";

    private static final DeliveryOptions BY_REFERENCE =
            new DeliveryOptions().setCodecName(RecordCodec.NAME).setLocalOnly(true);

    private final EventBus eventBus;

    public Bus(Vertx vertx) {
        this.eventBus = vertx.eventBus().registerCodec(new RecordCodec());
    }

    /**
     * Asks whoever serves this class of requests.
     *
     * @return the answer; fails with what the other side failed with, or UNAVAILABLE when nobody answers in time
     */
    public <R> Future<R> ask(Request<R> request, long deadlineMs) {
        return ask(addressOf(request.getClass()), request, deadlineMs);
    }

    /** Asks one named desk, for example one of several shards. */
    @SuppressWarnings("unchecked") // serve() pairs the request's class with the type of its answer
    public <R> Future<R> ask(String desk, Request<R> request, long deadlineMs) {
        var options = new DeliveryOptions(BY_REFERENCE).setSendTimeout(Math.max(1, deadlineMs));
        return eventBus.<Answer>request(desk, request, options).transform(reply -> {
            if (reply.failed()) {
                return Future.failedFuture(unanswered(reply.cause(), request));
            }
            var answer = reply.result().body();
            return answer.failure() == null
                    ? Future.succeededFuture((R) answer.value())
                    : Future.failedFuture(answer.failure());
        });
    }

    /** Tells everybody who listens to this class of notices. */
    public void publish(Notice notice) {
        eventBus.publish(addressOf(notice.getClass()), notice, BY_REFERENCE);
    }

    /** Tells everybody who listens to a named desk. */
    public void publish(String desk, Notice notice) {
        eventBus.publish(desk, notice, BY_REFERENCE);
    }

    /** Tells one named desk. */
    public void tell(String desk, Notice notice) {
        eventBus.send(desk, notice, BY_REFERENCE);
    }

    /** Serves a class of requests on the current context. */
    public <R, Q extends Request<R>> MessageConsumer<Q> serve(Class<Q> type, Function<Q, Future<R>> handler) {
        return serveDesk(addressOf(type), type, handler);
    }

    /** Serves a named desk on the current context. All requests of a desk are of one class. */
    public <R, Q extends Request<R>> MessageConsumer<Q> serveDesk(
            String desk, Class<Q> type, Function<Q, Future<R>> handler) {
        return this.<Q>consumer(desk).handler(message -> answer(message, handler));
    }

    /** Listens to a class of notices on the current context. */
    public <N extends Notice> MessageConsumer<N> on(Class<N> type, Consumer<N> handler) {
        return on(addressOf(type), handler);
    }

    /** Listens to a named desk on the current context. */
    public <N extends Notice> MessageConsumer<N> on(String desk, Consumer<N> handler) {
        return this.<N>consumer(desk).handler(message -> handler.accept(message.body()));
    }

    private <T> MessageConsumer<T> consumer(String address) {
        return eventBus.consumer(new MessageConsumerOptions()
                .setAddress(address)
                .setLocalOnly(true)
                .setMaxBufferedMessages(BUFFERED_MESSAGES_MAX));
    }

    private static <R, Q extends Request<R>> void answer(Message<Q> message, Function<Q, Future<R>> handler) {
        Future<R> future;
        try {
            future = handler.apply(message.body());
        } catch (RuntimeException | StackOverflowError thrown) {
            future = Future.failedFuture(thrown);
        }
        future.onComplete((value, failure) -> message.reply(new Answer(value, failure), BY_REFERENCE));
    }

    /** Whether a request of this class was not answered in time. */
    public static boolean isUnanswered(Throwable failure, Class<? extends Request<?>> type) {
        return failure instanceof ApiException refused
                && refused.code() == ErrorCode.UNAVAILABLE
                && refused.params().path(UNANSWERED).asText().equals(type.getSimpleName());
    }

    private static Throwable unanswered(Throwable cause, Request<?> request) {
        var name = request.getClass().getSimpleName();
        return cause instanceof ReplyException
                ? ApiException.of(
                        ErrorCode.UNAVAILABLE,
                        Json.object()
                                .put("message", "no answer in time to " + name)
                                .put(UNANSWERED, name))
                : cause;
    }

    private static String addressOf(Class<?> type) {
        return type.getName();
    }
}
