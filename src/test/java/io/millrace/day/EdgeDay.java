package io.millrace.day;

import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.support.DataDirectory;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A server behind the shipped configuration of nginx: the limit of sign-ins counts clients, whatever their headers
 * claim.
 */
final class EdgeDay {
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final Duration START = Duration.ofMinutes(3);
    private static final int SIGN_INS_MAX = 3;

    private final PackagedFile file;
    private final Path files;
    private final DayFindings findings;

    EdgeDay(PackagedFile file, Path files, DayFindings findings) {
        this.file = file;
        this.files = files;
        this.findings = findings;
    }

    void pass(List<String> words) throws IOException, InterruptedException {
        if (!Files.isExecutable(NGINX)) {
            findings.add("forged headers behind nginx", true, "not looked at: there is no " + NGINX);
            return;
        }
        var settings = Map.of(
                "AP_API_RATE_LIMIT_AUTHN_ENABLED", "true",
                "AP_API_RATE_LIMIT_AUTHN_MAX", String.valueOf(SIGN_INS_MAX),
                "AP_TRUSTED_PROXIES", "127.0.0.1");
        try (var directory = DataDirectory.create();
                var server = file.start(directory.path(), settings, words);
                var client = HttpClient.newHttpClient()) {
            var port = FreePort.find().orElseThrow();
            var nginx = start(configuration(server.port(START), port));
            try {
                var signIn = URI.create("http://127.0.0.1:" + port + "/api/v1/authentication/sign-in");
                Waiting.until("nginx answers", START, () -> isReached(client, port));
                var refused = 0;
                for (var attempt = 1; attempt <= 2 * SIGN_INS_MAX; attempt++) {
                    refused += signIn(client, signIn, "203.0.113." + attempt) == 429 ? 1 : 0;
                }
                findings.add(
                        "forged headers behind nginx change no address",
                        refused == SIGN_INS_MAX,
                        refused + " of " + 2 * SIGN_INS_MAX + " sign-ins refused by a limit of " + SIGN_INS_MAX);
            } finally {
                nginx.destroy();
                nginx.waitFor();
            }
        }
    }

    private static boolean isReached(HttpClient client, int port) {
        var flags = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/flags"));
        try {
            return status(client, flags) == 200;
        } catch (ConnectException notYet) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static int signIn(HttpClient client, URI address, String forged) throws IOException {
        var body = Json.text(Json.object().put("email", "ada@example.com").put("password", "correct horse"));
        return status(
                client,
                HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/json")
                        .header("X-Real-IP", forged)
                        .header("X-Forwarded-For", forged)
                        .header("Forwarded", "for=" + forged)
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static int status(HttpClient client, HttpRequest.Builder request) throws IOException {
        try {
            return client.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** The shipped file, with the ports and folders of this day. */
    private String configuration(int serverPort, int ownPort) throws IOException {
        var folders = new StringBuilder("http {\naccess_log off;\n");
        for (var kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            folders.append(kind + "_temp_path " + folder().resolve(kind) + ";\n");
        }
        return "pid " + folder().resolve("pid") + ";\ndaemon off;\nerror_log stderr;\n"
                + Files.readString(Path.of("conf", "nginx.conf"))
                        .replace("listen 80;", "listen 127.0.0.1:" + ownPort + ";")
                        .replace("http://millrace:8080", "http://127.0.0.1:" + serverPort)
                        .replace("http {", folders);
    }

    private Path folder() throws IOException {
        return Files.createDirectories(files.resolve("nginx"));
    }

    private Process start(String configuration) throws IOException {
        Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxr-xr-x"));
        var own = Files.writeString(folder().resolve("nginx.conf"), configuration);
        return new ProcessBuilder(NGINX.toString(), "-c", own.toString(), "-p", folder().toString())
                .redirectErrorStream(true)
                .redirectOutput(folder().resolve("output").toFile())
                .start();
    }
}
