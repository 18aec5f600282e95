package io.millrace.integration.live;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.memory.JsonWeight;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.socket.PolledSocket;
import io.millrace.base.http.socket.TextSocket;
import io.millrace.engine.run.journal.RunProgressHub;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Routes of the channel: a web socket, or long-polling for clients that begin with it. Access is checked when a client
 * connects, not by the routes.
 */
public final class LiveRoutes implements RouteGroup {
    private static final String PATH = "/socket.io";
    private static final String PACKETS = "text/plain; charset=UTF-8";

    private static final String SEPARATOR = "\u001e";

    private static final byte SEPARATOR_BYTE = 0x1e;

    private static final int READ_IN_PLACE_BYTES_MAX = 256 * 1024;

    /** Maximum number of packets of one body; a client that was silent for long sends a few. */
    private static final int PACKETS_MAX = 10_000;

    /** Longer than the other node is waited for. */
    private static final long ELSEWHERE_DEADLINE_MS = PolledRelay.DEADLINE_MS + 10_000;

    /** Error codes of Engine.IO for refused requests. */
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
    private final PolledClients clients;

    public LiveRoutes(Bus bus, RunProgressHub watch, PolledClients clients) {
        this.bus = bus;
        this.watch = watch;
        this.clients = clients;
    }

    @Override
    public void mount(Routes routes) {
        routes.socket(PATH, (socket, query) -> begin(routes, socket, query), context -> poll(routes, context));
        routes.rawWithBody(
                HttpMethod.POST, PATH, routes.messageBytesMax(), this::mayBringMuch, context -> bring(routes, context));
    }

    /** Admits a large body only of a connected client at this node: messages between nodes are small. */
    private Future<?> mayBringMuch(RoutingContext context) {
        return clients.find(context.queryParams().get("sid"))
                        .filter(TextSocket::isKnown)
                        .isPresent()
                ? Future.succeededFuture()
                : Future.failedFuture(ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request body is too large"));
    }

    private void begin(Routes routes, TextSocket socket, MultiMap query) {
        if (query.contains("sid")) {
            clients.find(query.get("sid"))
                    .ifPresentOrElse(client -> ChannelUpgrade.begin(client, socket), socket::close);
        } else {
            ChannelSession.meet(bus, watch, socket, clients.newSession(), routes.messageBytesMax());
        }
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
                    .ifPresentOrElse(socket -> fetch(context, socket), () -> fetchElsewhere(context, query.get("sid")));
        } else {
            fetch(context, meet(routes.polled(context), routes.messageBytesMax()));
        }
    }

    private PolledSocket meet(PolledSocket socket, int bytesMax) {
        var session = clients.newSession();
        ChannelSession.meet(bus, watch, socket, session, bytesMax);
        clients.keep(session, socket);
        return socket;
    }

    private static void fetch(RoutingContext context, PolledSocket socket) {
        var fetched = socket.fetch();
        context.response().closeHandler(_ -> socket.abandon(fetched));
        fetched.onSuccess(packets -> give(context, packets));
    }

    private static void give(RoutingContext context, List<String> packets) {
        var words = packets.isEmpty() ? List.of(Packet.close()) : packets;
        ApiReply.of(200, PACKETS, String.join(SEPARATOR, words)).sendTo(context);
    }

    /** A balancer may send each request of a session to another node. */
    private void fetchElsewhere(RoutingContext context, String session) {
        var fetch = new Polling.Fetch(Ids.next(), session);
        context.response().closeHandler(_ -> bus.publish(new Polling.Abandon(fetch.id())));
        bus.ask(fetch, ELSEWHERE_DEADLINE_MS)
                .onSuccess(found -> found.ifPresentOrElse(
                        packets -> give(context, packets), () -> refuse(context, Refusal.UNKNOWN_SESSION)))
                .onFailure(_ -> refuse(context, Refusal.UNKNOWN_SESSION));
    }

    private void bring(Routes routes, RoutingContext context) {
        var session = context.queryParams().get("sid");
        var body = Routes.body(context);
        if (session == null) {
            refuse(context, Refusal.UNKNOWN_SESSION);
            return;
        }
        if (body.length() == 0) {
            refuse(context, Refusal.BAD_REQUEST);
            return;
        }
        texts(routes, context, body.getBytes())
                .onSuccess(texts -> {
                    if (texts.size() > PACKETS_MAX) {
                        refuse(context, Refusal.BAD_REQUEST);
                    } else {
                        bring(context, session, texts);
                    }
                })
                .onFailure(context::fail);
    }

    private void bring(RoutingContext context, String session, List<byte[]> texts) {
        clients.find(session)
                .ifPresentOrElse(
                        socket -> socket.bring(texts).onSuccess(_ -> taken(context)),
                        () -> bringElsewhere(
                                context,
                                session,
                                texts.stream()
                                        .map(text -> new String(text, StandardCharsets.UTF_8))
                                        .toList()));
    }

    /** Splits a body into packets; a long one on a worker thread, after its memory was reserved. */
    private static Future<List<byte[]>> texts(Routes routes, RoutingContext context, byte[] body) {
        if (body.length <= READ_IN_PLACE_BYTES_MAX) {
            return Future.succeededFuture(texts(body));
        }
        var permit = routes.bodies().permit(context);
        return context.vertx()
                .executeBlocking(
                        () -> {
                            permit.take(body.length + JsonWeight.of(body));
                            return texts(body);
                        },
                        false);
    }

    /** The packets of a body, one more than there may be at most. */
    private static List<byte[]> texts(byte[] body) {
        var texts = new ArrayList<byte[]>();
        var from = 0;
        for (var at = 0; at <= body.length && texts.size() <= PACKETS_MAX; at++) {
            if (at == body.length || body[at] == SEPARATOR_BYTE) {
                texts.add(from == 0 && at == body.length ? body : Arrays.copyOfRange(body, from, at));
                from = at + 1;
            }
        }
        return texts;
    }

    private void bringElsewhere(RoutingContext context, String session, List<String> texts) {
        bus.ask(new Polling.Bring(Ids.next(), session, texts), ELSEWHERE_DEADLINE_MS)
                .otherwise(false)
                .onSuccess(isKnown -> {
                    if (isKnown) {
                        taken(context);
                    } else {
                        refuse(context, Refusal.UNKNOWN_SESSION);
                    }
                });
    }

    private static void taken(RoutingContext context) {
        ApiReply.of(200, "text/html", "ok").sendTo(context);
    }

    private static void refuse(RoutingContext context, Refusal refusal) {
        ApiReply.json(400, Json.object().put("code", refusal.code).put("message", refusal.message))
                .sendTo(context);
    }
}
