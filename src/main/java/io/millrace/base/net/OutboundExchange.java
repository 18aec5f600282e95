package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

/** One exchange with all its hops: route, connect, send, follow redirects, receive. Confined to the caller's context. */
final class OutboundExchange<T> {
    private static final String AGENT = "Millrace";
    private static final Set<String> METHODS_WITH_BODY = Set.of("POST", "PUT", "PATCH");

    interface Taking<T> {
        Future<T> take(OutboundRequest request, HttpClientResponse response);
    }

    private final Taking<T> taking;
    private final Vertx vertx;
    private final HttpClient client;
    private final OutboundRouting router;
    private final OutboundLimits limits;
    private final Fence fence;
    private final OutboundRequest first;
    private final Promise<T> done;

    /** The request on the wire; closed when time is up. Touched on the exchange's context only. */
    private HttpClientRequest current;

    OutboundExchange(
            Vertx vertx,
            HttpClient client,
            OutboundRouting router,
            OutboundLimits limits,
            Fence fence,
            OutboundRequest first,
            Taking<T> taking) {
        this.taking = taking;
        this.vertx = vertx;
        this.client = client;
        this.router = router;
        this.limits = limits;
        this.fence = fence;
        this.first = first;
        this.done = ((VertxInternal) vertx).promise();
    }

    /** @param cancelled ends the exchange as {@code CANCELLED} */
    @SuppressWarnings("ReferenceEquality") // identity with the constant marks calls without a cancellation
    Future<T> run(Future<Void> cancelled) {
        if (cancelled != OutboundHttp.NEVER_CANCELLED) {
            var context = vertx.getOrCreateContext();
            cancelled.onComplete(_ -> context.runOnContext(_ -> end(Failures.cancelled())));
        }
        return run();
    }

    Future<T> run() {
        var timeoutMs = first.bounds().timeoutMs().orElse(limits.timeoutMs());
        if (timeoutMs < 1) {
            return Future.failedFuture(Failures.timedOut(0));
        }
        var timer = vertx.setTimer(timeoutMs, _ -> giveUp(timeoutMs));
        hop(first, 0).onComplete(result -> {
            vertx.cancelTimer(timer);
            if (result.succeeded()) {
                done.tryComplete(result.result());
            } else {
                done.tryFail(Failures.ofExchange(result.cause(), peer(first)));
            }
        });
        return done.future();
    }

    private void giveUp(long timeoutMs) {
        end(Failures.timedOut(timeoutMs));
    }

    private void end(OutboundFailure failure) {
        if (done.tryFail(failure) && current != null) {
            current.reset();
        }
    }

    private Future<T> hop(OutboundRequest request, int redirects) {
        return Future.succeededFuture(request)
                .compose(router::routeOf)
                .compose(route -> connect(request, route, 0))
                .compose(wire -> sent(request, wire))
                .compose(response -> answered(request, response, redirects))
                .recover(cause -> Future.failedFuture(Failures.ofExchange(cause, peer(request))));
    }

    private Future<HttpClientRequest> connect(OutboundRequest request, OutboundRoute route, int index) {
        if (done.future().isComplete()) {
            return Future.failedFuture(Failures.timedOut(0));
        }
        var address = route.addresses().get(index);
        return client.request(options(request, route, address)).recover(cause -> {
            var failure = Failures.ofConnecting(cause, route.named(address));
            return index + 1 < route.addresses().size()
                    ? connect(request, route, index + 1)
                    : Future.failedFuture(failure);
        });
    }

    private RequestOptions options(OutboundRequest request, OutboundRoute route, InetAddress address) {
        var target = request.address();
        var options = new RequestOptions()
                .setMethod(HttpMethod.valueOf(request.method()))
                .setHost(target.host())
                .setPort(target.port())
                .setSsl(target.secure())
                .setURI(target.target())
                .setFollowRedirects(false)
                .setConnectTimeout(limits.connectTimeoutMs());
        if (route.proxy().isPresent()) {
            return options.setProxyOptions(route.proxyOptions(address));
        }
        // The connection is opened to the judged address; Host header and server name stay those of the URL.
        return options.setServer(SocketAddress.inetSocketAddress(new InetSocketAddress(address, route.port())));
    }

    private Future<HttpClientResponse> sent(OutboundRequest request, HttpClientRequest wire) {
        current = wire;
        if (done.future().isComplete()) {
            reset(wire);
            return Future.failedFuture(Failures.timedOut(0));
        }
        // The process may have been stopped while the connection was made or waited for.
        if (!fence.isHeld()) {
            reset(wire);
            return Future.failedFuture(Failures.fenced(peer(request)));
        }
        var headers = wire.headers();
        headers.set(HttpHeaders.HOST, request.address().authority());
        headers.set(HttpHeaders.ACCEPT, "*/*");
        headers.set(HttpHeaders.ACCEPT_ENCODING, Inflation.ACCEPTED);
        headers.set(HttpHeaders.USER_AGENT, AGENT);
        request.address().userInfo().ifPresent(info -> headers.set(HttpHeaders.AUTHORIZATION, basic(info)));
        request.headers().forEach(headers::set);
        if (request.body().isPresent()) {
            return wire.send(request.body().get());
        }
        if (METHODS_WITH_BODY.contains(request.method())) {
            headers.set(HttpHeaders.CONTENT_LENGTH, "0");
        }
        return wire.send();
    }

    /** Gives a request up before it is sent; the library would log an error that no handler takes. */
    private static void reset(HttpClientRequest unsent) {
        unsent.exceptionHandler(_ -> {});
        unsent.reset();
    }

    private Future<T> answered(OutboundRequest request, HttpClientResponse response, int redirects) {
        var location = response.getHeader(HttpHeaders.LOCATION);
        if (request.bounds().redirectsMax() == 0 || location == null || !Redirects.isRedirect(response.statusCode())) {
            return taking.take(request, response);
        }
        // The body of a redirect is not needed: its connection is reset unread. The reset is reported to the response,
        // and would
        // be logged as an error without a handler.
        response.exceptionHandler(_ -> {});
        response.request().reset();
        if (redirects == request.bounds().redirectsMax()) {
            return Future.failedFuture(new OutboundFailure(
                    OutboundFailure.Kind.TOO_MANY_REDIRECTS,
                    "more than " + request.bounds().redirectsMax() + " redirects, the last one by " + peer(request)));
        }
        return hop(Redirects.next(request, response.statusCode(), location), redirects + 1);
    }

    private static String peer(OutboundRequest request) {
        return request.address().host() + ":" + request.address().port();
    }

    private static String basic(String userInfo) {
        var colon = userInfo.indexOf(':');
        var user = decoded(colon < 0 ? userInfo : userInfo.substring(0, colon));
        var password = colon < 0 ? "" : decoded(userInfo.substring(colon + 1));
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String text) {
        try {
            return java.net.URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            // A percent sign that encodes no byte is literal, as in browsers.
            return text;
        }
    }
}
