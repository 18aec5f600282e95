package io.millrace.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A web socket over which texts go both ways. A reader that does not keep up is dropped; whoever sends is never held
 * up. Stays on the event loop of its connection.
 */
public final class TextSocket {
    private static final int UNREAD_BYTES_MAX = 1 << 20;

    private final Vertx vertx;
    private final ServerWebSocket socket;
    private final String clientAddress;
    private final List<Runnable> whenClosed = new ArrayList<>(2);
    private boolean closed;

    TextSocket(Vertx vertx, ServerWebSocket socket, String clientAddress) {
        this.vertx = vertx;
        this.socket = socket;
        this.clientAddress = clientAddress;
        socket.setWriteQueueMaxSize(UNREAD_BYTES_MAX);
        socket.exceptionHandler(_ -> close());
        socket.closeHandler(_ -> closed());
    }

    /** Where the other side is. */
    public String clientAddress() {
        return clientAddress;
    }

    /** Hears every text that comes. Whoever sends bytes has another protocol in mind, and is dropped. */
    public void onText(Consumer<String> listener) {
        socket.textMessageHandler(listener::accept);
        socket.binaryMessageHandler(_ -> close());
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
        if (socket.writeQueueFull()) {
            close();
            return;
        }
        var _ = socket.writeTextMessage(text);
    }

    /** Ends the connection. */
    public void close() {
        if (!closed) {
            var _ = socket.close();
            closed();
        }
    }

    private void closed() {
        if (!closed) {
            closed = true;
            whenClosed.forEach(Runnable::run);
            whenClosed.clear();
        }
    }
}
