package io.millrace.base.http.server;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Progress of one connection with its request and its answer, as seen in its pipeline after the HTTP decoder. Time that the
 * server itself takes never counts as late: a call that waits, a stream of events, a web socket.
 */
final class ConnectionProgress extends ChannelDuplexHandler {
    /**
     * @param headerNanos time limit for complete headers
     * @param transferNanos time limit of a body or an answer; after it the least rate applies
     */
    record Deadlines(long headerNanos, long transferNanos, long bytesPerSecondMin) {
        boolean isMissed(long elapsedNanos, long bytes) {
            return elapsedNanos > transferNanos
                    && bytes < TimeUnit.NANOSECONDS.toSeconds(elapsedNanos - transferNanos) * bytesPerSecondMin;
        }
    }

    private enum Stage {
        /** Accepted, or a request has begun to arrive; its headers are incomplete. */
        HEADERS,
        /** Headers are complete, the body is not. */
        BODY,
        /** The request is complete; the server processes it. */
        ANSWER,
        /** Answered, without a byte of another request: the idle timeout applies. */
        IDLE,
        UPGRADED
    }

    private final Deadlines deadlines;
    private final LongSupplier nanoTime;
    private final LongSupplier waitingBytes;
    private ChannelHandlerContext context;
    private Stage stage = Stage.HEADERS;
    private long sinceNanos;
    private long arrivedBytes;
    private boolean decoded;
    private boolean answered;

    /** Time since which data waits to be written; 0 for none. */
    private long unreadSinceNanos;

    private long unreadBytes;
    private long writtenOfFirst;
    private long leftBytes;

    /** @param waitingBytes of answers that are written, and that the connection has not been handed yet */
    ConnectionProgress(Deadlines deadlines, LongSupplier nanoTime, LongSupplier waitingBytes) {
        this.deadlines = deadlines;
        this.nanoTime = nanoTime;
        this.waitingBytes = waitingBytes;
        this.sinceNanos = nanoTime.getAsLong();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext read, Object message) {
        decoded = true;
        if (message instanceof HttpRequest) {
            answered = false;
            enter(Stage.BODY);
        }
        if (message instanceof HttpContent content && stage == Stage.BODY) {
            arrivedBytes += content.content().readableBytes();
            if (message instanceof LastHttpContent) {
                stage = answered ? Stage.IDLE : Stage.ANSWER;
            }
        }
        read.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext read) {
        // Bytes have arrived that the decoder has not turned into a request yet: the beginning of a head.
        if (!decoded && stage == Stage.IDLE) {
            enter(Stage.HEADERS);
        }
        decoded = false;
        read.fireChannelReadComplete();
    }

    /**
     * Closes a broken connection, which notifies all its waiters. Vert.x would also notify the request that is arriving,
     * which has no response yet while another precedes it, and would log that for each write.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext caught, Throwable cause) {
        if (cause instanceof IOException) {
            var _ = caught.close();
        } else {
            caught.fireExceptionCaught(cause);
        }
    }

    @Override
    public void write(ChannelHandlerContext written, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response) {
            if (response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
                stage = Stage.UPGRADED;
            }
            if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                var _ = written.write(message, promise);
                return;
            }
        }
        if (message instanceof LastHttpContent && stage != Stage.UPGRADED) {
            answered = true;
            if (stage == Stage.ANSWER) {
                stage = Stage.IDLE;
            }
        }
        var _ = written.write(message, promise);
    }

    private void enter(Stage next) {
        stage = next;
        sinceNanos = nanoTime.getAsLong();
        arrivedBytes = 0;
    }

    Optional<String> lateness() {
        var nowNanos = nanoTime.getAsLong();
        if (stage == Stage.HEADERS && nowNanos - sinceNanos > deadlines.headerNanos()) {
            return Optional.of("its headers did not arrive before the deadline");
        }
        if (stage == Stage.BODY) {
            if (!context.channel().config().isAutoRead()) {
                // The server does not read: that time is not the sender's.
                sinceNanos = nowNanos;
                arrivedBytes = 0;
            } else if (deadlines.isMissed(nowNanos - sinceNanos, arrivedBytes)) {
                return Optional.of("its body did not arrive before the deadline");
            }
        }
        return isUnread(nowNanos) ? Optional.of("its response was not read before the deadline") : Optional.empty();
    }

    private boolean isUnread(long nowNanos) {
        var outbound = context.channel().unsafe().outboundBuffer();
        var unread = outbound == null ? 0 : outbound.totalPendingWriteBytes() + waitingBytes.getAsLong();
        if (unread == 0) {
            unreadSinceNanos = 0;
            unreadBytes = 0;
            return false;
        }
        var ofFirst = outbound.currentProgress();
        if (unreadSinceNanos == 0) {
            unreadSinceNanos = nowNanos;
            leftBytes = 0;
        } else {
            leftBytes += Math.max(0, unreadBytes - unread) + Math.max(0, ofFirst - writtenOfFirst);
        }
        unreadBytes = unread;
        writtenOfFirst = ofFirst;
        return deadlines.isMissed(nowNanos - unreadSinceNanos, leftBytes);
    }

    /** Drops the connection. Vert.x, which a close of the channel would ask first, waits until all data is read. */
    void close() {
        var _ = context.close();
    }
}
