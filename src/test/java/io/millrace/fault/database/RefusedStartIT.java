package io.millrace.fault.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.support.DataDirectory;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A start that needs the administrator of an external database ends with status 78 and prints the statements to run;
 * run as printed, they let the next start succeed.
 */
@Slow(Slow.Reason.FAULT)
final class RefusedStartIT {
    private static final Duration START_DEADLINE = Duration.ofSeconds(90);
    private static final int EXIT_BAD_SETTING = 78;
    private static final String ROLE = "start_role";

    @AutoClose
    private final DataDirectory directory = DataDirectory.create();

    private final DatabaseSettings admin = TestPostgres.emptyDatabase();

    @BeforeEach
    void createRole() {
        run("create role " + ROLE + " login password 'secret'");
        run("grant create, usage on schema public to " + ROLE);
    }

    @AfterEach
    void drop() {
        run("alter database \"" + admin.database() + "\" reset default_transaction_read_only");
        run("drop owned by " + ROLE + " cascade");
        run("drop role " + ROLE);
        TestPostgres.drop(admin);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        revoke connect on database "DB" from public | GRANT CONNECT ON DATABASE "DB" TO "start_role";
        revoke create on schema public from start_role | GRANT CREATE, USAGE ON SCHEMA public TO "start_role";
        revoke all on schema public from start_role, public | GRANT CREATE, USAGE ON SCHEMA public TO "start_role";
        create table flyway_schema_history (installed_rank int, version text, success boolean) | DO $$
        drop schema public cascade | CREATE SCHEMA public AUTHORIZATION "start_role";
        alter database "DB" set default_transaction_read_only = on | ALTER DATABASE "DB" SET default_transaction_read_only = off;
        alter role start_role set default_transaction_read_only = on | ALTER ROLE "start_role" SET default_transaction_read_only = off;
        """)
    void endsWithTheStatement_thatLetsTheNextStartPass(String obstacle, String statement) {
        run(named(obstacle));

        String cure;
        try (var server = start(admin.database())) {
            assertThat(server.exitStatus(START_DEADLINE)).as(server.output()).isEqualTo(EXIT_BAD_SETTING);
            assertThat(server.output())
                    .contains("Millrace ends: ", named(statement))
                    .doesNotContain("crashed");
            cure = server.output()
                    .lines()
                    .filter(line -> line.startsWith("Millrace ends: "))
                    .findFirst()
                    .orElseThrow();
        }

        run(cure.substring(cure.indexOf("as its owner: ") + "as its owner: ".length()));
        if (obstacle.startsWith("create table")) {
            // The table is not a known schema: the test only needs the role to read it.
            run("set role " + ROLE + "; drop table flyway_schema_history");
        }
        try (var server = start(admin.database())) {
            assertThat(server.api(START_DEADLINE).get("/v1/health").status()).isEqualTo(200);
        }
    }

    @Test
    void endsWithTheStatement_whenTheEncodingIsAnother() {
        run("create database latin_start encoding 'LATIN1' locale_provider libc locale 'C' template template0");
        try (var server = start("latin_start")) {
            assertThat(server.exitStatus(START_DEADLINE)).as(server.output()).isEqualTo(EXIT_BAD_SETTING);
            assertThat(server.output())
                    .contains("has the encoding LATIN1", "CREATE DATABASE millrace ENCODING 'UTF8'")
                    .doesNotContain("crashed");
        } finally {
            run("drop database latin_start with (force)");
        }
    }

    private String named(String text) {
        return text.replace("DB", admin.database());
    }

    private ServerProcess start(String database) {
        var url = "postgres://" + ROLE + ":secret@127.0.0.1:" + admin.port() + "/" + database;
        return ServerProcess.ofClasses(
                directory.path(), Map.of("AP_POSTGRES_URL", url, "AP_POSTGRES_START_PATIENCE_SECONDS", "600"));
    }

    /** Runs statements as an administrator pastes them into a console, in a session that may write. */
    private void run(String statements) {
        try (var connection = JdbcConnections.open(admin, "test");
                var statement = connection.createStatement()) {
            statement.execute("set default_transaction_read_only = off");
            statement.execute(statements);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
