package io.millrace.base.cluster;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.DatabaseNotifications;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries texts by notifications of PostgreSQL; a longer text is stored in a table for its readers. */
public final class NotificationLink implements ClusterLink {
    private static final Logger LOG = LoggerFactory.getLogger(NotificationLink.class);

    private static final String CHANNEL = "millrace_cluster";

    /** PostgreSQL takes less than 8000 bytes. */
    private static final int PAYLOAD_BYTES_MAX = 7_900;

    private static final String TEXT = "=";
    private static final String STORED = "#";

    /** Heartbeat that shows that notifications arrive; its sender receives it too. */
    private static final String SIGN = "!";

    private final Database database;
    private final ClusterStore store = new ClusterStore();
    private DatabaseNotifications notifications;
    private boolean hasReceived = true;

    /** Messages are delivered in the order in which they were sent, though one may have to be read from the database first. */
    private Future<Optional<String>> last = Future.succeededFuture(Optional.empty());

    private Consumer<String> received = _ -> {};

    /** @param database over a connection that is used only here */
    public NotificationLink(Database database) {
        this.database = database;
    }

    @Override
    public Future<Void> open(Consumer<String> taker) {
        received = taker;
        notifications = database.notifications(CHANNEL, this::take);
        return notifications.open();
    }

    @Override
    public Future<Void> send(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length < PAYLOAD_BYTES_MAX
                ? database.read(tx -> store.notify(tx, CHANNEL, TEXT + text))
                : database.inTransaction(
                        tx -> store.insertMessage(tx, text).compose(id -> store.notify(tx, CHANNEL, STORED + id)));
    }

    /** A connection may be dead without an error: a node that does not receive its own heartbeat listens again. */
    @Override
    public Future<Void> check() {
        var reopened = hasReceived
                ? Future.<Void>succeededFuture()
                : notifications.close().transform(_ -> open(received));
        hasReceived = false;
        return reopened.compose(_ -> database.read(tx -> store.notify(tx, CHANNEL, SIGN)));
    }

    @Override
    public Future<Void> close() {
        return notifications == null ? Future.succeededFuture() : notifications.close();
    }

    private void take(String payload) {
        hasReceived = true;
        if (payload.equals(SIGN)) {
            return;
        }
        last = last.transform(_ -> textOf(payload))
                .onSuccess(text -> text.ifPresent(received))
                .onFailure(cause -> LOG.warn("lost a message of another node: {}", cause.getMessage()));
    }

    private Future<Optional<String>> textOf(String payload) {
        return payload.startsWith(TEXT)
                ? Future.succeededFuture(Optional.of(payload.substring(TEXT.length())))
                : database.read(tx -> store.message(tx, Long.parseLong(payload.substring(STORED.length()))));
    }
}
