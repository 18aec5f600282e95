package io.millrace.fault.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.RawHttp;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that are slow on purpose, or too many: their connections are closed, and others are served. */
@Slow(Slow.Reason.FAULT)
final class SlowClientsIT {
    /** Time for the database to restart, and for a worker to start, on a machine that is busy with other tests. */
    private static final Duration CODE_DEADLINE = Duration.ofMinutes(3);

    /** A synchronous call has its response within 30 s, unless its connection is lost. */
    private static final Duration ANSWER_DEADLINE = Duration.ofSeconds(40);

    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final String CODE = "export const code = async () => { return {sum: 1 + 1}; };";

    private DataDirectory directory;

    @BeforeEach
    void makeData() {
        directory = DataDirectory.prepared();
    }

    @AfterEach
    void removeData() {
        directory.close();
    }

    @Test
    void endsConnections_whoseHeadersOrBodiesTrickle() {
        // given a server with short deadlines, and a flow that takes longer than these to answer
        var settings = Map.of("AP_HTTP_HEADER_TIMEOUT_SECONDS", "2", "AP_HTTP_BODY_TIMEOUT_SECONDS", "2");
        try (var server = start(settings)) {
            var flow = PublishedFlow.create(
                    server.api(START_DEADLINE),
                    FlowScript.webhook()
                            .delay("wait", 6)
                            .respondJson("answer", "{'late':true}")
                            .importOperation("Slow")
                            .get("request"));
            var port = server.port(START_DEADLINE);

            // when clients send everything slowly
            try (var idle = RawHttp.connect(port);
                    var headers = RawHttp.connect(port).send("GET /api/v1/health HTTP/1.1\nHost: local");
                    var later = RawHttp.connect(port).send("GET /api/v1/health HTTP/1.1\nHost: localhost\n\n");
                    var kept = RawHttp.connect(port).send("GET /api/v1/health HTTP/1.1\nHost: localhost\n\n");
                    var body = RawHttp.connect(port).send(post(flow, 1000) + "{\"a");
                    var chunks = RawHttp.connect(port).send(chunked(flow) + "3\nabc\n");
                    var patient = RawHttp.connect(port).send(post("/sync", flow, 2) + "{}")) {
                assertThat(later.answer().status()).isEqualTo(200);
                assertThat(kept.answer().status()).isEqualTo(200);
                later.send("GET /api/v1/health HT");

                // then their connections are closed, and clients that wait for the server or are idle are served
                assertThat(List.of(idle, headers, later, body, chunks)).allMatch(RawHttp::isEnded);
                assertThat(patient.answer().status()).isEqualTo(200);
                assertThat(isAnswered(kept)).isTrue();
                assertThat(patient.send("GET /api/v1/health HTTP/1.1\nHost: localhost\n\n")
                                .answer()
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void refusesMoreConnections_thanThereMayBe() {
        // given a server with a low connection limit
        try (var server = start(Map.of("AP_HTTP_CONNECTIONS_MAX", "8"))) {
            server.api(START_DEADLINE);
            var port = server.port(START_DEADLINE);
            var taken = answered(port, 8);

            // when one more client connects
            // then it is not served until another one has left
            assertThat(isAnswered(port)).isFalse();
            taken.removeLast().close();
            Waiting.until("a place is free", () -> isAnswered(port));
            taken.forEach(RawHttp::close);
        }
    }

    @Test
    void refusesMoreConnectionsOfOneAddress_unlessItIsATrustedProxy() {
        var settings = Map.of("AP_HTTP_CONNECTIONS_PER_ADDRESS_MAX", "4", "AP_TRUSTED_PROXIES", "none");
        try (var server = start(settings)) {
            server.api(START_DEADLINE);
            var taken = answered(server.port(START_DEADLINE), 4);
            assertThat(isAnswered(server.port(START_DEADLINE))).isFalse();
            taken.forEach(RawHttp::close);
            server.terminate();
            server.exitStatus(START_DEADLINE);
        }
        try (var server =
                start(Map.of("AP_HTTP_CONNECTIONS_PER_ADDRESS_MAX", "4", "AP_TRUSTED_PROXIES", "127.0.0.1"))) {
            server.api(START_DEADLINE);
            answered(server.port(START_DEADLINE), 8).forEach(RawHttp::close);
        }
    }

    @Test
    void keepsDescriptors_forTheDatabaseAndForCode() {
        // given a server with a low limit of open files, and more clients than that
        try (var server = startWithFewDescriptors()) {
            var flow = publish(server);
            var port = server.port(START_DEADLINE);
            var clients = new ArrayList<RawHttp>();
            for (var client = 0; client < 700; client++) {
                clients.add(RawHttp.connect(port, ANSWER_DEADLINE));
            }

            // when the database is killed and restarts
            assertThat(directory.postmaster().orElseThrow().destroyForcibly()).isTrue();

            // then the connected clients are answered, by steps that need a process of their own
            awaitSum(server, clients, flow);
            clients.forEach(RawHttp::close);
        }
    }

    private static void awaitSum(ServerProcess server, List<RawHttp> clients, PublishedFlow flow) {
        var found = new ArrayList<String>();
        try {
            Waiting.until("a code step is run", CODE_DEADLINE, () -> isSum(server, clients, flow, found));
        } catch (AssertionError late) {
            throw new AssertionError("expected the sum, found " + found + "\n" + server.output(), late);
        }
    }

    /**
     * Sends a request on the oldest connection. A request that is refused before its body was read may close its
     * connection; a new client replaces the last one.
     */
    private static boolean isSum(ServerProcess server, List<RawHttp> clients, PublishedFlow flow, List<String> found) {
        try {
            if (clients.isEmpty()) {
                clients.add(RawHttp.connect(server.port(START_DEADLINE), ANSWER_DEADLINE));
            }
            var answer = clients.getFirst().send(post("/sync", flow, 2) + "{}").answer();
            found.add(answer.toString());
            return answer.status() == 200 && answer.body().contains("\"sum\":2");
        } catch (UncheckedIOException ended) {
            found.add(ended.toString());
            if (!clients.isEmpty()) {
                clients.removeFirst().close();
            }
            return false;
        }
    }

    /** Connections whose requests have all been answered, and that are still open. */
    private static List<RawHttp> answered(int port, int count) {
        var connections = new ArrayList<RawHttp>();
        while (connections.size() < count) {
            var one = RawHttp.connect(port);
            if (isAnswered(one)) {
                connections.add(one);
            } else {
                // The client that made the flow closes its own connection later.
                one.close();
            }
        }
        return connections;
    }

    private static boolean isAnswered(int port) {
        try (var http = RawHttp.connect(port)) {
            return isAnswered(http);
        }
    }

    private static boolean isAnswered(RawHttp http) {
        try {
            return http.send("GET /api/v1/health HTTP/1.1\nHost: localhost\n\n")
                            .answer()
                            .status()
                    == 200;
        } catch (UncheckedIOException closed) {
            return false;
        }
    }

    private static PublishedFlow publish(ServerProcess server) {
        var flow = FlowScript.webhook()
                .code("step", CODE)
                .respondJson("answer", "{'sum':'{{step.output.sum}}'}")
                .importOperation("Code");
        return PublishedFlow.create(server.api(START_DEADLINE), flow.get("request"));
    }

    private static String post(PublishedFlow flow, int length) {
        return post("", flow, length);
    }

    private static String post(String variant, PublishedFlow flow, int length) {
        return "POST /api/v1/webhooks/" + flow.flowId() + variant
                + " HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: " + length + "\n\n";
    }

    private static String chunked(PublishedFlow flow) {
        return "POST /api/v1/webhooks/" + flow.flowId()
                + " HTTP/1.1\nHost: localhost\nContent-Type: text/plain\nTransfer-Encoding: chunked\n\n";
    }

    private ServerProcess start(Map<String, String> settings) {
        var all = new HashMap<>(settings);
        all.put("AP_LOG_LEVEL", "warn");
        return ServerProcess.ofClasses(directory.path(), all);
    }

    /** Starts the server by a shell that limits its open files; the JVM must not raise its own limit. */
    private ServerProcess startWithFewDescriptors() {
        var command = ServerProcess.commandOfClasses("io.millrace.Millrace", List.of(), List.of());
        var limited = new ArrayList<>(List.of("bash", "-c", "ulimit -n 640; exec \"$@\"", "limited"));
        limited.addAll(command);
        return ServerProcess.start(
                limited,
                directory.path(),
                // The clients send nothing for a long time, and keep their descriptors.
                Map.of(
                        "AP_LOG_LEVEL",
                        "info",
                        "AP_TRUSTED_PROXIES",
                        "127.0.0.1",
                        "AP_WORKER_CONCURRENCY",
                        "2",
                        "AP_HTTP_HEADER_TIMEOUT_SECONDS",
                        "3600"));
    }
}
