package io.millrace.base.persistence.postgres;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.app.SettingChecks;
import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.row.Rows;
import io.millrace.support.TestPostgres;
import io.millrace.support.TlsPostgres;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters of libpq in AP_POSTGRES_URL, tested against a PostgreSQL with TLS: by the server's connections and by JDBC. */
class PostgresTlsIT {
    private static final Path NO_FILE = Path.of("does-not-exist.properties");

    @AutoClose
    private static Vertx vertx = TestPostgres.vertx();

    @AutoClose
    private static TlsPostgres postgres = TlsPostgres.start();

    private static Path directory = postgres.directory();

    private static DatabaseSettings settings(String host, String database, String query, Optional<String> authority) {
        var environment = new java.util.HashMap<>(Map.of("AP_POSTGRES_URL", postgres.url(host, database, query)));
        authority.ifPresent(pem -> environment.put("AP_POSTGRES_SSL_CA", pem));
        var config = Config.load(environment, NO_FILE);
        SettingChecks.check(config);
        return ExternalPostgres.settings(config.storage().postgres());
    }

    /** Result on both connection paths: encrypted or not, or the reason of the refusal. */
    private static List<String> outcomes(DatabaseSettings settings) {
        var query = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
        var outcomes = new ArrayList<String>();
        var database = Database.open(vertx, settings);
        try {
            outcomes.add(
                    await(database.read(tx -> tx.query(query)))
                                    .iterator()
                                    .next()
                                    .getBoolean("ssl")
                            ? "encrypted"
                            : "plain");
        } catch (RuntimeException refused) {
            outcomes.add("refused");
        } finally {
            await(database.close());
        }
        try (var connection = JdbcConnections.open(settings, "test")) {
            outcomes.add(JdbcConnections.all(connection, query, row -> row.getBoolean(1) ? "encrypted" : "plain")
                    .getFirst());
        } catch (Exception refused) {
            outcomes.add("refused");
        }
        return outcomes;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        localhost | postgres | sslmode=disable | refused
        localhost | postgres | sslmode=prefer | encrypted
        localhost | postgres | sslmode=require | encrypted
        localhost | postgres | sslmode=require&sslrootcert=DIR/own.crt | encrypted
        localhost | postgres | sslmode=require&sslrootcert=DIR/other.crt | refused
        localhost | postgres | sslmode=verify-ca&sslrootcert=DIR/own.crt | encrypted
        127.0.0.1 | postgres | sslmode=verify-ca&sslrootcert=DIR/own.crt | encrypted
        localhost | postgres | sslmode=verify-ca&sslrootcert=DIR/other.crt | refused
        localhost | postgres | sslmode=verify-full&sslrootcert=DIR/own.crt | encrypted
        127.0.0.1 | postgres | sslmode=verify-full&sslrootcert=DIR/own.crt | refused
        localhost | postgres | sslmode=verify-full&sslrootcert=DIR/other.crt | refused
        localhost | postgres | sslmode=verify-full | refused
        localhost | postgres | sslrootcert=system | refused
        localhost | template1 | sslmode=verify-full&sslrootcert=DIR/own.crt | refused
        localhost | template1 | sslmode=verify-full&sslrootcert=DIR/own.crt&sslcert=DIR/postgres.crt&sslkey=DIR/postgres.key | encrypted
        """)
    void connectsAsLibpqDoes(String host, String database, String query, String expected) {
        assertThat(outcomes(settings(host, database, query, Optional.empty()))).containsExactly(expected, expected);
    }

    /** A start ends with the reason instead of waiting for a database with an untrusted certificate. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        localhost | postgres | sslmode=verify-full&sslrootcert=DIR/other.crt | unable to find valid certification path
        localhost | postgres | sslmode=verify-ca&sslrootcert=DIR/other.crt | unable to find valid certification path
        localhost | postgres | sslmode=require&sslrootcert=DIR/other.crt | unable to find valid certification path
        localhost | postgres | sslmode=verify-full | unable to find valid certification path
        127.0.0.1 | postgres | sslmode=verify-full&sslrootcert=DIR/own.crt | 127.0.0.1
        localhost | postgres | sslmode=verify-full&sslrootcert=DIR/own.crt | trusted
        localhost | postgres | sslmode=disable | trusted
        localhost | missing | sslmode=verify-full&sslrootcert=DIR/own.crt | trusted
        localhost | template1 | sslmode=verify-full&sslrootcert=DIR/own.crt | trusted
        """)
    void reportsWhyACertificateIsNotTrusted(String host, String database, String query, String expected) {
        var reason = JdbcConnections.certificateRefusal(settings(host, database, query, Optional.empty()));

        assertThat(reason.orElse("trusted")).contains(expected);
    }

    @Test
    void takesTheAuthorityOfTheSettingWithAUrl() throws IOException {
        var own = Files.readString(directory.resolve("own.crt"));
        var other = Files.readString(directory.resolve("other.crt"));

        assertThat(outcomes(settings("localhost", "postgres", "sslmode=verify-full", Optional.of(own))))
                .containsExactly("encrypted", "encrypted");
        assertThat(outcomes(settings("localhost", "postgres", "sslmode=verify-full", Optional.of(other))))
                .containsExactly("refused", "refused");
        assertThatThrownBy(() -> settings("localhost", "postgres", "sslmode=verify-full", Optional.of("no PEM")))
                .isInstanceOf(BadSetting.class)
                .hasMessageStartingWith("AP_POSTGRES_SSL_CA: expected certificates in PEM form");
    }

    @Test
    void migratesOverTls() {
        var settings =
                settings("localhost", "postgres", "sslmode=verify-full&sslrootcert=DIR/own.crt", Optional.empty());

        Migrations.build(settings, "over_tls", "0004");

        var database = Database.open(vertx, settings);
        try {
            assertThat(await(database.read(tx -> tx.query("select to_regclass('over_tls.run')::text as found")))
                            .iterator()
                            .next())
                    .satisfies(row -> assertThat(Rows.text(row, "found")).isEqualTo("over_tls.run"));
        } finally {
            await(database.close());
        }
    }

    @Test
    void refusesAKeyThatOthersMayRead() throws IOException {
        var open = Files.copy(directory.resolve("postgres.key"), directory.resolve("open.key"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> settings(
                        "localhost",
                        "template1",
                        "sslmode=require&sslcert=DIR/postgres.crt&sslkey=DIR/open.key",
                        Optional.empty()))
                .isInstanceOf(BadSetting.class)
                .hasMessageContaining("AP_POSTGRES_URL: sslkey=" + open)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void refusesAKeyOfAnotherCertificate() {
        assertThatThrownBy(() -> settings(
                        "localhost",
                        "template1",
                        "sslmode=require&sslcert=DIR/own.crt&sslkey=DIR/postgres.key",
                        Optional.empty()))
                .isInstanceOf(BadSetting.class)
                .hasMessageContaining("a key that belongs to the certificate");
    }
}
