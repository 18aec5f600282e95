package io.millrace.integration.activity;

import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Many listeners of projects on one event loop. A listener reconnects with the id of its last complete event. */
final class ListenerCrowd implements AutoCloseable {
    private static final int CONNECTING_MAX = 50;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    private final HttpClient client;
    private final int port;
    private final AtomicLong bytes = new AtomicLong();
    private final List<Listener> listeners = new ArrayList<>();

    ListenerCrowd(int port, int connectionsMax) {
        this.port = port;
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setKeepAlive(false), new PoolOptions().setHttp1MaxSize(connectionsMax));
    }

    /**
     * Opens listeners of the projects in turn, and waits until each has received the event that all later changes
     * follow.
     */
    void open(List<PublishedFlow> projects, int count) {
        for (var number = 0; number < count; number++) {
            var listener = new Listener(projects.get(number % projects.size()));
            listeners.add(listener);
            listener.connect();
            if (listeners.size() % CONNECTING_MAX == 0) {
                awaitReady();
            }
        }
        awaitReady();
    }

    private void awaitReady() {
        Waiting.until("all listeners are ready", () -> listeners.stream().allMatch(listener -> listener.ready));
    }

    List<Listener> listeners() {
        return listeners;
    }

    long bytes() {
        return bytes.get();
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }

    /** Client of the events of one project; its fields are written on the event loop. */
    final class Listener {
        private final PublishedFlow project;
        private final List<EventPosition> received = new ArrayList<>();
        private final AtomicInteger endedRuns = new AtomicInteger();
        private final StringBuilder text = new StringBuilder();
        private HttpClientRequest request;
        private String lastId;
        private String name = "";
        private String id;
        private int connections;
        private boolean endsRun;
        private volatile boolean ready;
        private volatile String failure;

        private Listener(PublishedFlow project) {
            this.project = project;
        }

        String projectId() {
            return project.projectId();
        }

        /** Null unless the server refused or ended the stream. */
        String failure() {
            return failure;
        }

        /** Number of received end events of runs, including repetitions. */
        int endedRuns() {
            return endedRuns.get();
        }

        /** Positions of the received events in order of arrival, including repetitions. */
        List<EventPosition> received() {
            synchronized (received) {
                return List.copyOf(received);
            }
        }

        private void connect() {
            var connection = ++connections;
            text.setLength(0);
            client.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1/projects/" + projectId() + "/events")
                    .compose(opened -> {
                        request = opened;
                        opened.putHeader(
                                "Authorization", "Bearer " + project.api().token());
                        if (lastId != null) {
                            opened.putHeader("Last-Event-ID", lastId);
                        }
                        return opened.send();
                    })
                    .compose(answer -> {
                        if (answer.statusCode() != 200) {
                            return Future.failedFuture("status " + answer.statusCode());
                        }
                        answer.handler(part -> {
                            if (connection == connections) {
                                receive(part);
                            }
                        });
                        answer.exceptionHandler(_ -> {});
                        answer.endHandler(_ -> fail(connection, "the server ended the stream"));
                        return Future.succeededFuture();
                    })
                    .onFailure(cause -> fail(connection, cause.getMessage()));
        }

        private void fail(int connection, String cause) {
            if (connection == connections) {
                failure = cause;
            }
        }

        /** Closes the connection, also within an event, and reconnects. */
        void reconnect() {
            vertx.getOrCreateContext().runOnContext(_ -> {
                var dropped = request;
                connections++;
                dropped.connection().close().onComplete(_ -> connect());
            });
        }

        private void receive(Buffer part) {
            bytes.addAndGet(part.length());
            text.append(part);
            var from = 0;
            for (var end = text.indexOf("\n", from); end >= 0; end = text.indexOf("\n", from)) {
                line(text.substring(from, end));
                from = end + 1;
            }
            text.delete(0, from);
        }

        private void line(String line) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length());
            } else if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("data: ")) {
                endsRun = line.contains("\"finishTime\"");
            } else if (line.isEmpty()) {
                ended();
            }
        }

        private void ended() {
            if (name.equals("ready")) {
                ready = true;
            } else if (name.equals("closed")) {
                failure = "the server closed the stream";
            } else if (!name.isEmpty()) {
                synchronized (received) {
                    received.add(EventPosition.parse(id).orElseThrow());
                }
                endedRuns.addAndGet(endsRun ? 1 : 0);
            }
            lastId = id == null ? lastId : id;
            name = "";
            id = null;
        }
    }
}
