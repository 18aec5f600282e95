package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** SIGHUP, which ends a process without a handler. */
@Slow(Slow.Reason.PROCESS)
final class SettingsReloadIT {
    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final String EVERY_REQUEST = "AP_LOG_SAMPLE_RATE_INFO=100";
    private static final String TOKEN = "secret of those who watch";

    @Test
    void appliesReloadableSettings_namesThoseThatNeedARestart_andContinues() throws IOException {
        assumeFalse(ServerProcess.ignoresHangUp(), "SIGHUP is ignored here, as under nohup");
        try (var directory = DataDirectory.prepared()) {
            write(directory.path(), "AP_LOG_LEVEL=warn", "AP_API_RATE_LIMIT_AUTHN_MAX=1000");
            try (var server = ServerProcess.ofClasses(directory.path(), Map.of())) {
                var api = server.api(DEADLINE);

                // when reloadable values, a fixed one and an unknown name change
                write(
                        directory.path(),
                        "AP_LOG_LEVEL=info",
                        "AP_API_RATE_LIMIT_AUTHN_MAX=1",
                        "AP_METRICS_TOKEN=" + TOKEN,
                        "AP_WEBHOOK_TIMEOUT_SECONDS=7",
                        "AP_WEBHOK=1");
                server.hangUp();

                // then
                says(
                        server,
                        "SIGHUP: settings loaded; applied: AP_API_RATE_LIMIT_AUTHN_MAX, AP_LOG_LEVEL,"
                                + " AP_METRICS_TOKEN; applied by a restart only: AP_WEBHOOK_TIMEOUT_SECONDS;"
                                + " unknown: AP_WEBHOK");
                assertThat(server.output()).doesNotContain(TOKEN);
                assertThat(api.get("/v1/health").status()).isEqualTo(200);
                assertThat(signIn(api).status()).isNotEqualTo(429);
                assertThat(signIn(api).status()).isEqualTo(429);

                // when one of them is invalid
                write(directory.path(), "AP_LOG_LEVEL=loud", "AP_API_RATE_LIMIT_AUTHN_MAX=1000");
                server.hangUp();

                // then
                says(server, "SIGHUP: no setting changed: AP_LOG_LEVEL: expected one of");
                assertThat(signIn(api).status()).isEqualTo(429);

                // when the allow list is none
                write(directory.path(), "AP_SSRF_ALLOW_LIST=nowhere", "AP_API_RATE_LIMIT_AUTHN_MAX=1000");
                server.hangUp();

                // then
                says(server, "SIGHUP: no setting changed: AP_SSRF_ALLOW_LIST");
                assertThat(signIn(api).status()).isEqualTo(429);
                assertThat(server.isAlive()).isTrue();
            }
        }
    }

    @Test
    void showsItsConfirmation_whenItRaisesTheLevelAboveIt() throws IOException {
        assumeFalse(ServerProcess.ignoresHangUp(), "SIGHUP is ignored here, as under nohup");
        try (var directory = DataDirectory.prepared()) {
            write(directory.path(), "AP_LOG_LEVEL=info", EVERY_REQUEST);
            try (var server = ServerProcess.ofClasses(directory.path(), Map.of())) {
                var api = server.api(DEADLINE);
                assertThat(api.get("/v1/flags").status()).isEqualTo(200);
                Waiting.until(
                        "the request is logged", DEADLINE, () -> server.output().contains(" GET /api/v1/flags 200 "));

                // when the level rises, and later falls below the confirmation again
                write(directory.path(), "AP_LOG_LEVEL=error", EVERY_REQUEST);
                server.hangUp();
                says(server, "SIGHUP: settings loaded; applied: AP_LOG_LEVEL; applied by a restart only: nothing");
                assertThat(api.get("/v1/health").status()).isEqualTo(200);
                write(directory.path(), "AP_LOG_LEVEL=info", EVERY_REQUEST, "AP_API_RATE_LIMIT_AUTHN_MAX=77");
                server.hangUp();

                // then both are confirmed, and the request between them is not logged
                says(server, "applied: AP_API_RATE_LIMIT_AUTHN_MAX, AP_LOG_LEVEL;");
                assertThat(server.output()).doesNotContain("/api/v1/health");
            }
        }
    }

    @Test
    void continuesItsStart_whenHungUp() {
        try (var directory = DataDirectory.create();
                var server = ServerProcess.ofClasses(directory.path(), Map.of())) {
            // when a SIGHUP arrives after the first log line
            Waiting.until("it says something", DEADLINE, () -> !server.output().isEmpty());
            server.hangUp();

            // then
            assertThat(server.api(DEADLINE).get("/v1/health").status()).isEqualTo(200);
        }
    }

    private static void says(ServerProcess server, String text) {
        Waiting.until(
                "it says " + text, Duration.ofSeconds(60), () -> server.output().contains(text));
    }

    private static ApiClient.Answer signIn(ApiClient api) {
        return api.post(
                "/v1/authentication/sign-in",
                Json.object().put("email", "nobody@example.org").put("password", "not a password"));
    }

    private static void write(Path directory, String... lines) throws IOException {
        var conf = Files.createDirectories(directory.resolve("conf"));
        Files.write(conf.resolve("millrace.properties"), List.of(lines));
    }
}
