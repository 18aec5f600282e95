package io.millrace.integration.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.memory.JsonWeight;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.ClientAddress;
import io.millrace.base.http.ErrorRenderer;
import io.millrace.base.http.NamedAuthority;
import io.millrace.base.http.Routes;
import io.millrace.base.http.socket.EventStream;
import io.millrace.integration.mcp.protocol.ModernHeaders;
import io.millrace.integration.mcp.protocol.Revision;
import io.millrace.integration.mcp.protocol.RpcFailure;
import io.millrace.integration.mcp.protocol.RpcMessage;
import io.millrace.integration.mcp.tool.CallCancellation;
import io.millrace.integration.mcp.tool.CallCancellation.CallCancelled;
import io.millrace.workspace.authorizationserver.Issuer;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Optional;

/**
 * The transport: Streamable HTTP, for clients that begin with a handshake and for those that do not (MCP 2025-03-26,
 * 2025-06-18, 2025-11-25 and 2026-07-28). A request is checked in this order: origin, token, form, revision, session.
 *
 * <p>An instance belongs to one event loop.
 */
final class McpEndpointRoutes {
    private static final String SESSION = "Mcp-Session-Id";
    private static final String JSON = "application/json";
    private static final String EVENTS = "text/event-stream";
    private static final int PARSED_IN_PLACE_BYTES_MAX = 256 * 1024;
    private static final int ACCEPTED = 202;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final long DEADLINE_MS = 10_000;

    private final Bus bus;
    private final Routes routes;
    private final ClientAddress clients;
    private final NamedAuthority authority;
    private final McpAuthenticator door;
    private final McpProtocol protocol;
    private final McpListeners listeners;
    private final McpCalls calls;

    McpEndpointRoutes(
            Bus bus,
            Routes routes,
            ClientAddress clients,
            NamedAuthority authority,
            McpAuthenticator door,
            McpProtocol protocol) {
        this.bus = bus;
        this.routes = routes;
        this.clients = clients;
        this.authority = authority;
        this.door = door;
        this.protocol = protocol;
        this.listeners = new McpListeners(bus, door);
        this.calls = new McpCalls(bus);
    }

    /** Mounts the server of a named project under {@code /api}, and the server that a token determines also at the root. */
    void mount() {
        mount(routes, "/v1/mcp/:projectId/http");
        var everywhere = routes.alsoAtRoot(RoutingContext::next);
        mount(everywhere, Issuer.PROJECT_RESOURCE);
        mount(everywhere, Issuer.PLATFORM_RESOURCE);
        listeners.open();
        calls.open();
    }

    private void mount(Routes at, String path) {
        at.rawWithBody(HttpMethod.POST, path, this::known, context -> answer(context, this::post));
        at.rawGet(path, context -> answer(context, this::listen));
        at.rawWithBody(HttpMethod.DELETE, path, this::known, context -> answer(context, this::end));
    }

    /** Authenticates the caller before a large body is read. */
    private Future<McpCaller> known(RoutingContext context) {
        var id = context.pathParam("projectId");
        return id != null && !Ids.isId(id) ? Future.failedFuture(noId()) : door.enter(request(context));
    }

    private McpRequest request(RoutingContext context) {
        var isPlatform = context.request().path().endsWith(Issuer.PLATFORM_RESOURCE);
        var id = Optional.ofNullable(context.pathParam("projectId"));
        return new McpRequest(
                context.request().headers(), isPlatform, id, clients.of(context), authority.of(context.request()));
    }

    private record Visit(RoutingContext context, McpRequest request) {
        boolean accepts(String type) {
            return request.header("Accept")
                    .map(accept -> accept.contains(type) || accept.contains("*/*"))
                    .orElse(type.equals(JSON));
        }

        Optional<String> revision() {
            return request.header(ModernHeaders.REVISION);
        }
    }

    /** An empty result means that the reply was already sent. */
    private interface Handler {
        Future<Optional<ApiReply>> answer(Visit visit, McpCaller caller);
    }

    private void answer(RoutingContext context, Handler handler) {
        context.response().putHeader("Cache-Control", "no-store");
        var id = context.pathParam("projectId");
        if (id != null && !Ids.isId(id)) {
            refusal(context, noId(), null).sendTo(context);
            return;
        }
        var request = request(context);
        Future.succeededFuture(request)
                .compose(door::enter)
                .onFailure(failure -> door.challenge(request, failure)
                        .ifPresent(challenge -> context.response().putHeader("WWW-Authenticate", challenge)))
                .compose(caller -> handler.answer(new Visit(context, request), caller))
                .onSuccess(reply -> reply.ifPresent(sent -> sent.sendTo(context)))
                .onFailure(failure -> refusal(context, failure, null).sendTo(context));
    }

    private static ApiException noId() {
        return ApiException.of(
                ErrorCode.INVALID_INPUT,
                "params/projectId Invalid string: must match pattern /" + Ids.PATTERN.pattern() + "/");
    }

    private static ApiReply refusal(RoutingContext context, Throwable failure, JsonNode id) {
        if (failure instanceof RpcFailure refused) {
            return ApiReply.json(refused.status(), refused.toJson(id));
        }
        return ErrorRenderer.render(ErrorRenderer.refusalOf(failure, Routes.requestId(context)));
    }

    private Future<Optional<ApiReply>> post(Visit visit, McpCaller caller) {
        return read(visit).compose(message -> take(visit, caller, message));
    }

    private Future<RpcMessage> read(Visit visit) {
        var type = visit.request().header("Content-Type").orElse("");
        if (!type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON)) {
            throw ApiException.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type");
        }
        var body = Routes.body(visit.context()).getBytes();
        if (body.length <= PARSED_IN_PLACE_BYTES_MAX) {
            return Future.succeededFuture(parse(body));
        }
        var permit = routes.bodies().permit(visit.context());
        return visit.context()
                .vertx()
                .executeBlocking(
                        () -> {
                            permit.take(JsonWeight.of(body));
                            return parse(body);
                        },
                        false);
    }

    private static RpcMessage parse(byte[] body) {
        try {
            return RpcMessage.read(Json.parse(body));
        } catch (JsonProcessingException malformed) {
            throw RpcFailure.unreadable();
        }
    }

    /**
     * Handles a message. This server sends no requests to clients, so answers of a client are ignored. Of the notifications, only
     * the cancellation of a call has an effect.
     */
    private Future<Optional<ApiReply>> take(Visit visit, McpCaller caller, RpcMessage message) {
        return switch (message) {
            case RpcMessage.Answer _ -> throw RpcFailure.invalidRequest("expected at least one request");
            case RpcMessage.Notification notification ->
                sessionOf(visit, caller).map(_ -> {
                    notification
                            .cancelled()
                            .ifPresent(id -> calls.cancel(McpCalls.Cancelled.of(caller, originOf(visit), id)));
                    return Optional.of(new ApiReply(ACCEPTED, null, null));
                });
            case RpcMessage.Call call ->
                Future.succeededFuture(call)
                        .compose(known -> serve(visit, caller, known))
                        .recover(failure ->
                                Future.succeededFuture(Optional.of(refusal(visit.context(), failure, call.id()))));
        };
    }

    private Future<Optional<ApiReply>> serve(Visit visit, McpCaller caller, RpcMessage.Call call) {
        if (call.method().equals("initialize") && !isModern(visit, call)) {
            return greet(visit, caller, call);
        }
        return revisionOf(visit, caller, call).compose(revision -> serve(visit, caller, revision, call));
    }

    private Future<Optional<ApiReply>> serve(Visit visit, McpCaller caller, Revision revision, RpcMessage.Call call) {
        if (call.method().equals("subscriptions/listen") && !revision.hasHandshake()) {
            listeners.subscribe(caller, call, stream(visit), visit.request());
            return Future.succeededFuture(Optional.empty());
        }
        var context = visit.context();
        var cancellation = new CallCancellation();
        var answer = protocol.answer(caller, revision, call, Routes.requestId(context), cancellation);
        if (!answer.isComplete()) {
            listenForCancellation(visit, caller, revision, call, cancellation, answer);
        }
        return new SlowAnswer(
                        context.vertx(),
                        call.progressToken(),
                        () -> cancelledByEnd(routes.stream(context), revision, cancellation),
                        failure -> errorOf(context, failure, call))
                .send(cancellation.unlessRequested(answer), visit.accepts(EVENTS))
                .recover(failure -> failure instanceof CallCancelled
                        ? Future.succeededFuture(Optional.of(new ApiReply(ACCEPTED, null, null)))
                        : Future.failedFuture(failure));
    }

    /** A call of a session is canceled by a notification; without a handshake, the end of the connection cancels it. */
    private void listenForCancellation(
            Visit visit,
            McpCaller caller,
            Revision revision,
            RpcMessage.Call call,
            CallCancellation cancellation,
            Future<?> end) {
        if (revision.hasHandshake()) {
            calls.keep(McpCalls.Cancelled.of(caller, originOf(visit), call.id()), cancellation, end);
        } else {
            visit.context().response().closeHandler(_ -> cancellation.request());
        }
    }

    private static EventStream cancelledByEnd(EventStream stream, Revision revision, CallCancellation cancellation) {
        if (!revision.hasHandshake()) {
            stream.whenClosed(cancellation::request);
        }
        return stream;
    }

    /** Ids of calls are unique in a session only. */
    private static String originOf(Visit visit) {
        return visit.request()
                .header(SESSION)
                .orElseGet(() -> "address " + visit.request().address());
    }

    private static ObjectNode errorOf(RoutingContext context, Throwable failure, RpcMessage.Call call) {
        if (failure instanceof RpcFailure refused) {
            return refused.toJson(call.id());
        }
        var refusal = ErrorRenderer.refusalOf(failure, Routes.requestId(context));
        return RpcFailure.internal(refusal.text()).toJson(call.id());
    }

    private EventStream stream(Visit visit) {
        if (!visit.accepts(EVENTS)) {
            throw RpcFailure.invalidRequest("expected a client that accepts " + EVENTS);
        }
        return routes.stream(visit.context());
    }

    private Future<Optional<ApiReply>> greet(Visit visit, McpCaller caller, RpcMessage.Call call) {
        return protocol.initialize(caller, call).map(greeting -> {
            visit.context().response().putHeader(SESSION, greeting.sessionId());
            return Optional.of(ApiReply.ok(greeting.result()));
        });
    }

    private static boolean isModern(Visit visit, RpcMessage.Call call) {
        return call.meta().has(ModernHeaders.REVISION_KEY)
                || visit.revision()
                        .flatMap(Revision::of)
                        .filter(revision -> !revision.hasHandshake())
                        .isPresent();
    }

    /**
     * Protocol revision of a request: from its header, or as negotiated by its session. A client that sends neither predates
     * the header; it is served with the oldest supported revision.
     */
    private Future<Revision> revisionOf(Visit visit, McpCaller caller, RpcMessage.Call call) {
        if (isModern(visit, call)) {
            ModernHeaders.check(call, visit.request().headers());
            var said = call.meta().path(ModernHeaders.REVISION_KEY).asText();
            return Future.succeededFuture(Revision.of(said).orElseThrow(() -> RpcFailure.unsupportedRevision(said)));
        }
        return sessionOf(visit, caller)
                .map(session -> session.orElseGet(
                        () -> visit.revision().flatMap(Revision::of).orElse(Revision.MARCH_2025)));
    }

    /** Empty for a request without a session. */
    private Future<Optional<Revision>> sessionOf(Visit visit, McpCaller caller) {
        visit.revision().filter(word -> Revision.of(word).isEmpty()).ifPresent(word -> {
            throw RpcFailure.unsupportedRevision(word);
        });
        var id = visit.request().header(SESSION);
        return id.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : bus.ask(new McpSessions.Find(id.get(), caller.holder()), DEADLINE_MS)
                        .map(found -> Optional.of(found.orElseThrow(RpcFailure::noSession)));
    }

    private Future<Optional<ApiReply>> listen(Visit visit, McpCaller caller) {
        var id = visit.request().header(SESSION);
        if (id.isEmpty()) {
            return Future.succeededFuture(Optional.of(notAllowed(visit.context())));
        }
        return sessionOf(visit, caller).map(_ -> {
            listeners.follow(caller, id.get(), stream(visit), visit.request());
            return Optional.empty();
        });
    }

    private Future<Optional<ApiReply>> end(Visit visit, McpCaller caller) {
        var id = visit.request().header(SESSION);
        return id.isEmpty()
                ? Future.succeededFuture(Optional.of(notAllowed(visit.context())))
                : sessionOf(visit, caller)
                        .compose(_ -> bus.ask(new McpSessions.End(id.get(), caller.holder()), DEADLINE_MS))
                        .map(Optional.of(ApiReply.empty()));
    }

    private static ApiReply notAllowed(RoutingContext context) {
        context.response().putHeader("Allow", "POST");
        return new ApiReply(METHOD_NOT_ALLOWED, null, null);
    }
}
