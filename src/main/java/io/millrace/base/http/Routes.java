package io.millrace.base.http;

import io.millrace.base.access.Access;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.http.body.BodyReception;
import io.millrace.base.http.body.FormReader;
import io.millrace.base.http.socket.EventStream;
import io.millrace.base.http.socket.OpenConnections;
import io.millrace.base.http.socket.PolledSocket;
import io.millrace.base.http.socket.TextSocket;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Registry of the routes of modules. Each route names its access rule, the reader of its input, and its handler.
 *
 * <p>Paths are relative to {@code /api}; a few routes are served at the root of the host too. The input is read before the
 * caller is identified, because the contract's order of checks says so (admin-api 1.2).
 */
public final class Routes {
    public static final String ACCESS = "access";
    public static final String REQUEST_ID = "requestId";

    /** Key of the renderer of refusals, where it is not that of the API. */
    public static final String REFUSAL = "refusal";

    private static final List<String> API = List.of("/api");
    private static final List<String> ROOT = List.of("");
    private static final List<String> API_AND_ROOT = List.of("/api", "");

    private final RouteTable table;
    private final RequestDispatcher dispatcher;
    private final List<String> prefixes;

    /** Parameters of paths that logs mask. */
    private final Set<String> secrets;

    /** Handles a request before its body is read; null for none. */
    private final Handler<RoutingContext> first;

    private final List<MountedRoute> mounted;
    private final OpenConnections open;

    /**
     * A route as it was mounted, for the check against the API document.
     *
     * @param atRoot true if the path is served at the root of the host too
     */
    public record MountedRoute(String method, String path, boolean atRoot, Access access) {}

    public Routes(RouteTable table, RequestDispatcher dispatcher, OpenConnections open) {
        this(table, dispatcher, API, Set.of(), null, new ArrayList<>(), open);
    }

    private Routes(
            RouteTable table,
            RequestDispatcher dispatcher,
            List<String> prefixes,
            Set<String> secrets,
            Handler<RoutingContext> first,
            List<MountedRoute> mounted,
            OpenConnections open) {
        this.table = table;
        this.dispatcher = dispatcher;
        this.prefixes = prefixes;
        this.secrets = secrets;
        this.first = first;
        this.mounted = mounted;
        this.open = open;
    }

    /**
     * Routes that are also served at the root of the host, in addition to {@code /api}.
     *
     * @param prepare handles every such request before its body is read, and passes it on
     */
    public Routes alsoAtRoot(Handler<RoutingContext> prepare) {
        return new Routes(table, dispatcher, API_AND_ROOT, secrets, prepare, mounted, open);
    }

    public Routes onlyAtRoot() {
        return new Routes(table, dispatcher, ROOT, secrets, null, mounted, open);
    }

    public Routes refusingAs(Function<ApiException, ApiReply> refusal) {
        Handler<RoutingContext> prepare = context -> {
            context.put(REFUSAL, refusal);
            context.next();
        };
        return new Routes(table, dispatcher, API, secrets, prepare, mounted, open);
    }

    /** Routes that handle idempotency keys themselves, because their keys apply to more than one route. */
    public Routes withOwnKeys() {
        Handler<RoutingContext> prepare = context -> {
            context.put(KeyedRequests.OWN_KEYS, true);
            context.next();
        };
        return new Routes(table, dispatcher, prefixes, secrets, prepare, mounted, open);
    }

    /**
     * Routes whose paths contain secrets: a caller who knows such a segment needs no token. Logs mask it.
     *
     * @param parameters names of the secret parameters; each path must contain exactly one of them
     */
    public Routes withSecret(String... parameters) {
        return new Routes(table, dispatcher, prefixes, Set.of(parameters), first, mounted, open);
    }

    public <T> void get(
            String path, Access access, Function<Input, T> read, BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        on(HttpMethod.GET, path, access, read, answer);
    }

    public <T> void post(
            String path, Access access, Function<Input, T> read, BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        on(HttpMethod.POST, path, access, read, answer);
    }

    /** A POST whose body may hold a long chain of steps ({@link io.millrace.base.core.DeepJson}). */
    public <T> void postDeep(
            String path, Access access, Function<Input, T> read, BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        on(HttpMethod.POST, path, access, read, answer, true);
    }

    /** A POST that also takes a form with files; a file is the binary value of its field. */
    public <T> void postForm(
            String path, Access access, Function<Input, T> read, BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        postForm(path, access, Long.MAX_VALUE, read, answer);
    }

    /** A POST that also takes a form up to a limit: a longer form is refused before it is read. */
    public <T> void postForm(
            String path,
            Access access,
            long bytesMax,
            Function<Input, T> read,
            BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        mount(
                HttpMethod.POST,
                path,
                access,
                route -> route.handler(dispatcher::admit).handler(context -> {
                    var bodies = dispatcher.reader(access, false).upTo(bytesMax);
                    dispatcher.answered(
                            context,
                            access,
                            read,
                            answer,
                            FormReader.isForm(context) ? new FormReader(bodies).read(context) : bodies.read(context));
                }));
    }

    public <T> void put(
            String path, Access access, Function<Input, T> read, BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        on(HttpMethod.PUT, path, access, read, answer);
    }

    public <T> void patch(
            String path, Access access, Function<Input, T> read, BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        on(HttpMethod.PATCH, path, access, read, answer);
    }

    public <T> void delete(
            String path, Access access, Function<Input, T> read, BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        on(HttpMethod.DELETE, path, access, read, answer);
    }

    /**
     * A GET that answers with a stream of events. Refused like any other request; the caller is checked again at each heartbeat,
     * and an event {@code closed} ends the stream of one who is no longer admitted.
     */
    public <T> void events(String path, Access access, Function<Input, T> read, EventAnswer<T> answer) {
        mount(
                HttpMethod.GET,
                path,
                access,
                route -> route.handler(dispatcher::admit)
                        .handler(context -> dispatcher
                                .reader(access, false)
                                .read(context)
                                .map(body -> Input.of(context, body))
                                .compose(input -> dispatcher.answer(
                                        context,
                                        access,
                                        read,
                                        (call, parameters) -> {
                                            answer.admit();
                                            var stream = stream(context);
                                            stream.onHeartbeat(() -> lookAgain(context, access, input, stream));
                                            answer.begin(call, parameters, stream);
                                            return Future.succeededFuture();
                                        },
                                        input))
                                .onFailure(context::fail)));
    }

    public interface EventAnswer<T> {
        /** Refuses a further stream by an exception, before the response begins. */
        default void admit() {}

        void begin(ApiCall call, T parameters, EventStream stream);
    }

    private void lookAgain(RoutingContext context, Access access, Input input, EventStream stream) {
        if (access instanceof Access.Public) {
            return;
        }
        dispatcher.admittedAgain(context, access, input).onFailure(refusal -> {
            if (!ApiException.isUnavailable(refusal)) {
                stream.end("closed", Json.object().put("reason", "accessEnded"));
            }
        });
    }

    /**
     * Opens a stream for a handler that writes its response itself. Refused as TOO_MANY_REQUESTS when too many are open.
     */
    public EventStream stream(RoutingContext context) {
        return open.stream(context);
    }

    /** Closes every event stream and web socket: the server stops, and clients reconnect to another node or later. */
    public void endStreams() {
        open.end();
    }

    /**
     * A public GET that becomes a web socket; its handler still has to authenticate the client.
     *
     * @param begin takes the socket, and the request
     * @param otherwise answers a request that is not a web socket upgrade
     */
    public void socket(String path, BiConsumer<TextSocket, MultiMap> begin, Handler<RoutingContext> otherwise) {
        rawGet(path, context -> {
            if (!"websocket".equalsIgnoreCase(context.request().getHeader("Upgrade"))) {
                otherwise.handle(context);
                return;
            }
            open.upgrade(context, dispatcher.client(context), begin);
        });
    }

    /** Largest text of a socket whose client is authenticated. */
    public int messageBytesMax() {
        return open.messages().bytesMax();
    }

    /** Opens a socket over long polling; its handler still has to authenticate the client. */
    public PolledSocket polled(RoutingContext context) {
        open.checkSockets();
        return open.held(new PolledSocket(context.vertx(), dispatcher.client(context)));
    }

    /** A public route whose handler reads the request and writes the response itself. No body was read before it. */
    public void raw(String path, Handler<RoutingContext> handler) {
        mount(null, path, Access.everybody(), route -> route.handler(handler));
    }

    /**
     * Checks the caller of a {@link #raw} route for a request that is not public. The project of the rule is named by the path or
     * the query, because no body has been read.
     */
    public Future<ApiCall> admitted(RoutingContext context, Access access) {
        return dispatcher.admitted(context, access);
    }

    /**
     * As {@link #raw}, for one method, and the {@link #body} has been collected before.
     *
     * @param mayBeLarge called before a body is read that is larger than an unknown caller may send. When it fails, the
     *     handler gets no body, and must refuse the caller for the same reason
     */
    public void rawWithBody(
            HttpMethod method,
            String path,
            Function<RoutingContext, Future<?>> mayBeLarge,
            Handler<RoutingContext> handler) {
        rawWithBody(method, path, dispatcher.bodyBytesMax(), mayBeLarge, handler);
    }

    public void rawWithBody(
            HttpMethod method,
            String path,
            long bytesMax,
            Function<RoutingContext, Future<?>> mayBeLarge,
            Handler<RoutingContext> handler) {
        mount(
                method,
                path,
                Access.everybody(),
                route -> route.handler(context -> dispatcher.collected(context, bytesMax, mayBeLarge, handler)));
    }

    public static Buffer body(RoutingContext context) {
        Buffer body = context.get(RequestDispatcher.BODY);
        return body == null ? Buffer.buffer() : body;
    }

    /** Reads bodies for handlers that do it themselves, within the budget of all. */
    public BodyReception bodies() {
        return dispatcher.bodies();
    }

    public void rawGet(String path, Handler<RoutingContext> handler) {
        mount(
                HttpMethod.GET,
                path,
                Access.everybody(),
                route -> alsoAsHead(HttpMethod.GET, route).handler(handler));
    }

    /**
     * As {@link #rawGet}, for every path that no route before it has answered.
     *
     * @param path its name in the API document
     */
    public void rawGetRest(String path, Handler<RoutingContext> handler) {
        mounted.add(new MountedRoute(HttpMethod.GET.name(), path, true, Access.everybody()));
        table.add(
                HttpMethod.GET,
                "/*",
                Access.everybody(),
                route -> alsoAsHead(HttpMethod.GET, route).handler(handler));
    }

    /** As {@link #rawGet}, for a PUT whose handler reads the body itself. */
    public void rawPut(String path, Handler<RoutingContext> handler) {
        mount(HttpMethod.PUT, path, Access.everybody(), route -> route.handler(handler));
    }

    public static String requestId(RoutingContext context) {
        return context.get(REQUEST_ID);
    }

    public Vertx vertx(RoutingContext context) {
        return context.vertx();
    }

    public List<MountedRoute> mounted() {
        return List.copyOf(mounted);
    }

    private <T> void on(
            HttpMethod method,
            String path,
            Access access,
            Function<Input, T> read,
            BiFunction<ApiCall, T, Future<ApiReply>> answer) {
        on(method, path, access, read, answer, false);
    }

    private <T> void on(
            HttpMethod method,
            String path,
            Access access,
            Function<Input, T> read,
            BiFunction<ApiCall, T, Future<ApiReply>> answer,
            boolean deep) {
        mount(
                method,
                path,
                access,
                route -> alsoAsHead(method, route)
                        .handler(dispatcher::admit)
                        .handler(context -> dispatcher.answered(
                                context,
                                access,
                                read,
                                answer,
                                dispatcher.reader(access, deep).read(context))));
    }

    /** A GET route also answers HEAD; not so a stream, which does not end. */
    private static Route alsoAsHead(HttpMethod method, Route route) {
        return HttpMethod.GET.equals(method) ? route.method(HttpMethod.HEAD) : route;
    }

    /**
     * Mounts one route under each prefix.
     *
     * @param method null for any
     */
    private void mount(HttpMethod method, String path, Access access, Consumer<Route> handlers) {
        Objects.requireNonNull(access, "a route needs an access rule");
        mounted.add(new MountedRoute(method == null ? "*" : method.name(), path, prefixes.contains(""), access));
        for (var prefix : prefixes) {
            if (first != null) {
                table.add(
                        method,
                        prefix + path,
                        access,
                        route -> alsoAsHead(method, route).handler(first));
            }
            table.add(method, prefix + path, access, handlers);
            secretOf(path).ifPresent(parameter -> table.secrets().add(prefix + path, parameter));
        }
    }

    private Optional<String> secretOf(String path) {
        if (secrets.isEmpty()) {
            return Optional.empty();
        }
        var names =
                secrets.stream().filter(List.of(path.split("[/:]+"))::contains).toList();
        if (names.size() != 1) {
            throw new IllegalStateException("expected one of the parameters " + secrets + " in " + path);
        }
        return Optional.of(names.getFirst());
    }
}
