package io.millrace.base.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;

/** Carries texts by the event bus of a clustered Vert.x. */
public final class EventBusLink implements ClusterLink {
    private static final String ADDRESS = "millrace.cluster";

    private final Vertx vertx;
    private MessageConsumer<String> consumer;

    public EventBusLink(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public Future<Void> open(Consumer<String> received) {
        consumer = vertx.eventBus().consumer(ADDRESS, message -> received.accept(message.body()));
        return consumer.completion();
    }

    @Override
    public Future<Void> send(String text) {
        vertx.eventBus().publish(ADDRESS, text);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        return consumer == null ? Future.succeededFuture() : consumer.unregister();
    }
}
