package io.millrace.base.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import java.util.function.Consumer;

/** Texts over a web socket. Whoever sends bytes has another protocol in mind, and is dropped. */
final class WebTextSocket extends TextSocket {
    private final ServerWebSocket socket;

    WebTextSocket(Vertx vertx, ServerWebSocket socket, Client client) {
        super(vertx, client);
        this.socket = socket;
        socket.setWriteQueueMaxSize(UNREAD_MAX);
        socket.exceptionHandler(_ -> close());
        socket.closeHandler(_ -> closed());
    }

    @Override
    public void onText(Consumer<String> listener) {
        socket.textMessageHandler(listener::accept);
        socket.binaryMessageHandler(_ -> close());
    }

    @Override
    boolean carry(String text) {
        // The close handler may be called later than the socket is closed.
        if (socket.isClosed() || socket.writeQueueFull()) {
            return false;
        }
        var _ = socket.writeTextMessage(text);
        return true;
    }

    @Override
    void end() {
        var _ = socket.close();
    }
}
