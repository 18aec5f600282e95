package io.millrace.base.http.socket;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A bidirectional connection for texts. A client that does not keep up is disconnected; sending never blocks. Confined to the
 * event loop on which it began.
 */
public abstract sealed class TextSocket permits WebTextSocket, PolledSocket {
    /** Unread bytes after which a client is too slow and gets no more texts. One text may be longer. */
    static final int UNREAD_MAX = 4 << 20;

    /** 1 MB takes about 10 ms to be parsed. */
    private static final int READ_IN_PLACE_BYTES_MAX = 256 * 1024;

    private final Vertx vertx;
    private final Client client;
    private final List<Runnable> whenClosed = new ArrayList<>(2);
    private Runnable whenKnown = () -> {};
    private Runnable leave = () -> {};

    /** True if the client is authenticated; read on any event loop. */
    private volatile boolean known;

    private Receiver<?> receiver = new Receiver<>(Function.identity(), _ -> Future.succeededFuture());
    private boolean closed;

    /**
     * The client.
     *
     * @param address its address
     * @param session token of the page's session; empty if another origin or no page opened the socket
     */
    public record Client(String address, String session) {
        @Override
        public String toString() {
            return "Client[" + address + "]";
        }
    }

    TextSocket(Vertx vertx, Client client) {
        this.vertx = vertx;
        this.client = client;
    }

    public String clientAddress() {
        return client.address();
    }

    public String session() {
        return client.session();
    }

    /**
     * Sets the listener of incoming texts, which gets them in order.
     *
     * @param reader parses the UTF-8 of a text; a long one on a worker thread
     */
    public <T> void onText(Function<byte[], T> reader, Consumer<T> listener) {
        receiver = new Receiver<T>(reader, read -> {
            listener.accept(read);
            return Future.succeededFuture();
        });
    }

    /** Passes every text on unparsed; after a long one the next follows when that has been taken. */
    public void passOn(Function<byte[], Future<Void>> taker) {
        receiver = new Receiver<>(Function.identity(), taker);
    }

    private record Receiver<T>(Function<byte[], T> reader, Function<T, Future<Void>> listener) {
        private void receive(byte[] text) {
            var _ = listener.apply(reader.apply(text));
        }

        private Future<Void> receive(byte[] text, TextSocket socket, Runnable before) {
            return socket.vertx
                    .executeBlocking(
                            () -> {
                                before.run();
                                return reader.apply(text);
                            },
                            false)
                    .compose(read -> socket.isClosed() ? Future.succeededFuture() : listener.apply(read));
        }
    }

    /** Returns true if parsing a text may block an event loop for too long. */
    static boolean isLong(byte[] text) {
        return text.length > READ_IN_PLACE_BYTES_MAX;
    }

    void receive(byte[] text) {
        receiver.receive(text);
    }

    /**
     * Processes a long text; the next one may be processed when this is done.
     *
     * @param before action on the worker before the text is read
     */
    Future<Void> receive(byte[] text, Runnable before) {
        return receiver.receive(text, this, before);
    }

    void whenKnown(Runnable action) {
        whenKnown = action;
    }

    /** Marks the client as authenticated: until then the socket may be closed in favor of another. */
    public void known() {
        known = true;
        whenKnown.run();
    }

    /** Sets the action that releases the socket's place among the open ones. */
    void inPlace(Runnable giveUp) {
        leave = giveUp;
        whenClosed(giveUp);
    }

    void leavePlace() {
        leave.run();
    }

    /** Callable on any event loop. */
    public boolean isKnown() {
        return known;
    }

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

    public void close() {
        if (!closed) {
            end();
            closed();
        }
    }

    abstract void end();

    boolean isClosed() {
        return closed;
    }

    /** Called when the connection is closed by either side. */
    void closed() {
        if (!closed) {
            closed = true;
            whenClosed.forEach(Runnable::run);
            whenClosed.clear();
        }
    }
}
