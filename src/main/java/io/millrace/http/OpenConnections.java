package io.millrace.http;

import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Streams and sockets that one HTTP verticle holds open: counted, bounded, and ended when the server stops. */
final class OpenConnections {
    /** Each holds a connection and a timer. */
    private static final int COUNT_MAX = 1_000;

    private final Set<EventStream> streams = new HashSet<>();
    private final Set<TextSocket> sockets = new HashSet<>();

    /** Opens a stream; refused as TOO_MANY_REQUESTS when too many are open. */
    EventStream stream(RoutingContext context) {
        if (streams.size() >= COUNT_MAX) {
            throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many streams are open");
        }
        var stream = new EventStream(context);
        streams.add(stream);
        stream.whenClosed(() -> streams.remove(stream));
        stream.open();
        return stream;
    }

    /** Refuses another socket as TOO_MANY_REQUESTS when too many are open. */
    void checkSockets() {
        if (sockets.size() >= COUNT_MAX) {
            throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many sockets are open");
        }
    }

    <S extends TextSocket> S held(S socket) {
        sockets.add(socket);
        socket.whenClosed(() -> sockets.remove(socket));
        return socket;
    }

    void end() {
        List.copyOf(streams).forEach(EventStream::end);
        List.copyOf(sockets).forEach(TextSocket::close);
    }
}
