package io.millrace.fault.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TlsPostgres;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A start with a database whose certificate is not trusted ends immediately: neither waiting nor a restart by a
 * supervisor would help.
 */
@Slow(Slow.Reason.FAULT)
final class UntrustedDatabaseIT {
    /** A tenth of the time that a start waits for an unavailable database. */
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);

    private static final String PATIENCE_SECONDS = "600";
    private static final int EXIT_BAD_SETTING = 78;

    @AutoClose
    private static TlsPostgres postgres = TlsPostgres.start();

    @AutoClose
    private final DataDirectory directory = DataDirectory.create();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        localhost | sslmode=verify-full&sslrootcert=DIR/other.crt | unable to find valid certification path
        localhost | sslmode=verify-ca&sslrootcert=DIR/other.crt | unable to find valid certification path
        localhost | sslmode=verify-full | unable to find valid certification path
        127.0.0.1 | sslmode=verify-full&sslrootcert=DIR/own.crt | 127.0.0.1
        """)
    void endsTheStartAsABadSetting(String host, String query, String reason) {
        try (var server = ServerProcess.ofClasses(
                directory.path(),
                Map.of(
                        "AP_POSTGRES_URL",
                        postgres.url(host, "postgres", query),
                        "AP_POSTGRES_START_PATIENCE_SECONDS",
                        PATIENCE_SECONDS))) {
            assertThat(server.exitStatus(START_DEADLINE)).as(server.output()).isEqualTo(EXIT_BAD_SETTING);
            assertThat(server.output())
                    .contains("the certificate of the database is not trusted", reason, "AP_POSTGRES_SSL_CA")
                    .doesNotContain("crashed");
        }
    }
}
