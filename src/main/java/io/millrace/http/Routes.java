package io.millrace.http;

import io.millrace.access.Access;
import io.millrace.core.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Where rooms mount their routes. Each route names its access rule, how its input is read, and who answers.
 *
 * <p>Paths are relative to {@code /api}. The input is read before the caller is identified, because the contract's
 * order of checks says so (admin-api 1.2).
 */
public final class Routes {
    static final String ACCESS = "access";
    static final String REQUEST_ID = "requestId";

    private static final String PREFIX = "/api";

    private final Router router;
    private final Gatekeeper gatekeeper;
    private final BodyHandler bodies;
    private final long deadlineMs;
    private final List<Mounted> mounted = new ArrayList<>();

    /** A route as it was mounted, for the check against the API document. */
    public record Mounted(String method, String path, Access access) {}

    Routes(Router router, Gatekeeper gatekeeper, BodyHandler bodies, long deadlineMs) {
        this.router = router;
        this.gatekeeper = gatekeeper;
        this.bodies = bodies;
        this.deadlineMs = deadlineMs;
    }

    public <T> void get(
            String path, Access access, Function<Input, T> read, BiFunction<Call, T, Future<Reply>> answer) {
        on(HttpMethod.GET, path, access, read, answer);
    }

    public <T> void post(
            String path, Access access, Function<Input, T> read, BiFunction<Call, T, Future<Reply>> answer) {
        on(HttpMethod.POST, path, access, read, answer);
    }

    /** A POST whose body may hold a long chain of steps ({@link io.millrace.core.DeepJson}). */
    public <T> void postDeep(
            String path, Access access, Function<Input, T> read, BiFunction<Call, T, Future<Reply>> answer) {
        on(HttpMethod.POST, path, access, read, answer, true);
    }

    public <T> void delete(
            String path, Access access, Function<Input, T> read, BiFunction<Call, T, Future<Reply>> answer) {
        on(HttpMethod.DELETE, path, access, read, answer);
    }

    /** A public route whose handler reads the request and writes the response itself. No body was read before it. */
    public void raw(String path, Handler<RoutingContext> handler) {
        mark(router.route(PREFIX + path), "*", path, Access.everybody()).handler(handler);
    }

    /** A public GET route whose handler writes the response itself. */
    public void rawGet(String path, Handler<RoutingContext> handler) {
        mark(router.get(PREFIX + path), "GET", path, Access.everybody()).handler(handler);
    }

    /** Id of a request, for the log and for answers. */
    public static String requestId(RoutingContext context) {
        return context.get(REQUEST_ID);
    }

    /** Vert.x, for handlers that need timers or worker threads. */
    public Vertx vertx(RoutingContext context) {
        return context.vertx();
    }

    /** All routes mounted so far. */
    public List<Mounted> mounted() {
        return List.copyOf(mounted);
    }

    private <T> void on(
            HttpMethod method,
            String path,
            Access access,
            Function<Input, T> read,
            BiFunction<Call, T, Future<Reply>> answer) {
        on(method, path, access, read, answer, false);
    }

    private <T> void on(
            HttpMethod method,
            String path,
            Access access,
            Function<Input, T> read,
            BiFunction<Call, T, Future<Reply>> answer,
            boolean deep) {
        mark(router.route(method, PREFIX + path), method.name(), path, access)
                .handler(bodies)
                .handler(context -> BodyReader.read(context, deep)
                        .map(body -> Input.of(context, body))
                        .compose(input -> answer(context, access, read, answer, input))
                        .onSuccess(reply -> send(context, reply))
                        .onFailure(context::fail));
    }

    private <T> Future<Reply> answer(
            RoutingContext context,
            Access access,
            Function<Input, T> read,
            BiFunction<Call, T, Future<Reply>> answer,
            Input input) {
        var message = readWhole(read, input);
        return gatekeeper
                .pass(access, context.request().getHeader("Authorization"), input)
                .compose(passed ->
                        answer.apply(new Call(passed.principal(), passed.projectId(), deadlineMs, context), message));
    }

    /** A reader may refuse early; whatever it recorded before is told as well. */
    private static <T> T readWhole(Function<Input, T> read, Input input) {
        T message;
        try {
            message = read.apply(input);
        } catch (ApiException early) {
            input.done();
            throw early;
        }
        input.done();
        return message;
    }

    private Route mark(Route route, String method, String path, Access access) {
        mounted.add(new Mounted(method, path, Objects.requireNonNull(access, "a route needs an access rule")));
        return route.putMetadata(ACCESS, access);
    }

    /** Sends an answer, unless the caller has gone. */
    public static void send(RoutingContext context, Reply reply) {
        var response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status());
        if (reply.body() == null) {
            response.end();
            return;
        }
        response.putHeader("Content-Type", reply.contentType()).end(reply.body());
    }
}
