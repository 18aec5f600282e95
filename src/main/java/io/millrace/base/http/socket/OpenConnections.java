package io.millrace.base.http.socket;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.MultiMap;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Streams and sockets that one HTTP verticle holds open: counted, bounded, and closed when the server stops. Sockets of
 * unauthenticated clients have a separate limit, beyond which the oldest of them is closed.
 */
public final class OpenConnections {
    /** Each holds a connection and a timer. */
    private static final int COUNT_MAX = 1_000;

    private final int streamsMax;
    private final int unknownMax;
    private final MessageLimits messages;
    private final Consumer<RoutingContext> whenUpgraded;
    private final Set<EventStream> streams = new HashSet<>();
    private final Set<TextSocket> sockets = new HashSet<>();

    /** The oldest first. */
    private final Set<TextSocket> unknown = new LinkedHashSet<>();

    /**
     * @param listenersMax event streams of projects, which have a limit of their own, in addition to other streams
     * @param unknownMax sockets whose clients are not yet known
     * @param messages limits of messages of sockets
     * @param whenUpgraded called for a request whose connection has become a socket: Vert.x never calls its end handlers
     */
    public OpenConnections(
            int listenersMax, int unknownMax, MessageLimits messages, Consumer<RoutingContext> whenUpgraded) {
        this.streamsMax = COUNT_MAX + listenersMax;
        this.unknownMax = unknownMax;
        this.messages = messages;
        this.whenUpgraded = whenUpgraded;
    }

    public MessageLimits messages() {
        return messages;
    }

    /** Refused as TOO_MANY_REQUESTS when too many are open. */
    public EventStream stream(RoutingContext context) {
        if (streams.size() >= streamsMax) {
            throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many streams are open");
        }
        var stream = new EventStream(context);
        streams.add(stream);
        stream.whenClosed(() -> streams.remove(stream));
        stream.open();
        return stream;
    }

    /** Refuses another socket as TOO_MANY_REQUESTS when too many are open. */
    public void checkSockets() {
        if (sockets.size() >= COUNT_MAX) {
            throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many sockets are open");
        }
    }

    /**
     * Upgrades the connection of a request to a web socket, whose client is not authenticated yet.
     *
     * @param begin takes the socket, and the query of the request
     */
    public void upgrade(RoutingContext context, TextSocket.Client client, BiConsumer<TextSocket, MultiMap> begin) {
        checkSockets();
        var query = context.queryParams();
        // Before the upgrade: all data after it is frames.
        var splitter = new FrameSplitter();
        var pings = new PingLimit(messages.unreadPongsMax());
        var handler = ((HttpServerConnection) context.request().connection()).channelHandlerContext();
        var frames = handler.pipeline().addFirst(splitter).addBefore(handler.name(), null, pings);
        context.request()
                .toWebSocket()
                .onSuccess(upgraded -> begin.accept(
                        upgraded(
                                context,
                                new WebTextSocket(
                                        context.vertx(), frames.context(splitter), upgraded, client, messages)),
                        query))
                .onFailure(refused -> {
                    frames.remove(splitter);
                    frames.remove(pings);
                    context.fail(400, refused);
                });
    }

    private <S extends TextSocket> S upgraded(RoutingContext context, S socket) {
        whenUpgraded.accept(context);
        return held(socket);
    }

    /** Admits a socket whose client is not authenticated yet. */
    public <S extends TextSocket> S held(S socket) {
        unknown.add(socket);
        socket.whenKnown(() -> admit(socket));
        socket.inPlace(() -> {
            unknown.remove(socket);
            sockets.remove(socket);
        });
        if (unknown.size() > unknownMax) {
            unknown.iterator().next().close();
        }
        return socket;
    }

    private void admit(TextSocket socket) {
        if (unknown.remove(socket)) {
            sockets.add(socket);
        }
        if (sockets.size() > COUNT_MAX) {
            socket.close();
        }
    }

    public void end() {
        List.copyOf(streams).forEach(EventStream::breakOff);
        List.copyOf(unknown).forEach(TextSocket::close);
        List.copyOf(sockets).forEach(TextSocket::close);
    }
}
