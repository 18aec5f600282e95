package io.millrace.piece.builtin.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.LocalServer;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Base class of tests of the HTTP action against a server on this host. */
@ExtendWith(VertxExtension.class)
abstract class HttpPieceCalls {
    Vertx vertx;
    HttpPiece piece;

    @BeforeEach
    void open(Vertx running) {
        vertx = running;
        var limits = new OutboundLimits(60_000, 60_000, 1024 * 1024, 8, 100);
        piece = new HttpPiece(new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), limits));
    }

    Future<JsonNode> send(HttpStep step) {
        return piece.actions().get("send_request").run(step);
    }

    JsonNode run(HttpStep step) {
        return LocalServer.result(send(step));
    }

    LocalServer answering(int status, String contentType, Buffer body) {
        return LocalServer.start(
                vertx,
                request -> request.response()
                        .setStatusCode(status)
                        .putHeader("Content-Type", contentType)
                        .end(body));
    }
}
