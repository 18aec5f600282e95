package io.millrace.base.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;

/**
 * Writes a large answer to a connection in slices, as fast as it is read: a write copies its bytes out of the heap at once,
 * and a caller that does not read would hold both copies. Next to the socket in the pipeline, so it sees bytes only.
 */
final class AnswerSlices extends ChannelDuplexHandler {
    private static final int SLICE_BYTES = 64 * 1024;

    private final AnswerBudget budget;
    private final ArrayDeque<PendingWrite> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean handing;

    private record PendingWrite(Object message, ChannelPromise promise) {}

    AnswerSlices(AnswerBudget budget) {
        this.budget = budget;
    }

    static boolean isLarge(int bytes) {
        return bytes > SLICE_BYTES;
    }

    /** Bytes that the connection has not been handed yet. */
    long waitingBytes() {
        return waitingBytes;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (waiting.isEmpty() && !isLarge(bytes(message))) {
            var _ = context.write(message, promise);
            return;
        }
        waiting.add(new PendingWrite(message, promise));
        count(bytes(message));
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        hand(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        hand(context);
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        drop();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        drop();
    }

    /** A flush reports at once that more can be taken, which calls this again. */
    private void hand(ChannelHandlerContext context) {
        if (handing) {
            return;
        }
        handing = true;
        try {
            while (!waiting.isEmpty() && context.channel().isWritable()) {
                handNext(context);
                context.flush();
            }
        } finally {
            handing = false;
        }
    }

    private void handNext(ChannelHandlerContext context) {
        var next = waiting.peek();
        if (next.message() instanceof ByteBuf bytes && isLarge(bytes.readableBytes())) {
            count(-SLICE_BYTES);
            var _ = context.write(bytes.readRetainedSlice(SLICE_BYTES), context.voidPromise());
            return;
        }
        waiting.remove();
        count(-bytes(next.message()));
        var _ = context.write(next.message(), next.promise());
    }

    private void drop() {
        for (var next = waiting.poll(); next != null; next = waiting.poll()) {
            ReferenceCountUtil.release(next.message());
            next.promise().tryFailure(new ClosedChannelException());
        }
        count(-waitingBytes);
    }

    private void count(long bytes) {
        waitingBytes += bytes;
        budget.add(bytes);
    }

    private static int bytes(Object message) {
        return message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
    }
}
