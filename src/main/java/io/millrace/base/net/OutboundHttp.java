package io.millrace.base.net;

import io.millrace.base.metrics.MeterSet;
import io.millrace.base.trace.Tracer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The HTTP client for all outbound calls (contract admin-api 1.15).
 *
 * <p>Promises: no connection is opened to an address that the guard refuses, at any hop; every exchange ends within its time;
 * no response is larger than the limit, also after decompression. A failure is an {@link OutboundFailure}. An HTTP error
 * status is a response and not a failure: the caller interprets it.
 */
public final class OutboundHttp {
    private static final int KEEP_ALIVE_SECONDS = 15;
    private static final int HEADERS_BYTES_MAX = 64 * 1024;

    public static final Future<Void> NEVER_CANCELLED = Future.future(_ -> {});

    private final Vertx vertx;
    private final OutboundLimits limits;
    private final OutboundMeters meters;
    private final OutboundRouting router;
    private final HttpClientAgent client;
    private final OutboundTraces traces;

    private final Supplier<Fence> fences;

    /** Empty if calls are never rejected. */
    private final Optional<Breakers> breakers;

    public OutboundHttp(Vertx vertx, AddressGuard guard, OutboundLimits limits) {
        this(vertx, guard, limits, new MeterSet());
    }

    public OutboundHttp(Vertx vertx, AddressGuard guard, OutboundLimits limits, MeterSet meters) {
        this(vertx, guard, limits, NameLookup.of(vertx), new HttpClientOptions(), meters);
    }

    OutboundHttp(Vertx vertx, AddressGuard guard, OutboundLimits limits, NameLookup lookup, HttpClientOptions options) {
        this(vertx, guard, limits, lookup, options, new MeterSet());
    }

    private OutboundHttp(
            Vertx vertx,
            AddressGuard guard,
            OutboundLimits limits,
            NameLookup lookup,
            HttpClientOptions options,
            MeterSet meters) {
        this.meters = new OutboundMeters(meters, HostClass.FLOW);
        this.traces = OutboundTraces.NONE;
        this.fences = () -> Fence.OPEN;
        this.vertx = vertx;
        this.limits = limits;
        this.router = new OutboundRouting(new HostGuard(guard, lookup));
        this.client = vertx.httpClientBuilder()
                .with(options.setProtocolVersion(HttpVersion.HTTP_1_1)
                        .setKeepAlive(true)
                        .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                        .setConnectTimeout(limits.connectTimeoutMs())
                        .setMaxHeaderSize(HEADERS_BYTES_MAX)
                        // Netty inflates a chunk before its size can be counted; Inflation counts while it inflates.
                        .setDecompressionSupported(false))
                .with(new PoolOptions()
                        .setHttp1MaxSize(limits.connectionsPerOriginMax())
                        .setMaxWaitQueueSize(limits.waitingPerOriginMax()))
                .build();
        // Vert.x itself keeps a client, and all objects reachable from it, until the client is closed.
        ((VertxInternal) vertx).addCloseHook(closed -> client.close().onComplete(closed));
        this.breakers = Optional.empty();
    }

    private OutboundHttp(
            OutboundHttp other,
            Optional<Breakers> breakers,
            OutboundTraces traces,
            OutboundMeters meters,
            Supplier<Fence> fences) {
        this.meters = meters;
        this.vertx = other.vertx;
        this.limits = other.limits;
        this.router = other.router;
        this.client = other.client;
        this.traces = traces;
        this.fences = fences;
        this.breakers = breakers;
    }

    /**
     * The same client for the server's own calls to others (identity providers, vaults, storage, event destinations): a
     * circuit breaker for each host and port. Calls of flows have none: a host that is down for one project need not be down
     * for another, and retries are up to the flow.
     *
     * @param failuresMax unanswered calls in a row, after which the next ones fail as CIRCUIT_OPEN at once
     * @param pause time for which they do; then one call may try
     */
    public OutboundHttp withCircuitBreakers(int failuresMax, Duration pause) {
        var made = new Breakers(
                vertx,
                failuresMax,
                pause,
                failure -> failure instanceof OutboundFailure outbound
                        && outbound.kind().isUnanswered());
        meters.circuits(made);
        return new OutboundHttp(this, Optional.of(made), traces, meters, fences);
    }

    public OutboundHttp tracedBy(Tracer tracer, InstantSource clock) {
        return new OutboundHttp(this, breakers, new OutboundTraces(tracer, clock), meters, fences);
    }

    /** The default class is that of flows. */
    public OutboundHttp toHosts(HostClass hosts) {
        return new OutboundHttp(this, breakers, traces, meters.of(hosts), fences);
    }

    /**
     * The same client, whose exchanges are sent only while a fence is held: otherwise they fail as FENCED before the first
     * byte of a request. Existing fences of the client stay in force.
     *
     * @param more makes the fence of an exchange, when it begins
     */
    public OutboundHttp fencedBy(Supplier<Fence> more) {
        return new OutboundHttp(
                this, breakers, traces, meters, () -> fences.get().and(more.get()));
    }

    /**
     * Sends the request, following as many redirects as it allows. A caller outside an event loop gets one: a response must
     * be read on the loop that it arrives on, or its end may pass before a handler is set.
     */
    public Future<OutboundResponse> send(OutboundRequest request) {
        return send(request, _ -> {});
    }

    /**
     * The same for a response that is processed while it arrives, without decoding.
     *
     * @param receiver gets each part of the body on the event loop that reads it; the response has all of them
     */
    public Future<OutboundResponse> send(OutboundRequest request, Consumer<Buffer> receiver) {
        return send(request, receiver, NEVER_CANCELLED);
    }

    /**
     * The same for a response that its caller may cease to need.
     *
     * @param cancelled its completion closes the connection; the request fails as {@code CANCELLED} then
     */
    public Future<OutboundResponse> send(OutboundRequest request, Consumer<Buffer> receiver, Future<Void> cancelled) {
        if (breakers.isEmpty()) {
            return exchange(request, receiver, cancelled);
        }
        var origin = request.address().origin();
        return breakers.get()
                .call(origin, () -> exchange(request, receiver, cancelled))
                .recover(failure -> Future.failedFuture(Breakers.isLeftAlone(failure) ? leftAlone(origin) : failure));
    }

    private OutboundFailure leftAlone(String origin) {
        var failure = new OutboundFailure(
                OutboundFailure.Kind.CIRCUIT_OPEN,
                origin + " has failed too often; requests to it are suspended for a short time");
        meters.failed(failure, 0);
        return failure;
    }

    private Future<OutboundResponse> exchange(
            OutboundRequest request, Consumer<Buffer> receiver, Future<Void> cancelled) {
        var begun = System.nanoTime();
        return traces.around(request, OutboundResponse::status, traced -> exchanged(traced, receiver, cancelled))
                .onComplete(done -> meters.ended(done, OutboundResponse::status, System.nanoTime() - begun));
    }

    private Future<OutboundResponse> exchanged(
            OutboundRequest request, Consumer<Buffer> receiver, Future<Void> cancelled) {
        var exchange = new OutboundExchange<>(
                vertx,
                client,
                router,
                limits,
                fences.get(),
                request,
                (hop, response) -> whole(hop, response, receiver));
        if (Context.isOnEventLoopThread()) {
            return exchange.run(cancelled);
        }
        var answered = Promise.<OutboundResponse>promise();
        vertx.getOrCreateContext().runOnContext(_ -> exchange.run(cancelled).onComplete(answered));
        return answered.future();
    }

    /**
     * Sends the request and hands the response over unread; the time that the request allows ends there. For a caller on an
     * event loop, which reads the body or discards it.
     */
    public Future<OutboundStream> open(OutboundRequest request) {
        var begun = System.nanoTime();
        return traces.around(request, OutboundStream::status, this::opened)
                .onComplete(done -> meters.ended(done, OutboundStream::status, System.nanoTime() - begun));
    }

    private Future<OutboundStream> opened(OutboundRequest request) {
        var idleMs = request.bounds().timeoutMs().orElse(limits.timeoutMs());
        return new OutboundExchange<>(vertx, client, router, limits, fences.get(), request, (_, response) -> {
                    response.pause();
                    return Future.succeededFuture(new OutboundStream(vertx, response, idleMs));
                })
                .run();
    }

    private Future<OutboundResponse> whole(
            OutboundRequest request, HttpClientResponse response, Consumer<Buffer> receiver) {
        var encodings = response.headers().getAll(HttpHeaders.CONTENT_ENCODING);
        var bytesMax =
                Math.min(limits.bodyBytesMax(), request.bounds().bodyBytesMax().orElse(Integer.MAX_VALUE));
        return ResponseBodyReader.read(response, bytesMax, receiver)
                .compose(body -> plain(response, body, encodings, bytesMax))
                .map(body -> new OutboundResponse(response.statusCode(), response.headers(), body, request.address()));
    }

    private Future<Buffer> plain(HttpClientResponse response, Buffer body, List<String> encodings, int bytesMax) {
        if (body.length() == 0 || !Inflation.applies(encodings)) {
            return Future.succeededFuture(body);
        }
        response.headers().remove(HttpHeaders.CONTENT_ENCODING).remove(HttpHeaders.CONTENT_LENGTH);
        return vertx.executeBlocking(() -> Inflation.inflate(body, encodings, bytesMax), false);
    }

    public Future<Void> close() {
        return client.close();
    }
}
