package io.millrace.fault.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.DataDirectory;
import io.millrace.support.FaultyProxy;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that starts before its database, as by a compose file or after a power cut. */
@Slow(Slow.Reason.FAULT)
final class LateDatabaseIT {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);
    private static final int EXIT_CRASH = 70;
    private static final int EXIT_BAD_SETTING = 78;

    private DataDirectory directory;
    private FaultyProxy way;
    private String url;

    @BeforeEach
    void cutOffTheDatabase() {
        directory = DataDirectory.create();
        var database = TestPostgres.freshDatabase();
        way = FaultyProxy.to(database.port());
        url = "postgres://%s:%s@127.0.0.1:%d/%s"
                .formatted(database.user(), database.password(), way.port(), database.database());
        way.cut();
    }

    @AfterEach
    void close() {
        way.close();
        directory.close();
    }

    @Test
    void waitsWithALogLine_thenServes() {
        try (var server = start("600")) {
            // When
            Waiting.until("it says so", START_DEADLINE, () -> server.output().contains("waiting for the database"));
            assertThat(server.isAlive()).isTrue();
            way.mend();

            // Then
            assertThat(server.api(START_DEADLINE).get("/v1/health").status()).isEqualTo(200);
        }
    }

    @Test
    void endsWithItsStatus_whenTheDatabaseDoesNotComeInTime() {
        try (var server = start("1")) {
            assertThat(server.exitStatus(START_DEADLINE)).as(server.output()).isEqualTo(EXIT_CRASH);
            assertThat(server.output()).contains("the database is unavailable");
        }
    }

    @Test
    void endsAsWithABadSetting_whenTheDatabaseDoesNotLetItIn() {
        way.mend();
        url = url.replaceFirst(":[^:@]+@", ":wrong@");

        try (var server = start("600")) {
            assertThat(server.exitStatus(START_DEADLINE)).as(server.output()).isEqualTo(EXIT_BAD_SETTING);
            assertThat(server.output())
                    .contains("refuses the login of this server")
                    .contains("password authentication failed")
                    .contains("AP_POSTGRES_PASSWORD")
                    .doesNotContain("crashed");
        }
    }

    private ServerProcess start(String patienceSeconds) {
        return ServerProcess.ofClasses(
                directory.path(),
                Map.of("AP_POSTGRES_URL", url, "AP_POSTGRES_START_PATIENCE_SECONDS", patienceSeconds));
    }
}
