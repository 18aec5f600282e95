package io.millrace.base.http.server;

import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.config.HttpLimitSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.text.PercentText;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.ClientAddress;
import io.millrace.base.http.ErrorRenderer;
import io.millrace.base.http.Gatekeeper;
import io.millrace.base.http.RequestDispatcher;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.RouteTable;
import io.millrace.base.http.Routes;
import io.millrace.base.http.SessionCookie;
import io.millrace.base.http.body.BodyReception;
import io.millrace.base.http.socket.MessageLimits;
import io.millrace.base.http.socket.OpenConnections;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * HTTP routing: the server, the handlers of every request, and the routes of the modules. Several instances share one port,
 * one per event loop.
 */
public final class HttpVerticle extends VerticleBase {
    /** Webhooks have a separate deadline. */
    private static final long API_DEADLINE_MS = 30_000;

    /** Paths below it are answered while the server stops, too. */
    public static final String PROBES = "/health/";

    private static final int HEADER_BYTES_MAX = 32 * 1024;
    private static final int LINE_BYTES_MAX = 16 * 1024;
    private static final int IDLE_SECONDS_MAX = 1000;

    /** Fields of a form; its bytes are bounded with the body's. */
    private static final int FORM_FIELDS_MAX = 10_000;

    /** Headers of one part of a form, long file names included. */
    private static final int FORM_PART_HEADER_BYTES_MAX = 64 * 1024;

    private static final Pattern NO_ENCODING = Pattern.compile("%(?![0-9a-fA-F]{2})");

    /** Statuses that the router answers by itself or a handler fails with. */
    private static final List<Integer> RENDERED = List.of(404, 405, 406, 415, 413, 417, 400, 500);

    private static final int UNLIMITED = -1;

    /** Instances that listen on the same negative port share one free port. */
    private static final int ONE_FREE_PORT = -1;

    private final Config config;
    private final Bus bus;
    private final List<RouteGroup> routeGroups;
    private final SharedLimits limits;
    private final Supplier<Future<Void>> settled;
    private final RouteTable table = new RouteTable();
    private final RequestLog log;
    private final CallerHost callerHost;
    private HttpServer server;
    private final Set<RoutingContext> underWay = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Completed when the last request has been answered; null until the stop. */
    private Promise<Void> drained;

    private Routes routes;

    /**
     * @param routeGroups routes of the modules, in the order they are tried
     * @param limits shared with the instances on other event loops
     * @param settled done when the changes of a request are in force at every node that may receive the next one
     */
    public HttpVerticle(
            Config config, Bus bus, List<RouteGroup> routeGroups, SharedLimits limits, Supplier<Future<Void>> settled) {
        this.config = config;
        this.bus = bus;
        this.routeGroups = List.copyOf(routeGroups);
        this.limits = limits;
        this.settled = settled;
        this.log = new RequestLog(limits.logging(), new RequestMeters(limits.meters()), table.secrets());
        this.callerHost = new CallerHost(config.network().http());
    }

    @Override
    public Future<?> start() {
        var options = new HttpServerOptions()
                .setHost(config.network().http().host())
                .setPort(
                        config.network().http().port() == 0
                                ? ONE_FREE_PORT
                                : config.network().http().port())
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setMaxInitialLineLength(LINE_BYTES_MAX)
                .setIdleTimeout(IDLE_SECONDS_MAX)
                // Only proxies use HTTP/2 without encryption, and they also support HTTP/1.1.
                .setHttp2ClearTextEnabled(false)
                .setMaxFormFields(FORM_FIELDS_MAX)
                .setMaxFormAttributeSize(UNLIMITED)
                .setMaxFormBufferedBytes(FORM_PART_HEADER_BYTES_MAX)
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // A client that never answers a close frame would keep its connection, uncounted, for the ten seconds
                // of the default.
                .setWebSocketClosingTimeout(0)
                .setTcpNoDelay(true);
        var connections = new ConnectionDeadlines(
                limits.connections(), config.network().http().limits(), limits.answers());
        vertx.setPeriodic(ConnectionDeadlines.LOOK_MS, _ -> connections.look());
        server = vertx.createHttpServer(options)
                .connectionHandler(connections::accepted)
                .requestHandler(requestHandler());
        return server.listen();
    }

    /**
     * Refuses new requests; those in progress have some time to be answered, and then fail because the server stops. Idle
     * connections are not waited for: clients keep them open indefinitely.
     */
    @Override
    public Future<?> stop() {
        if (server == null) {
            return Future.succeededFuture();
        }
        drained = Promise.promise();
        vertx.setTimer(config.process().shutdown().requests().toMillis(), _ -> {
            List.copyOf(underWay).forEach(HttpVerticle::abandon);
            drained.tryComplete();
        });
        routes.endStreams();
        whenDrained();
        return drained.future().compose(_ -> server.close());
    }

    private void ended(RoutingContext context) {
        underWay.remove(context);
        whenDrained();
    }

    private void whenDrained() {
        if (drained != null && underWay.isEmpty()) {
            drained.tryComplete();
        }
    }

    public int port() {
        return server.actualPort();
    }

    public List<Routes.MountedRoute> routes() {
        return routes.mounted();
    }

    private Handler<HttpServerRequest> requestHandler() {
        var gatekeeper = new Gatekeeper(
                bus,
                new ClientAddress(config.network().http().proxies()),
                new SessionCookie(config.network().http()::publicUrl),
                limits.rates(),
                API_DEADLINE_MS);
        var settings = config.network().http();
        var bodies = new BodyReception(
                limits.bodies(), limits.spool(), settings.limits().bodies().unknownBytesMax());
        var open = new OpenConnections(
                config.observation().failures().listenersMax(),
                settings.limits().sockets().unknownMax(),
                messages(settings.limits()),
                this::ended);
        var dispatcher =
                RequestDispatcher.of(bus, gatekeeper, bodies, settings.bodyBytesMax(), settled, API_DEADLINE_MS);
        routes = new Routes(table, dispatcher, open);
        routeGroups.forEach(module -> module.mount(routes));
        return table.handler(this::preparingRouter, HttpVerticle::complete);
    }

    private MessageLimits messages(HttpLimitSettings settings) {
        return new MessageLimits(
                limits.bodies(),
                settings.bodies().unknownBytesMax(),
                settings.sockets().messageBytesMax(),
                settings.connections().bodyTimeout(),
                settings.connections().bytesPerSecondMin(),
                settings.sockets().unreadPongsMax());
    }

    private Router preparingRouter() {
        var router = Router.router(vertx);
        router.route().putMetadata(Routes.ACCESS, "every request").handler(this::prepare);
        return router;
    }

    private static void complete(Router router) {
        router.route().putMetadata(Routes.ACCESS, "unknown path").handler(context -> context.fail(404));
        RENDERED.forEach(status -> router.errorHandler(status, HttpVerticle::renderFailure));
        refuseRouteWithoutAccess(router);
    }

    /** Deny by default: a route that bypassed {@link Routes} has no access rule, and the server does not start. */
    private static void refuseRouteWithoutAccess(Router router) {
        for (var route : router.getRoutes()) {
            if (route.metadata() == null || route.getMetadata(Routes.ACCESS) == null) {
                throw new IllegalStateException("route " + route.getPath() + " has no access rule");
            }
        }
    }

    private void prepare(RoutingContext context) {
        if (hasOddQuery(context)) {
            return;
        }
        var requestId = "req_" + Ids.next();
        context.put(Routes.REQUEST_ID, requestId);
        log.attach(context, requestId);
        context.response().putHeader(HttpHeaders.DATE, limits.date().now());
        allowAnyOrigin(context);
        if (drained != null && !context.request().path().startsWith(PROBES)) {
            refuseStopping(context);
            return;
        }
        underWay.add(context);
        context.addEndHandler(_ -> ended(context));
        var path = context.request().path();
        if (path.indexOf('%') >= 0 && NO_ENCODING.matcher(path).find()) {
            context.fail(400);
            return;
        }
        if (!callerHost.serves(context)) {
            context.fail(404);
            return;
        }
        if (HttpMethod.OPTIONS.equals(context.request().method())
                && context.request().headers().contains("Access-Control-Request-Method")) {
            context.response().setStatusCode(204).end();
            return;
        }
        context.next();
    }

    private static void refuseStopping(RoutingContext context) {
        answerStopping(context, ApiException.of(ErrorCode.UNAVAILABLE, "the server is stopping"));
    }

    /** Answers a request in progress that the stop does not wait for; a completely received one may have taken effect. */
    private static void abandon(RoutingContext context) {
        var method = context.request().method();
        var reads = HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method);
        if (reads || !context.request().isEnded()) {
            refuseStopping(context);
        } else {
            answerStopping(
                    context,
                    ApiException.of(
                            ErrorCode.OUTCOME_UNKNOWN,
                            "the server stopped during the request: the change may have been made"));
        }
    }

    /** A caller that has received part of an answer notices that it ends too early. */
    private static void answerStopping(RoutingContext context, ApiException refusal) {
        if (!context.response().headWritten()) {
            context.response().putHeader("Connection", "close");
            ErrorRenderer.render(refusal).sendTo(context);
        }
    }

    /**
     * Reroutes a request whose query has invalid percent encoding with one that every reader decodes without loss: a percent
     * sign that encodes no byte is literal there. In a path it would name another route, and is refused.
     */
    private static boolean hasOddQuery(RoutingContext context) {
        var uri = context.request().uri();
        var mark = uri.indexOf('?');
        var query = mark < 0 ? "" : uri.substring(mark + 1);
        var readable = PercentText.query(query);
        if (readable.equals(query)) {
            return false;
        }
        context.reroute(uri.substring(0, mark + 1) + readable);
        return true;
    }

    /** Any origin, any method, all response headers exposed (contract admin-api 1.1). Tokens travel in a header. */
    private static void allowAnyOrigin(RoutingContext context) {
        if (!context.request().headers().contains(HttpHeaders.ORIGIN)) {
            return;
        }
        var headers = context.response().headers();
        headers.set("Access-Control-Allow-Origin", "*").set("Access-Control-Expose-Headers", "*");
        if (HttpMethod.OPTIONS.equals(context.request().method())) {
            var wanted = context.request().getHeader("Access-Control-Request-Headers");
            headers.set("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
                    .set("Access-Control-Allow-Headers", wanted == null ? "*" : wanted)
                    .set("Access-Control-Max-Age", "600");
        }
    }

    private static void renderFailure(RoutingContext context) {
        var requestId = Routes.requestId(context);
        var refusal = switch (context.statusCode()) {
            case 404, 405, 406 -> ApiException.of(ErrorCode.ROUTE_NOT_FOUND, "Route not found");
            case 413 -> ApiException.of(ErrorCode.BODY_TOO_LARGE, "Request body is too large");
            case 400, 417 -> context.failure() instanceof ApiException refused ? refused : malformed(context);
            default -> ErrorRenderer.refusalOf(context.failure(), requestId);
        };
        // What a person quotes when asking for help; an operator finds it in the log.
        context.response().putHeader("X-Request-Id", requestId);
        Function<ApiException, ApiReply> ownWords = context.get(Routes.REFUSAL);
        (ownWords == null ? ErrorRenderer.render(refusal) : ownWords.apply(refusal)).sendTo(context);
    }

    /** The router fails at an address with invalid percent encoding, before any route has read it. */
    private static ApiException malformed(RoutingContext context) {
        return ApiException.of(
                ErrorCode.INVALID_INPUT,
                NO_ENCODING.matcher(context.request().path()).find()
                        ? "params/ Invalid percent-encoding"
                        : "The request is malformed");
    }
}
