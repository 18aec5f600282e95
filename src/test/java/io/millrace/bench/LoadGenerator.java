package io.millrace.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Closed loop over several connections: each sends its next request after the complete response to the last one. It
 * writes the same prepared bytes repeatedly and parses only the necessary parts of a response, to use little processor
 * time. One event loop drives all connections.
 */
final class LoadGenerator implements AutoCloseable {
    /** Time limit of a load with a fixed number of requests. */
    private static final Duration UNTIL_DONE = Duration.ofMinutes(1);

    /** Grace period for the last responses of a load; longer than a server waits for its database. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private static final int WAITS_SHOWN_MAX = 10;

    private final Duration grace;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final NetClient client =
            vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true).setConnectTimeout(5000));

    LoadGenerator() {
        this(GRACE);
    }

    /** @param grace grace period for the last responses of a load */
    LoadGenerator(Duration grace) {
        this.grace = grace;
    }

    /** Puts a server under load and returns the results. */
    LoadFigures run(Target target, int connections, Duration length) {
        return run(List.of(target), connections, 0, length);
    }

    /** Puts a server under a load of this many requests per second, shared by the targets, as far as it keeps up. */
    LoadFigures paced(List<Target> targets, int connectionsEach, int perSecond, Duration length) {
        var pauseMs = 1000L * targets.size() * connectionsEach / perSecond;
        return run(targets, connectionsEach, pauseMs, length);
    }

    /** Puts a server under load by connections that each iterate over the targets. */
    LoadFigures inTurn(List<Target> targets, int connections, Duration length) {
        var requests = targets.stream().map(Target::bytes).toList();
        var shares = IntStream.range(0, connections)
                .mapToObj(number ->
                        new Share(targets.getFirst().port(), requests, number * requests.size() / connections))
                .toList();
        return run(shares, Long.MAX_VALUE, 0, length);
    }

    /** Sends this many requests on several connections, or fewer if they take longer. */
    LoadFigures calls(Target target, int connections, long requests, Duration longest) {
        var shares = Collections.nCopies(connections, new Share(target.port(), List.of(target.bytes()), 0));
        return run(shares, Math.max(1, requests / connections), 0, longest);
    }

    /** Sends this many requests on one connection. */
    LoadFigures first(Target target, int requests) {
        return run(List.of(new Share(target.port(), List.of(target.bytes()), 0)), requests, 0, UNTIL_DONE);
    }

    private LoadFigures run(List<Target> targets, int connectionsEach, long pauseMs, Duration length) {
        var shares = targets.stream()
                .flatMap(target ->
                        Collections.nCopies(connectionsEach, new Share(target.port(), List.of(target.bytes()), 0))
                                .stream())
                .toList();
        return run(shares, Long.MAX_VALUE, pauseMs, length);
    }

    /** Requests of one connection, sent cyclically from the index {@code first}. */
    private record Share(int port, List<Buffer> requests, int first) {}

    /** @param requestsEach number of requests after which a connection ends, if the time is not over before */
    private LoadFigures run(List<Share> shares, long requestsEach, long pauseMs, Duration length) {
        var histogram = LoadFigures.histogram();
        var started = System.nanoTime();
        var end = started + length.toNanos();
        var all = new ArrayList<Connection>();
        var ended = new ArrayList<Future<Void>>();
        for (var share : shares) {
            var connection = new Connection(vertx, share, histogram, requestsEach, end, pauseMs);
            // Staggered: connections of a paced load that start together would stay in bursts.
            var delayMs = 1 + pauseMs * all.size() / shares.size();
            all.add(connection);
            ended.add(vertx.timer(delayMs, TimeUnit.MILLISECONDS)
                    .compose(_ -> client.connect(share.port(), "127.0.0.1"))
                    .compose(connection::drive));
        }
        awaitAll(all, ended, length.plus(grace));
        var seconds = (System.nanoTime() - started) / 1e9;
        var refused = all.stream().mapToLong(connection -> connection.refused).sum();
        return new LoadFigures(histogram, histogram.getTotalCount(), refused, seconds);
    }

    private static void awaitAll(List<Connection> all, List<Future<Void>> ended, Duration longest) {
        try {
            Future.all(ended).await(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            var waits = IntStream.range(0, all.size())
                    .filter(index -> !ended.get(index).isComplete())
                    .mapToObj(index -> all.get(index).waitsFor())
                    .toList();
            throw new IllegalStateException(
                    "expected " + all.size() + " connections to end within " + longest + ", found " + waits.size()
                            + " that wait for: "
                            + waits.stream().distinct().limit(WAITS_SHOWN_MAX).toList(),
                    late);
        }
    }

    @Override
    public void close() {
        try {
            vertx.close().await(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("expected the event loop of the load to end within " + GRACE, late);
        }
    }

    /** A prepared request. */
    record Target(int port, Buffer bytes) {
        static Target get(int port, String path, String token) {
            return new Target(
                    port,
                    Buffer.buffer("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAuthorization: Bearer "
                            + token + "\r\n\r\n"));
        }

        static Target post(int port, String path, String json, String token) {
            var body = json.getBytes(StandardCharsets.UTF_8);
            var head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nAuthorization: Bearer " + token
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
            return new Target(port, Buffer.buffer(head).appendBytes(body));
        }

        static Target post(int port, String path, String json) {
            var body = json.getBytes(StandardCharsets.UTF_8);
            var head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
            return new Target(port, Buffer.buffer(head).appendBytes(body));
        }
    }

    /** One connection; used on the event loop. */
    private static final class Connection {
        private final Promise<Void> done = Promise.promise();
        private final int port;
        private final Vertx vertx;
        private final List<Buffer> requests;
        private final Histogram histogram;
        private final long end;
        private final long pauseMs;
        private long left;
        private int next;
        private volatile NetSocket socket;
        private final AtomicInteger answered = new AtomicInteger();
        private Buffer received = Buffer.buffer();
        private long dueAt;
        private long sentAt;
        private long refused;

        /**
         * @param requests largest number of requests
         * @param pauseMs pause between requests; 0 to send the next one after the last response
         */
        Connection(Vertx vertx, Share share, Histogram histogram, long requests, long end, long pauseMs) {
            this.vertx = vertx;
            this.port = share.port();
            this.requests = share.requests();
            this.next = share.first();
            this.histogram = histogram;
            this.left = requests;
            this.end = end;
            this.pauseMs = pauseMs;
        }

        Future<Void> drive(NetSocket opened) {
            socket = opened;
            socket.handler(this::receive);
            socket.exceptionHandler(done::tryFail);
            socket.closeHandler(_ -> done.tryFail("the server closed the connection"));
            dueAt = System.nanoTime();
            send(dueAt);
            return done.future();
        }

        /** Read on another thread: it may be late by one response. */
        String waitsFor() {
            return socket == null
                    ? "a connection to port " + port
                    : "the answer " + (answered.get() + 1) + " of port " + port;
        }

        /** @param since begin of the wait for the response: earlier than now if the last response was late */
        private void send(long since) {
            sentAt = since;
            var _ = socket.write(requests.get(next)).onFailure(done::tryFail);
            next = (next + 1) % requests.size();
        }

        private void receive(Buffer part) {
            received = received.length() == 0 ? part : received.appendBuffer(part);
            var answer = AnswerHead.of(received.getBytes());
            if (answer == null || received.length() < answer.length()) {
                return;
            }
            received = Buffer.buffer();
            var now = System.nanoTime();
            if (answer.status() / 100 == 2) {
                histogram.recordValue((now - sentAt) / 1000);
            } else {
                refused++;
            }
            left--;
            answered.incrementAndGet();
            var goesOn = left > 0 && now < end;
            dueAt += pauseMs * 1_000_000;
            if (goesOn && pauseMs > 0 && now < dueAt) {
                vertx.setTimer((dueAt - now) / 1_000_000 + 1, _ -> send(System.nanoTime()));
            } else if (goesOn) {
                send(pauseMs > 0 ? dueAt : now);
            } else {
                done.tryComplete();
                var _ = socket.close();
            }
        }
    }

    /**
     * Parsed parts of a response.
     *
     * @param length length of head and body
     */
    private record AnswerHead(int status, int length) {
        private static final byte[] LENGTH = "\r\ncontent-length: ".getBytes(StandardCharsets.US_ASCII);

        /** Null while the head is incomplete. */
        static AnswerHead of(byte[] bytes) {
            var status = 0;
            var bodyLength = -1;
            for (var at = 0; at + 3 < bytes.length; at++) {
                if (bytes[at] != '\r') {
                    continue;
                }
                if (status == 0) {
                    status = number(bytes, "HTTP/1.1 ".length());
                }
                if (bytes[at + 2] == '\r') {
                    if (bodyLength < 0) {
                        throw new IllegalStateException("expected an answer with a content-length");
                    }
                    return new AnswerHead(status, at + 4 + bodyLength);
                }
                if (isLength(bytes, at)) {
                    bodyLength = number(bytes, at + LENGTH.length);
                }
            }
            return null;
        }

        private static boolean isLength(byte[] bytes, int at) {
            if (at + LENGTH.length > bytes.length) {
                return false;
            }
            for (var index = 2; index < LENGTH.length; index++) {
                if (Character.toLowerCase((char) bytes[at + index]) != LENGTH[index]) {
                    return false;
                }
            }
            return true;
        }

        private static int number(byte[] bytes, int at) {
            var value = 0;
            for (var index = at; index < bytes.length && bytes[index] >= '0' && bytes[index] <= '9'; index++) {
                value = value * 10 + bytes[index] - '0';
            }
            return value;
        }
    }
}
