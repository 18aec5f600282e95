package io.millrace.base.http;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A connection over which texts go both ways. A reader that does not keep up is dropped; whoever sends is never held up.
 * Stays on the event loop on which it began.
 */
public abstract sealed class TextSocket permits WebTextSocket, PolledSocket {
    /** A reader that has not read so much is slow, and gets nothing more. One text may be longer. */
    static final int UNREAD_MAX = 4 << 20;

    private final Vertx vertx;
    private final Client client;
    private final List<Runnable> whenClosed = new ArrayList<>(2);
    private Runnable whenKnown = () -> {};
    private Runnable leave = () -> {};
    private boolean closed;

    /**
     * The other side.
     *
     * @param address where it is
     * @param session token of the page's session; empty when another's page opened the socket, or none
     */
    record Client(String address, String session) {
        @Override
        public String toString() {
            return "Client[" + address + "]";
        }
    }

    TextSocket(Vertx vertx, Client client) {
        this.vertx = vertx;
        this.client = client;
    }

    /** Where the other side is. */
    public String clientAddress() {
        return client.address();
    }

    /** Token of the session of the page that opened the socket; empty when it is not ours, or has none. */
    public String session() {
        return client.session();
    }

    /** Hears every text that comes. */
    public abstract void onText(Consumer<String> listener);

    /** Does something once it is known who is on the other side. */
    void whenKnown(Runnable action) {
        whenKnown = action;
    }

    /** Says that it is known who is on the other side: until then the socket may be closed in favour of another. */
    public void known() {
        whenKnown.run();
    }

    /** How the socket gives up its place among the open ones. */
    void inPlace(Runnable giveUp) {
        leave = giveUp;
        whenClosed(giveUp);
    }

    /** Gives up its place for the socket that stands in for it. */
    void leavePlace() {
        leave.run();
    }

    /** Does something once the socket is closed, by whomever. */
    public void whenClosed(Runnable action) {
        if (closed) {
            action.run();
        } else {
            whenClosed.add(action);
        }
    }

    /** Does something again and again until the socket is closed. */
    public void every(long intervalMs, Runnable action) {
        var timer = vertx.setPeriodic(intervalMs, _ -> action.run());
        whenClosed(() -> vertx.cancelTimer(timer));
    }

    /** Sends a text. */
    public void send(String text) {
        if (closed) {
            return;
        }
        if (!carry(text)) {
            close();
        }
    }

    /** Takes a text for the other side; false when that does not keep up. */
    abstract boolean carry(String text);

    /** Ends the connection. */
    public void close() {
        if (!closed) {
            end();
            closed();
        }
    }

    /** Lets go of the other side. */
    abstract void end();

    boolean isClosed() {
        return closed;
    }

    /** The other side has gone, or is let go. */
    void closed() {
        if (!closed) {
            closed = true;
            whenClosed.forEach(Runnable::run);
            whenClosed.clear();
        }
    }
}
