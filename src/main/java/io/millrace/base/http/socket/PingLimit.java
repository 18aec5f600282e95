package io.millrace.base.http.socket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;

/**
 * Drops the connection of a client that sends pings and does not read the pongs. Vert.x answers each ping, and queues the
 * pongs without a bound. Placed after the decoder of a web socket in the pipeline.
 */
final class PingLimit extends ChannelInboundHandlerAdapter {
    private final int unreadMax;

    /** Pings that arrived while data waited to be written. */
    private int unread;

    PingLimit(int unreadMax) {
        this.unreadMax = unreadMax;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof PingWebSocketFrame ping && isTooMany(context)) {
            ping.release();
            var _ = context.close();
            return;
        }
        context.fireChannelRead(message);
    }

    private boolean isTooMany(ChannelHandlerContext context) {
        var outbound = context.channel().unsafe().outboundBuffer();
        if (outbound != null && outbound.totalPendingWriteBytes() == 0) {
            unread = 0;
        }
        unread++;
        return unread > unreadMax;
    }
}
