package io.millrace.base.http.socket;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.DeepJson;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * A response of server-sent events. A client that does not keep up is disconnected, and may reconnect with the id of the last
 * event that it saw; sending never blocks.
 */
public final class EventStream {
    private static final int UNREAD_BYTES_MAX = 1 << 20;
    private static final long HEARTBEAT_MS = 15_000;

    /** Time in which a client reads the last event of a stream that was ended. */
    private static final long LAST_EVENT_MS = 30_000;

    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final ChannelHandlerContext link;
    private final String lastEventId;
    private final List<Runnable> whenClosed = new ArrayList<>(2);
    private final List<Runnable> onHeartbeat = new ArrayList<>(2);
    private long timer;
    private boolean closed;

    EventStream(RoutingContext context) {
        this.vertx = context.vertx();
        this.response = context.response();
        this.link = ((HttpServerConnection) context.request().connection()).channelHandlerContext();
        var given = context.request().getHeader("Last-Event-ID");
        this.lastEventId = given == null ? "" : given;
    }

    void open() {
        response.setChunked(true)
                .setWriteQueueMaxSize(UNREAD_BYTES_MAX)
                .putHeader("Content-Type", "text/event-stream; charset=utf-8")
                .putHeader("Cache-Control", "no-store")
                // A proxy that collects the answer first would make a stream of it no more.
                .putHeader("X-Accel-Buffering", "no");
        response.closeHandler(_ -> close());
        response.exceptionHandler(_ -> close());
        timer = vertx.setPeriodic(HEARTBEAT_MS, _ -> beat());
        write(HEARTBEAT);
    }

    private void beat() {
        write(HEARTBEAT);
        List.copyOf(onHeartbeat).forEach(Runnable::run);
    }

    /** Id of the last event that the client saw; empty when it names none. */
    public String lastEventId() {
        return lastEventId;
    }

    public void onHeartbeat(Runnable action) {
        onHeartbeat.add(action);
    }

    public void whenClosed(Runnable action) {
        if (closed) {
            action.run();
        } else {
            whenClosed.add(action);
        }
    }

    /** Sends an event that a reader cannot ask for again. */
    public void send(String name, JsonNode data) {
        write(frame(name, data));
    }

    public void send(String name, long id, JsonNode data) {
        write(frame(name, String.valueOf(id), data));
    }

    public static Buffer frame(String name, JsonNode data) {
        return Buffer.buffer("event: " + name + "\ndata: ")
                .appendBytes(DeepJson.bytes(data))
                .appendString("\n\n");
    }

    public static Buffer frame(String name, String id, JsonNode data) {
        return Buffer.buffer("event: " + name + "\nid: " + id + "\ndata: ")
                .appendBytes(DeepJson.bytes(data))
                .appendString("\n\n");
    }

    public void send(Buffer frame) {
        write(frame);
    }

    /** Sets the id that a client names when it reconnects, without an event. */
    public void mark(String id) {
        write(Buffer.buffer("id: " + id + "\n\n"));
    }

    /** Sets the number of bytes that the client may leave unread. */
    public void limitUnread(int bytesMax) {
        if (!closed) {
            response.setWriteQueueMaxSize(bytesMax);
        }
    }

    public boolean isBehind() {
        return !closed && response.writeQueueFull();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Ends the stream with an event that names the reason, also for a client that does not keep up. */
    public void end(String name, JsonNode data) {
        if (closed) {
            return;
        }
        response.write(frame(name, data));
        var ended = response.end();
        close();
        vertx.setTimer(LAST_EVENT_MS, _ -> {
            if (!ended.isComplete()) {
                abort();
            }
        });
    }

    private void write(Buffer text) {
        if (closed) {
            return;
        }
        if (response.writeQueueFull()) {
            abort();
            close();
            return;
        }
        response.write(text);
    }

    /** Drops the connection with all that is unread; a reset of the response, or a close of the channel, would wait for it. */
    private void abort() {
        var _ = link.close();
    }

    public void end() {
        if (!closed) {
            response.end();
            close();
        }
    }

    /**
     * Closes the stream without an end: the client notices that it has not received the last event, and reconnects, at
     * another node or after the restart.
     */
    void breakOff() {
        if (!closed) {
            response.reset();
            close();
        }
    }

    private void close() {
        if (!closed) {
            closed = true;
            vertx.cancelTimer(timer);
            whenClosed.forEach(Runnable::run);
            whenClosed.clear();
        }
    }
}
