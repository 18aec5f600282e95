package io.millrace.base.http.server;

import static io.millrace.support.Waiting.await;

import io.millrace.base.access.Access;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.socket.EventStream;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The connection of a stream that has ended with an unread last event is closed after 30 s. */
@Slow(Slow.Reason.DURATION)
final class UnreadLastEventTest {
    private static final Map<String, String> SETTINGS =
            Map.of("AP_HTTP_CONNECTIONS_MAX", "1", "AP_HTTP_BODY_TIMEOUT_SECONDS", "3600");

    private final Promise<Void> ended = Promise.promise();

    private final RouteGroup routes = routes -> {
        routes.get(
                "/v1/echo", Access.everybody(), _ -> "", (_, _) -> Future.succeededFuture(ApiReply.ok(Json.object())));
        routes.events("/v1/events", Access.everybody(), _ -> "", (call, _, stream) -> {
            stream.whenClosed(ended::complete);
            fill(call.context().vertx(), stream);
        });
    };

    private static void fill(Vertx vertx, EventStream stream) {
        if (stream.isBehind()) {
            stream.end("last", Json.object());
        } else {
            stream.send(Buffer.buffer("data: " + "x".repeat(32 * 1024) + "\n\n"));
            vertx.runOnContext(_ -> fill(vertx, stream));
        }
    }

    @Test
    void dropsTheConnection_whenTheLastEventIsNotRead() {
        try (var server = new VerticleBench(SETTINGS, routes);
                var unread = server.reluctant()) {
            unread.send("GET /api/v1/events HTTP/1.1\nHost: h\n\n");
            await(ended.future());

            Waiting.until("its place is free", () -> server.isAnswered("/v1/echo"));
        }
    }
}
