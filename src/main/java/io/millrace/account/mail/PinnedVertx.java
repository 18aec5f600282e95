package io.millrace.account.mail;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Lends the mail client a network in which a host has one address: that which was checked. The mail client knows names
 * only and would ask the DNS a second time. Name and certificate are still judged by the name. What a server may say is
 * bounded too, because the mail client would collect a line without an end.
 */
final class PinnedVertx {
    private static final long RECEIVED_BYTES_MAX = 1024 * 1024;

    private final Vertx vertx;
    private final InetAddress address;
    private NetClient network;

    PinnedVertx(Vertx vertx, InetAddress address) {
        this.vertx = vertx;
        this.address = address;
    }

    /** The view that the mail client is given. */
    Vertx view() {
        return view(
                Vertx.class,
                (_, method, arguments) -> method.getName().equals("createNetClient")
                        ? network((NetClientOptions) arguments[0])
                        : invoked(vertx, method, arguments));
    }

    /** Breaks every connection off. */
    void close() {
        if (network != null) {
            network.close();
        }
    }

    private NetClient network(NetClientOptions options) {
        network = vertx.createNetClient(options);
        return view(
                NetClient.class,
                (_, method, arguments) -> method.getName().equals("connect")
                        ? connect((int) arguments[0], (String) arguments[1])
                        : invoked(network, method, arguments));
    }

    private Future<NetSocket> connect(int port, String host) throws UnknownHostException {
        var named = InetAddress.getByAddress(host, address.getAddress());
        return network.connect(SocketAddress.inetSocketAddress(new InetSocketAddress(named, port)))
                .map(socket -> {
                    ((NetSocketInternal) socket)
                            .channelHandlerContext()
                            .pipeline()
                            .addFirst(new Bound());
                    return socket;
                });
    }

    /** Ends the connection of a server that says too much. */
    private static final class Bound extends ChannelInboundHandlerAdapter {
        private long received;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (message instanceof ByteBuf bytes) {
                received += bytes.readableBytes();
            }
            if (received > RECEIVED_BYTES_MAX) {
                ReferenceCountUtil.release(message);
                var _ = context.close();
                return;
            }
            super.channelRead(context, message);
        }
    }

    private static <T> T view(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(PinnedVertx.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoked(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
