package io.millrace.base.http;

import io.millrace.base.access.Access;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * All routes, in the order they are tried, by the segment of their path that names the resource: {@code flows} in
 * {@code /api/v1/flows/:id}. A request is compared with the routes of its segment alone, and not with every route of the
 * server. An address that this table parses wrongly is answered like an unknown path, never by another route.
 */
public final class RouteTable {
    private static final String API = "/api";
    private static final String VERSION = "/v1";

    private final List<Entry> entries = new ArrayList<>();
    private final SecretSegments secrets = new SecretSegments();

    /**
     * @param method null for any
     * @param segment null for routes that any path may mean
     */
    private record Entry(HttpMethod method, String path, String segment, Access access, Consumer<Route> handlers) {
        boolean mayServe(String asked) {
            return segment == null || segment.equals(asked);
        }

        void mount(Router router) {
            var route = method == null ? router.route(path) : router.route(method, path);
            handlers.accept(route.putMetadata(Routes.ACCESS, access));
        }
    }

    /**
     * @param method null for any
     * @param handlers adds the handlers to a route; may be called for several routes
     */
    void add(HttpMethod method, String path, Access access, Consumer<Route> handlers) {
        var segment = segmentOf(path);
        entries.add(new Entry(method, path, isFixed(segment) ? segment : null, access, handlers));
    }

    /** Segments of the paths of all routes that logs mask. */
    public SecretSegments secrets() {
        return secrets;
    }

    private static boolean isFixed(String segment) {
        return segment.indexOf(':') < 0 && segment.indexOf('*') < 0;
    }

    /**
     * Handler of all requests.
     *
     * @param empty supplies a router that has only the routes that precede all others
     * @param completed gets each router when its routes are mounted
     */
    public Handler<HttpServerRequest> handler(Supplier<Router> empty, Consumer<Router> completed) {
        Set<String> segments = new LinkedHashSet<>();
        entries.stream().map(Entry::segment).filter(Objects::nonNull).forEach(segments::add);
        Map<String, Router> routers = new HashMap<>();
        segments.forEach(segment -> routers.put(segment, routerOf(segment, empty, completed)));
        var others = routerOf(null, empty, completed);
        return request ->
                routers.getOrDefault(segmentOf(request.path()), others).handle(request);
    }

    private Router routerOf(String segment, Supplier<Router> empty, Consumer<Router> completed) {
        var router = empty.get();
        entries.stream().filter(entry -> entry.mayServe(segment)).forEach(entry -> entry.mount(router));
        completed.accept(router);
        return router;
    }

    /** The first segment of a path after {@code /api} and {@code /v1}, which both may be missing; empty when there is none. */
    static String segmentOf(String path) {
        if (path == null || path.isEmpty() || path.charAt(0) != '/') {
            return "";
        }
        var plain = isPlain(path) ? path : plain(path);
        var from = behind(VERSION, plain, behind(API, plain, 0)) + 1;
        var end = plain.indexOf('/', from);
        return plain.substring(from, end < 0 ? plain.length() : end);
    }

    private static int behind(String part, String path, int from) {
        var end = from + part.length();
        return path.startsWith(part, from) && end < path.length() && path.charAt(end) == '/' ? end : from;
    }

    static boolean isPlain(String path) {
        return path.indexOf('%') < 0 && !path.contains("//") && !path.contains("/.");
    }

    /** A path without empty parts and dots, decoded, as routers compare it. */
    static String plain(String path) {
        var parts = new ArrayList<String>();
        for (var encoded : path.split("/")) {
            var part = decoded(encoded);
            if (part.equals("..")) {
                if (!parts.isEmpty()) {
                    parts.removeLast();
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    private static String decoded(String part) {
        var sign = part.indexOf('%');
        if (sign < 0) {
            return part;
        }
        var text = new StringBuilder(part);
        for (; sign >= 0 && sign + 2 < text.length(); sign = text.indexOf("%", sign + 1)) {
            if (HexFormat.isHexDigit(text.charAt(sign + 1)) && HexFormat.isHexDigit(text.charAt(sign + 2))) {
                var character = (char) HexFormat.fromHexDigits(text, sign + 1, sign + 3);
                text.replace(sign, sign + 3, String.valueOf(character));
            }
        }
        return text.toString();
    }
}
