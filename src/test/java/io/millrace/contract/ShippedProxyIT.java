package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.support.MachineSpeed;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped configuration of nginx in front of a server, where nginx is installed. */
final class ShippedProxyIT {
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final int SIGN_INS_MAX = 3;

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    @Test
    void aClientHasOneLimit_whateverAddressItsHeadersName() throws Exception {
        assumeTrue(Files.isExecutable(NGINX), "there is no " + NGINX);
        var settings = Map.of(
                "AP_API_RATE_LIMIT_AUTHN_ENABLED", "true", "AP_API_RATE_LIMIT_AUTHN_MAX", String.valueOf(SIGN_INS_MAX));
        try (var server = TestServer.start(settings)) {
            var port = FreePort.find().orElseThrow();
            var nginx = start(configuration(server.port(), port));
            try {
                var address = "http://127.0.0.1:" + port + "/api/v1/";
                Waiting.until("nginx answers", () -> isReached(address));

                var statuses = new ArrayList<Integer>();
                for (var attempt = 1; attempt <= SIGN_INS_MAX + 2; attempt++) {
                    statuses.add(signIn(address, "203.0.113." + attempt));
                }

                assertThat(statuses.subList(0, SIGN_INS_MAX)).containsOnly(401);
                assertThat(statuses.subList(SIGN_INS_MAX, SIGN_INS_MAX + 2)).containsOnly(429);
            } finally {
                nginx.destroy();
                nginx.waitFor();
            }
        }
    }

    private boolean isReached(String address) {
        try {
            return status(HttpRequest.newBuilder(URI.create(address + "flags"))) == 200;
        } catch (ConnectException notYet) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private int signIn(String address, String forged) throws IOException {
        var body = Json.text(Json.object().put("email", "ada@example.com").put("password", "correct horse"));
        return status(HttpRequest.newBuilder(URI.create(address + "authentication/sign-in"))
                .header("Content-Type", "application/json")
                .header("X-Real-IP", forged)
                .header("X-Forwarded-For", forged)
                .header("Forwarded", "for=" + forged)
                .POST(BodyPublishers.ofString(body)));
    }

    private int status(HttpRequest.Builder request) throws IOException {
        try {
            return client.send(request.timeout(MachineSpeed.deadline(DEADLINE)).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** The shipped file, with the ports and folders of this test. */
    private String configuration(int serverPort, int ownPort) throws IOException {
        var shipped = Files.readString(Path.of("conf/nginx.conf"));
        var own = shipped.replace("listen 80;", "listen 127.0.0.1:" + ownPort + ";")
                .replace("http://millrace:8080", "http://127.0.0.1:" + serverPort)
                .replace("http {", "http {\n" + temporaryFolders());
        assertThat(own).doesNotContain("listen 80;").doesNotContain("millrace:8080");
        return "pid " + folder.resolve("pid") + ";\ndaemon off;\nerror_log stderr;\n" + own;
    }

    private String temporaryFolders() {
        var lines = new StringBuilder("access_log off;\n");
        for (var kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            lines.append(kind + "_temp_path " + folder.resolve(kind) + ";\n");
        }
        return lines.toString();
    }

    private Process start(String configuration) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var file = Files.writeString(folder.resolve("nginx.conf"), configuration);
        return new ProcessBuilder(NGINX.toString(), "-c", file.toString(), "-p", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }
}
