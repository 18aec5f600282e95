package io.millrace.base.persistence;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.pubsub.PgSubscriber;
import java.util.function.Consumer;

/**
 * Subscription to one channel of PostgreSQL's notifications, on a dedicated connection that is reopened whenever it is lost.
 * Notifications sent meanwhile are lost.
 */
public final class DatabaseNotifications {
    private static final long AGAIN_MS = 500;

    private final PgSubscriber subscriber;
    private final String channel;
    private final Consumer<String> received;

    DatabaseNotifications(Vertx vertx, PgConnectOptions options, String channel, Consumer<String> received) {
        this.subscriber = PgSubscriber.subscriber(vertx, options).reconnectPolicy(_ -> AGAIN_MS);
        this.channel = channel;
        this.received = received;
    }

    /** Done when all later notifications will be received. */
    public Future<Void> open() {
        subscriber.channel(channel).handler(received::accept);
        return subscriber.connect();
    }

    public Future<Void> close() {
        return subscriber.close();
    }
}
