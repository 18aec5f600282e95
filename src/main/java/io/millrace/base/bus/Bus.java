package io.millrace.base.bus;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.vertx.core.Closeable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The event bus as this server uses it: typed messages, by reference, inside a node.
 *
 * <p>A request's address is its class, or a named endpoint where several serve the same class. A handler runs on the context
 * of the verticle that opened it, and is closed with it. If several serve an address, the one on the caller's thread is
 * preferred. Every request has a deadline; the answer arrives on the caller's context. A pending request holds its own
 * promise and waits in a queue of deadlines, because a reply of Vert.x costs an address, a second envelope and a timer each
 * (decision 0061).
 */
public final class Bus {
    /** A consumer on an event loop is never paused, so messages do not queue here; the bound is a last resort. */
    private static final int BUFFERED_MESSAGES_MAX = 1_000_000;

    private static final String UNANSWERED = "unanswered";

    private static final DeliveryOptions BY_REFERENCE =
            new DeliveryOptions().setCodecName(RecordCodec.NAME).setLocalOnly(true);

    private final VertxInternal vertx;
    private final EventBus eventBus;
    private final AtomicLong opened = new AtomicLong();
    private final RequestTimeouts deadlines;
    private final EndpointRegistry endpoints = new EndpointRegistry();
    private volatile Consumer<ClusterNotice> toOthers = _ -> {};
    private volatile Supplier<Set<String>> watchedElsewhere = Set::of;

    /** A notice whose sender waits until all listeners have processed it. */
    private record ConfirmedNotice(Notice notice, Promise<Void> promise) {}

    /** An open endpoint; it closes with its verticle at the latest. */
    @FunctionalInterface
    public interface OpenEndpoint {
        void close();
    }

    public Bus(Vertx vertx) {
        this.vertx = (VertxInternal) vertx;
        this.eventBus = vertx.eventBus().registerCodec(new RecordCodec());
        this.deadlines = new RequestTimeouts(this.vertx);
    }

    /**
     * Sends a request to the endpoint of its class.
     *
     * @return the answer; fails with the failure of the endpoint, with UNAVAILABLE when no endpoint serves the request, and
     *     with OUTCOME_UNKNOWN when the endpoint does not answer in time: it may still perform the request
     */
    public <R> Future<R> ask(BusRequest<R> request, long deadlineMs) {
        return ask(addressOf(request.getClass()), request, deadlineMs);
    }

    /** Sends a request to one named endpoint, for example one of several shards. */
    @SuppressWarnings("unchecked") // serve() pairs the request's class with the type of its answer
    public <R> Future<R> ask(String endpoint, BusRequest<R> request, long deadlineMs) {
        var asked = endpoints.one(endpoint);
        if (asked == null) {
            return Future.failedFuture(unanswered(ErrorCode.UNAVAILABLE, request));
        }
        var promise = vertx.getOrCreateContext().promise();
        var pending = new PendingRequest(request, promise);
        deadlines.start(pending, Math.max(1, deadlineMs));
        deliver(asked, pending);
        return (Future<R>) promise.future();
    }

    /** Publishes a notice to all its listeners, at other nodes too if it is a {@link ClusterNotice}. */
    public void publish(Notice notice) {
        publishHere(notice);
        if (notice instanceof ClusterNotice shared) {
            toOthers.accept(shared);
        }
    }

    public void publishElsewhere(ClusterNotice notice) {
        toOthers.accept(notice);
    }

    public void publishHere(Notice notice) {
        publish(addressOf(notice.getClass()), notice);
    }

    /**
     * Delivers a notice to all listeners of its class at this node.
     *
     * @return done when all of them have received it and have finished {@link #onChange} handlers; fails when one failed
     */
    public Future<Void> publishConfirmed(Notice notice) {
        var confirmations = endpoints.all(addressOf(notice.getClass())).stream()
                .map(listening -> {
                    var promise = Promise.<Void>promise();
                    deliver(listening, new ConfirmedNotice(notice, promise));
                    return promise.future();
                })
                .toList();
        return Future.join(confirmations).mapEmpty();
    }

    /**
     * Sets the consumer of notices for other nodes.
     *
     * @param watched topics that other nodes watch; called on any thread
     */
    public void toOthers(Consumer<ClusterNotice> taker, Supplier<Set<String>> watched) {
        toOthers = taker;
        watchedElsewhere = watched;
    }

    /** Known topics that other nodes watch; nearly always none. */
    public Set<String> watchedElsewhere() {
        return watchedElsewhere.get();
    }

    public void publish(String endpoint, Notice notice) {
        endpoints.all(endpoint).forEach(listening -> deliver(listening, notice));
    }

    public void tell(String endpoint, Notice notice) {
        var told = endpoints.one(endpoint);
        if (told != null) {
            deliver(told, notice);
        }
    }

    public <R, Q extends BusRequest<R>> OpenEndpoint serve(Class<Q> type, Function<Q, Future<R>> handler) {
        return serveAt(addressOf(type), type, handler);
    }

    /** All requests of an endpoint are of one class. */
    public <R, Q extends BusRequest<R>> OpenEndpoint serveAt(
            String endpoint, Class<Q> type, Function<Q, Future<R>> handler) {
        return open(endpoint, message -> {
            var pending = (PendingRequest) message;
            answer(pending, type.cast(pending.request()), handler);
        });
    }

    public <N extends Notice> OpenEndpoint on(Class<N> type, Consumer<N> handler) {
        return on(addressOf(type), handler);
    }

    public <N extends Notice> OpenEndpoint on(String endpoint, Consumer<N> handler) {
        return listen(endpoint, (N notice) -> {
            handler.accept(notice);
            return Future.succeededFuture();
        });
    }

    /**
     * As {@link #on(Class, Consumer)}, for handlers that take a while: a sender that waits for delivery waits for their
     * result too.
     */
    public <N extends Notice> OpenEndpoint onChange(Class<N> type, Function<N, Future<?>> handler) {
        return listen(addressOf(type), handler);
    }

    @SuppressWarnings("unchecked") // all notices of an endpoint are of one class
    private <N extends Notice> OpenEndpoint listen(String endpoint, Function<N, Future<?>> handler) {
        return open(endpoint, message -> {
            if (message instanceof ConfirmedNotice(var notice, var promise)) {
                Future.succeededFuture()
                        .compose(_ -> handler.apply((N) notice))
                        .<Void>mapEmpty()
                        .onComplete(promise);
            } else {
                var _ = handler.apply((N) message);
            }
        });
    }

    /** Returns true if the endpoint is served on the calling thread. */
    public boolean isServedHere(String endpoint) {
        return endpoints.all(endpoint).stream().anyMatch(Endpoint::isHere);
    }

    private OpenEndpoint open(String address, Consumer<Object> handler) {
        var context = vertx.getOrCreateContext();
        var endpoint = new Endpoint(address + '#' + opened.incrementAndGet(), context);
        var consumer = eventBus.<Object>consumer(new MessageConsumerOptions()
                        .setAddress(endpoint.address())
                        .setLocalOnly(true)
                        .setMaxBufferedMessages(BUFFERED_MESSAGES_MAX))
                .handler(message -> handler.accept(message.body()));
        endpoints.add(address, endpoint);
        Closeable withVerticle = done -> {
            endpoints.remove(address, endpoint);
            done.succeed();
        };
        context.addCloseHook(withVerticle);
        return () -> {
            context.removeCloseHook(withVerticle);
            endpoints.remove(address, endpoint);
            var _ = consumer.unregister();
        };
    }

    private void deliver(Endpoint endpoint, Object message) {
        eventBus.send(endpoint.address(), message, BY_REFERENCE);
    }

    private static <R, Q extends BusRequest<R>> void answer(
            PendingRequest pending, Q request, Function<Q, Future<R>> handler) {
        Future<R> future;
        try {
            future = handler.apply(request);
        } catch (RuntimeException | StackOverflowError thrown) {
            future = Future.failedFuture(thrown);
        }
        future.onComplete(pending::answer);
    }

    /** Returns true if a request of this class was not answered in time, or had no endpoint. */
    public static boolean isUnanswered(Throwable failure, Class<? extends BusRequest<?>> type) {
        return failure instanceof ApiException refused
                && ApiException.isUnavailable(refused)
                && refused.params() != null
                && refused.params().path(UNANSWERED).asText().equals(type.getSimpleName());
    }

    /** The failure of a request whose deadline has passed; its endpoint may have performed it, or may do so later. */
    static ApiException unanswered(BusRequest<?> request) {
        return unanswered(ErrorCode.OUTCOME_UNKNOWN, request);
    }

    private static ApiException unanswered(ErrorCode code, BusRequest<?> request) {
        var name = request.getClass().getSimpleName();
        return ApiException.of(
                code,
                Json.object().put("message", "no reply in time to " + name).put(UNANSWERED, name));
    }

    private static String addressOf(Class<?> type) {
        return type.getName();
    }
}
