package io.millrace.fault;

import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Load balancer in front of the nodes of a storm. Nodes take turns, including those that restart, whose requests are
 * answered 502. It drops a random share of the nodes' responses by closing the caller's connection.
 */
final class FrontProxy implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 200;
    private static final int BAD_GATEWAY = 502;
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "host", "keep-alive", "transfer-encoding", "content-length");

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client =
            vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
    private final Supplier<List<Optional<URI>>> nodes;
    private final double dropped;
    private final RandomGenerator random;
    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger refusedCount = new AtomicInteger();
    private final AtomicInteger droppedCount = new AtomicInteger();

    /**
     * Starts to listen.
     *
     * @param nodes address of each node; empty while it restarts
     * @param dropped share of the responses that callers do not get
     */
    FrontProxy(Supplier<List<Optional<URI>>> nodes, double dropped, long seed) {
        this.nodes = nodes;
        this.dropped = dropped;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.server = Waiting.await(
                vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + server.actualPort() + "/api");
    }

    private void receive(HttpServerRequest request) {
        var all = nodes.get();
        var node = all.get(requests.getAndIncrement() % all.size());
        request.body()
                .compose(body -> node.map(there -> forwarded(request, body, there))
                        .orElseGet(() -> Future.failedFuture("the node restarts")))
                .onSuccess(answer -> answer(request, answer))
                .onFailure(_ -> refuse(request));
    }

    /** Response of a node. */
    private record Answer(HttpClientResponse head, Buffer body) {}

    private Future<Answer> forwarded(HttpServerRequest request, Buffer body, URI node) {
        return client.request(request.method(), node.getPort(), node.getHost(), request.uri())
                .compose(forward -> {
                    request.headers().forEach((name, value) -> {
                        if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT))) {
                            forward.putHeader(name, value);
                        }
                    });
                    return forward.send(body);
                })
                .compose(head -> head.body().map(read -> new Answer(head, read)));
    }

    private void answer(HttpServerRequest request, Answer answer) {
        if (random.nextDouble() < dropped) {
            droppedCount.incrementAndGet();
            request.connection().close();
            return;
        }
        var response = request.response().setStatusCode(answer.head().statusCode());
        answer.head().headers().forEach((name, value) -> {
            if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT))) {
                response.putHeader(name, value);
            }
        });
        response.end(answer.body());
    }

    private void refuse(HttpServerRequest request) {
        refusedCount.incrementAndGet();
        if (!request.response().closed()) {
            request.response().setStatusCode(BAD_GATEWAY).end();
        }
    }

    /** Number of responses that callers did not get. */
    int dropped() {
        return droppedCount.get();
    }

    /** Numbers of requests, 502 responses and dropped responses. */
    String figures() {
        return "%d requests, %d answered 502, %d answers dropped"
                .formatted(requests.get(), refusedCount.get(), droppedCount.get());
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
