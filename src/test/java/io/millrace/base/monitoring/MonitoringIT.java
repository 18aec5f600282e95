package io.millrace.base.monitoring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.net.FreePort;
import io.millrace.support.DataDirectory;
import io.millrace.support.MachineSpeed;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Probes and scrapes, from the start of a server to its end. */
@Slow(Slow.Reason.PROCESS)
final class MonitoringIT {
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    @Test
    void isReady_whenAllChecksHold() {
        try (var server = TestServer.start(Map.of("AP_HEALTH_DISK_FREE_MIN_MB", "0"))) {
            var root = server.anonymous().atRoot();

            assertThat(root.get("/health/live").body().toString()).isEqualTo("{\"status\":\"live\"}");
            var ready = root.get("/health/ready");
            assertThat(ready.status()).as(ready.toString()).isEqualTo(200);
            assertThat(ready.body().toString())
                    .isEqualTo("{\"status\":\"ready\",\"checks\":"
                            + "{\"database\":\"up\",\"migrations\":\"up\",\"intake\":\"up\",\"disk\":\"up\"}}");
            assertThat(server.anonymous().get("/v1/health").body().toString()).isEqualTo("{\"status\":\"Healthy\"}");
        }
    }

    @Test
    void isNotReady_whenTheDiskHasTooLittleRoom() {
        // given a threshold of one terabyte of free disk space
        try (var server = TestServer.start(Map.of("AP_HEALTH_DISK_FREE_MIN_MB", "1048576"))) {
            var ready = server.anonymous().atRoot().get("/health/ready");

            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text("/status")).isEqualTo("unready");
            assertThat(ready.text("/checks/disk")).isEqualTo("down");
            assertThat(ready.text("/checks/database")).isEqualTo("up");
        }
    }

    @Test
    void isNotReady_butLives_whenTheSchemaLacksAMigrationOrTheDatabaseGoes() {
        try (var server = TestServer.start(Map.of("AP_HEALTH_DISK_FREE_MIN_MB", "0"))) {
            var root = server.anonymous().atRoot();

            // when a migration has failed
            server.execute("update flyway_schema_history set success = false where version = '1' or version = '0001'");

            // then
            Waiting.until(
                    "migrations are down",
                    () -> root.get("/health/ready").text("/checks/migrations").equals("down"));

            // when
            server.loseDatabase();

            // then
            Waiting.until(
                    "the database is down",
                    DEADLINE,
                    () -> root.get("/health/ready").text("/checks/database").equals("down"));
            assertThat(root.get("/health/live").status()).isEqualTo(200);
        }
    }

    @Test
    void hasNoMetricsOnThePortOfTheApi_withoutAToken() {
        try (var server = TestServer.start()) {
            assertThat(server.anonymous().atRoot().get("/metrics").status()).isEqualTo(404);
        }
    }

    @Test
    void hasNoMetrics_whenTheyAreSwitchedOff() {
        try (var server = TestServer.start(Map.of(
                "AP_METRICS_ENABLED", "false", "AP_METRICS_TOKEN", "a token", "AP_ALLOW_OPEN_SIGN_UP", "true"))) {
            var admin = server.signUp("ada@example.com", "Ada");

            assertThat(get("http://127.0.0.1:" + server.port() + "/metrics", "Authorization", "Bearer a token")
                            .statusCode())
                    .isEqualTo(404);
            assertThat(admin.api().get("/v1/metrics").status()).isEqualTo(404);
            assertThat(server.anonymous().atRoot().get("/health/live").status()).isEqualTo(200);
        }
    }

    @Test
    void writesMetricsForWhoShowsTheToken_inTheFormatThatIsAskedFor() {
        try (var server = TestServer.start(Map.of("AP_METRICS_TOKEN", "a token of metrics"))) {
            var uri = "http://127.0.0.1:" + server.port() + "/metrics";

            assertThat(get(uri).statusCode()).isEqualTo(401);
            assertThat(get(uri, "Authorization", "Bearer another").statusCode()).isEqualTo(401);
            var text = get(uri, "Authorization", "Bearer a token of metrics");
            assertThat(text.statusCode()).isEqualTo(200);
            assertThat(text.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
            assertThat(text.body())
                    .contains("millrace_runs{status=\"QUEUED\"} 0")
                    .doesNotContain("# EOF");
            var open = get(
                    uri,
                    "Authorization",
                    "Bearer a token of metrics",
                    "Accept",
                    "application/openmetrics-text; version=1.0.0,text/plain;q=0.5");
            assertThat(open.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(
                            type -> assertThat(type).startsWith("application/openmetrics-text; version=1.0.0"));
            assertThat(open.body()).endsWith("# EOF\n");
        }
    }

    @Test
    void answersOnItsOwnPort_whileTheServerWaitsForItsDatabase() {
        var port = FreePort.find().orElseThrow();
        try (var directory = DataDirectory.create();
                var server = ServerProcess.ofClasses(
                        directory.path(),
                        Map.of(
                                "AP_METRICS_PORT",
                                Integer.toString(port),
                                "AP_METRICS_CONNECTIONS_MAX",
                                "3",
                                "AP_POSTGRES_URL",
                                "postgres://nobody:no@127.0.0.1:"
                                        + FreePort.find().orElseThrow() + "/none"))) {
            var uri = "http://127.0.0.1:" + port;

            // when
            Waiting.until("it listens", DEADLINE, () -> isListening(uri));

            // then
            assertThat(get(uri + "/health/live").statusCode()).isEqualTo(200);
            var ready = get(uri + "/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).isEqualTo("{\"status\":\"starting\",\"checks\":{}}");
            assertThat(get(uri + "/metrics").statusCode()).isEqualTo(503);
            assertThat(get(uri + "/api/v1/flags").statusCode()).isEqualTo(404);
            assertThat(server.isAlive()).isTrue();
            closesConnectionsBeyondItsLimit(port);
        }
    }

    private static void closesConnectionsBeyondItsLimit(int port) {
        var sockets = new ArrayList<Socket>();
        try {
            Waiting.until("a connection is closed", DEADLINE, () -> !isAnswered(port, sockets));
            assertThat(sockets).hasSizeBetween(2, 4);
            close(sockets.getFirst());
            Waiting.until("another one has its place", DEADLINE, () -> isAnswered(port, sockets));
        } finally {
            sockets.forEach(MonitoringIT::close);
        }
    }

    /** Opens another connection, and returns whether a probe on it is answered. */
    private static boolean isAnswered(int port, List<Socket> sockets) {
        try {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            sockets.add(socket);
            socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (SocketException closed) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void refusesToStart_whenThePortIsTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var directory = DataDirectory.create();
                var server = ServerProcess.ofClasses(
                        directory.path(), Map.of("AP_METRICS_PORT", Integer.toString(taken.getLocalPort())))) {
            assertThat(server.exitStatus(DEADLINE)).as(server.output()).isEqualTo(78);
            assertThat(server.output())
                    .contains("AP_METRICS_PORT: cannot listen on port " + taken.getLocalPort() + " of 127.0.0.1");
        }
    }

    @Test
    void serves_whileItReportsThatItStops() {
        var port = FreePort.find().orElseThrow();
        try (var directory = DataDirectory.create();
                var server = ServerProcess.ofClasses(
                        directory.path(),
                        Map.of(
                                "AP_METRICS_PORT",
                                Integer.toString(port),
                                "AP_SHUTDOWN_DRAIN_SECONDS",
                                "20",
                                "AP_HEALTH_DISK_FREE_MIN_MB",
                                "0"))) {
            // given
            var api = server.api(DEADLINE);
            var probe = "http://127.0.0.1:" + port + "/health/ready";
            Waiting.until("it is ready", DEADLINE, () -> get(probe).statusCode() == 200);

            // when
            server.terminate();

            // then
            Waiting.until("it stops", DEADLINE, () -> get(probe).body().contains("\"stopping\""));
            assertThat(get(probe).statusCode()).isEqualTo(503);
            assertThat(api.atRoot().get("/health/ready").text("/status")).isEqualTo("stopping");
            assertThat(api.get("/v1/flags").status()).isEqualTo(200);
            assertThat(get("http://127.0.0.1:" + port + "/metrics").statusCode())
                    .isEqualTo(200);
        }
    }

    private static boolean isListening(String uri) {
        try (var client = HttpClient.newHttpClient()) {
            client.send(HttpRequest.newBuilder(URI.create(uri + "/health/live")).build(), BodyHandlers.discarding());
            return true;
        } catch (ConnectException notYet) {
            return false;
        } catch (IOException failure) {
            throw new AssertionError(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private static HttpResponse<String> get(String uri, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(uri)).timeout(MachineSpeed.deadline(DEADLINE));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new AssertionError(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }
}
