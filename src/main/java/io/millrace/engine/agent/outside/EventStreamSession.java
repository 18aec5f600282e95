package io.millrace.engine.agent.outside;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.net.OutboundStream;
import io.millrace.base.net.WebAddress;
import io.millrace.engine.agent.outside.ExternalServer.Unusable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A session over the transport of revision 2024-11-05, "HTTP with SSE": the first event of the stream names the endpoint for
 * messages, later events carry the answers. Each wait has a deadline, the stream a maximum length; after an error the session
 * is closed, and all pending requests fail. Lives on the event loop on which it was opened.
 */
final class EventStreamSession implements ExternalSession {
    private static final String MEDIA_TYPE = "text/event-stream";
    private static final int REDIRECTS_MAX = 3;

    /** Limit of the response to a posted message, which only acknowledges it. */
    private static final int RECEIPT_BYTES_MAX = 64 << 10;

    /** Maximum number of requests of the server; each causes a request to it with the answer. */
    private static final int REQUESTS_MAX = 100;

    private final ExternalPeer peer;
    private final OutboundStream stream;
    private final Vertx vertx;
    private final Promise<WebAddress> endpoint = Promise.promise();
    private final Map<Integer, Promise<Answer>> awaited = new HashMap<>();
    private Optional<Throwable> broken = Optional.empty();
    private int asked;
    private int requests;

    private EventStreamSession(ExternalPeer peer, OutboundStream stream, Vertx vertx) {
        this.peer = peer;
        this.stream = stream;
        this.vertx = vertx;
    }

    /** Opens the stream, and waits until the server has named its endpoint for messages. */
    static Future<ExternalSession> open(ExternalPeer peer) {
        var request = peer.request("GET", peer.address())
                .withMoreHeaders(Map.of(
                        "Accept",
                        MEDIA_TYPE,
                        // Compression would deliver events in blocks.
                        "Accept-Encoding",
                        "identity",
                        "Cache-Control",
                        "no-store"))
                .followingRedirects(REDIRECTS_MAX);
        return peer.outbound().open(request).compose(stream -> begin(peer, stream));
    }

    private static Future<ExternalSession> begin(ExternalPeer peer, OutboundStream stream) {
        if (!isStreamOfEvents(stream)) {
            stream.giveUp();
            ExternalMessages.checkAdmission(stream.status());
            return Future.failedFuture(
                    new Unusable("The server does not speak MCP over HTTP with SSE: status " + stream.status()));
        }
        var session =
                new EventStreamSession(peer, stream, Vertx.currentContext().owner());
        session.read();
        return session.inTime(session.endpoint, peer.limits().timeoutMs())
                .onFailure(session::breakOff)
                .map(session);
    }

    private static boolean isStreamOfEvents(OutboundStream stream) {
        return stream.status() == 200
                && stream.header("Content-Type")
                        .filter(type -> type.toLowerCase(Locale.ROOT).startsWith(MEDIA_TYPE))
                        .isPresent()
                && stream.header("Content-Encoding")
                        .filter(encoding -> !encoding.equals("identity"))
                        .isEmpty();
    }

    private void read() {
        var events = new EventStreamParser(this::receive);
        stream.read(peer.limits().streamBytesMax(), events::accept)
                .onSuccess(_ -> breakOff(new Unusable("The server ended its event stream")))
                .onFailure(cause -> breakOff(
                        cause instanceof OutboundFailure
                                ? cause
                                : new Unusable("The event stream of the server broke off")));
    }

    @Override
    public Future<Answer> ask(String method, ObjectNode params, long timeoutMs) {
        var id = ++asked;
        var answer = Promise.<Answer>promise();
        awaited.put(id, answer);
        // The answer may arrive before the acknowledgement of the request.
        post(ExternalMessages.request(id, method, params), timeoutMs).onFailure(answer::tryFail);
        return inTime(answer, timeoutMs).onComplete(_ -> awaited.remove(id));
    }

    @Override
    public Future<Void> tell(String method) {
        return post(ExternalMessages.notification(method), peer.limits().timeoutMs());
    }

    @Override
    public Future<Void> end() {
        breakOff(new Unusable("The session with the server has ended"));
        return Future.succeededFuture();
    }

    private <T> Future<T> inTime(Promise<T> promise, long timeoutMs) {
        var timer = vertx.setTimer(
                timeoutMs,
                _ -> promise.tryFail(new Unusable("The server did not respond within " + timeoutMs + " ms")));
        return promise.future().onComplete(_ -> vertx.cancelTimer(timer));
    }

    private Future<Void> post(ObjectNode message, long timeoutMs) {
        return broken.<Future<WebAddress>>map(Future::failedFuture)
                .orElseGet(endpoint::future)
                .map(to -> peer.request("POST", to)
                        .withMoreHeaders(Map.of("Content-Type", "application/json"))
                        .withTimeoutMs(timeoutMs)
                        .withBodyBytesMax(RECEIPT_BYTES_MAX)
                        .withBody(Buffer.buffer(Json.bytes(message))))
                .compose(peer.outbound()::send)
                .map(receipt -> {
                    ExternalMessages.checkAdmission(receipt.status());
                    if (receipt.status() / 100 != 2) {
                        throw new Unusable("The server rejected a message: status " + receipt.status());
                    }
                    return null;
                });
    }

    private void receive(String type, String data) {
        if (broken.isPresent()) {
            return;
        }
        switch (type) {
            case "endpoint" -> takeEndpoint(data);
            case "message" -> takeMessage(data);
            default -> {
                // Other events, such as keep-alives, are ignored.
            }
        }
    }

    /**
     * Accepts the endpoint on the server's own origin only: a server that may name another host could redirect the author's
     * credentials and data there.
     */
    private void takeEndpoint(String reference) {
        try {
            var named = peer.address().resolve(reference);
            if (named.sameOriginAs(peer.address())) {
                endpoint.tryComplete(new WebAddress(
                        named.scheme(),
                        named.host(),
                        named.port(),
                        named.target(),
                        peer.address().userInfo()));
            } else {
                breakOff(new Unusable("The server names a message endpoint on an origin other than " + peer));
            }
        } catch (IllegalArgumentException malformed) {
            breakOff(new Unusable("The server names a message endpoint that is not an http or https URL"));
        }
    }

    private void takeMessage(String data) {
        JsonNode message;
        try {
            message = Json.parse(data);
        } catch (JsonProcessingException malformed) {
            breakOff(new Unusable("The server sent a message that is not JSON"));
            return;
        }
        if (message.has("method")) {
            if (message.has("id")) {
                serve(message);
            }
            return;
        }
        // An answer without a pending request is dropped, for example after its timeout.
        var answer = awaited.get(message.path("id").asInt());
        if (answer != null) {
            settle(answer, message, data.length());
        }
    }

    private static void settle(Promise<Answer> answer, JsonNode message, int length) {
        try {
            answer.tryComplete(new Answer(
                    ExternalMessages.resultOf(message, "The server answered with neither a result nor an error"),
                    length));
        } catch (Unusable refused) {
            answer.tryFail(refused);
        }
    }

    private void serve(JsonNode request) {
        requests++;
        if (requests > REQUESTS_MAX) {
            breakOff(new Unusable("The server sends more requests than responses"));
            return;
        }
        post(ExternalMessages.answer(request), peer.limits().timeoutMs()).onFailure(this::breakOff);
    }

    private void breakOff(Throwable cause) {
        if (broken.isPresent()) {
            return;
        }
        broken = Optional.of(cause);
        stream.giveUp();
        endpoint.tryFail(cause);
        List.copyOf(awaited.values()).forEach(answer -> answer.tryFail(cause));
    }
}
