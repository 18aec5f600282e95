package io.millrace.integration.live;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.PolledSocket;
import io.millrace.base.http.Reply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.journal.RunProgressHub;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * The channel's path: a web socket, or requests that fetch and bring packets for clients that begin so. Who may hear what
 * is asked when a client connects, not by the routes.
 */
public final class LiveRoutes implements RouteGroup {
    private static final String PATH = "/socket.io";
    private static final String PACKETS = "text/plain; charset=UTF-8";

    /** Stands between the packets of one body. */
    private static final String SEPARATOR = "\u001e";

    /** Why a request is refused, in the numbers of Engine.IO. */
    private enum Refusal {
        UNKNOWN_TRANSPORT(0, "Transport unknown"),
        UNKNOWN_SESSION(1, "Session ID unknown"),
        BAD_HANDSHAKE(2, "Bad handshake method"),
        BAD_REQUEST(3, "Bad request"),
        UNSUPPORTED_VERSION(5, "Unsupported protocol version");

        private final int code;
        private final String message;

        Refusal(int code, String message) {
            this.code = code;
            this.message = message;
        }
    }

    private final Bus bus;
    private final RunProgressHub watch;
    private final Editors editors;
    private final PolledClients clients;

    public LiveRoutes(Bus bus, RunProgressHub watch, Editors editors, PolledClients clients) {
        this.bus = bus;
        this.watch = watch;
        this.editors = editors;
        this.clients = clients;
    }

    @Override
    public void mount(Routes routes) {
        routes.socket(
                PATH, socket -> ChannelSession.meet(bus, watch, editors, socket), context -> poll(routes, context));
        routes.rawWithBody(
                HttpMethod.POST,
                PATH,
                _ -> Future.failedFuture(ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request body is too large")),
                this::bring);
    }

    private void poll(Routes routes, RoutingContext context) {
        var query = context.queryParams();
        if (!"polling".equals(query.get("transport"))) {
            refuse(context, Refusal.UNKNOWN_TRANSPORT);
        } else if (!"4".equals(query.get("EIO"))) {
            refuse(context, Refusal.UNSUPPORTED_VERSION);
        } else if (!context.request().method().equals(HttpMethod.GET)) {
            refuse(context, Refusal.BAD_HANDSHAKE);
        } else if (query.contains("sid")) {
            clients.find(query.get("sid"))
                    .ifPresentOrElse(socket -> fetch(context, socket), () -> refuse(context, Refusal.UNKNOWN_SESSION));
        } else {
            fetch(context, meet(routes.polled(context)));
        }
    }

    private PolledSocket meet(PolledSocket socket) {
        clients.keep(ChannelSession.meet(bus, watch, editors, socket), socket);
        return socket;
    }

    private static void fetch(RoutingContext context, PolledSocket socket) {
        var fetched = socket.fetch();
        context.response().closeHandler(_ -> socket.abandon(fetched));
        fetched.onSuccess(packets -> {
            var words = packets.isEmpty() ? List.of(Packet.close()) : packets;
            Routes.send(context, Reply.of(200, PACKETS, String.join(SEPARATOR, words)));
        });
    }

    private void bring(RoutingContext context) {
        var socket = clients.find(context.queryParams().get("sid"));
        var body = Routes.body(context);
        if (socket.isEmpty()) {
            refuse(context, Refusal.UNKNOWN_SESSION);
        } else if (body.length() == 0 || body.length() > ChannelSession.BYTES_MAX) {
            refuse(context, Refusal.BAD_REQUEST);
        } else {
            socket.get().bring(List.of(body.toString().split(SEPARATOR, -1)));
            Routes.send(context, Reply.of(200, "text/html", "ok"));
        }
    }

    private static void refuse(RoutingContext context, Refusal refusal) {
        Routes.send(
                context, Reply.json(400, Json.object().put("code", refusal.code).put("message", refusal.message)));
    }
}
