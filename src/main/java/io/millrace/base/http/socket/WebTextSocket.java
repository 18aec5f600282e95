package io.millrace.base.http.socket;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.memory.JsonWeight;
import io.millrace.base.http.body.BodyBudget;
import io.millrace.base.http.body.BodyBytes;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.time.Duration;

/**
 * Texts over a web socket. A client that sends binary messages is disconnected. A text is collected within the memory budget
 * of request bodies, and reading is paused while a long one is parsed.
 */
final class WebTextSocket extends TextSocket {
    private static final short NORMAL = 1000;
    private static final short TOO_BIG = 1009;
    private static final short TRY_AGAIN_LATER = 1013;

    /** Each byte is collected, and copied once into the whole. */
    private static final int COPIES = 2;

    private static final long LOOK_MS = 1_000;
    private static final long NONE = -1;

    private final Vertx vertx;
    private final ChannelHandlerContext link;
    private final ServerWebSocket socket;
    private final MessageLimits limits;
    private final BodyBudget.Permit permit;
    private BodyBytes arriving = new BodyBytes(0);
    private long taken;
    private long begunNanos;
    private long timer = NONE;

    /** @param link to the connection of the socket, without handlers of Vert.x between: they close it in order */
    WebTextSocket(
            Vertx vertx, ChannelHandlerContext link, ServerWebSocket socket, Client client, MessageLimits limits) {
        super(vertx, client);
        this.vertx = vertx;
        this.link = link;
        this.socket = socket;
        this.limits = limits;
        this.permit = limits.budget().permit();
        socket.setWriteQueueMaxSize(UNREAD_MAX);
        socket.exceptionHandler(_ -> close());
        socket.closeHandler(_ -> closed());
        socket.frameHandler(this::take);
        whenClosed(this::forget);
    }

    private void take(WebSocketFrame frame) {
        if (isClosed()) {
            return;
        }
        if (frame.isBinary()) {
            close();
        } else if (frame.isText() || frame.isContinuation()) {
            collect(frame);
        }
    }

    private void collect(WebSocketFrame frame) {
        var data = frame.binaryData();
        if (arriving.length() + data.length() > (isKnown() ? limits.bytesMax() : limits.unknownBytesMax())) {
            drop(TOO_BIG);
            return;
        }
        try {
            charge((long) COPIES * data.length());
        } catch (ApiException refused) {
            drop(refused.code() == ErrorCode.TOO_MANY_REQUESTS ? TRY_AGAIN_LATER : TOO_BIG);
            return;
        }
        arriving.append(data);
        if (frame.isFinal()) {
            receiveWhole();
        } else if (timer == NONE) {
            begunNanos = System.nanoTime();
            timer = vertx.setPeriodic(LOOK_MS, _ -> look());
        }
    }

    private void charge(long bytes) {
        permit.take(bytes);
        taken += bytes;
    }

    private void receiveWhole() {
        stopLooking();
        var text = arriving.take();
        if (isLong(text)) {
            socket.pause();
            receive(text, () -> charge(JsonWeight.of(text)))
                    .onSuccess(_ -> settle())
                    .onFailure(_ -> drop(TRY_AGAIN_LATER))
                    .onComplete(_ -> socket.resume());
        } else {
            receive(text);
            settle();
        }
    }

    private void settle() {
        permit.give(taken);
        taken = 0;
    }

    private void look() {
        if (limits.isTooSlow(arriving.length(), Duration.ofNanos(System.nanoTime() - begunNanos))) {
            close();
        }
    }

    private void stopLooking() {
        vertx.cancelTimer(timer);
        timer = NONE;
    }

    private void forget() {
        stopLooking();
        arriving = new BodyBytes(0);
        permit.free();
    }

    private void drop(short why) {
        if (!isClosed()) {
            end(why);
            closed();
        }
    }

    /** Drops the connection of a client that does not read: a close frame would wait until everything before it is read. */
    private void end(short why) {
        if (!socket.isClosed() && socket.writeQueueFull()) {
            var _ = link.close();
        } else {
            var _ = socket.close(why);
        }
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
        end(NORMAL);
    }
}
