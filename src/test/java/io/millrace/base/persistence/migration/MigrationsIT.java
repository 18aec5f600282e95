package io.millrace.base.persistence.migration;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.base.config.BadSetting;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.connection.JdbcConnections;
import io.millrace.base.persistence.row.Rows;
import io.millrace.support.RecordedLog;
import io.millrace.support.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationsIT {
    @AutoClose
    private final TestDatabase opened = TestDatabase.empty();

    private final Vertx vertx = opened.vertx();
    private final DatabaseSettings settings = opened.settings();
    private final Database database = opened.database();

    @Test
    void appliesEverything_toAnEmptyDatabase() {
        var outcome = await(Migrations.at(vertx, "db-test").apply(database, settings));

        assertThat(outcome).isEqualTo(new Migrations.Outcome(true, 2));
        assertThat(await(database.query("select * from wheel")).size()).isZero();
    }

    @Test
    void leavesFlywayAlone_whenTheSchemaIsUpToDate() {
        await(Migrations.at(vertx, "db-test").apply(database, settings));
        // Flyway would reject this checksum: no failure shows that it was not checked.
        await(database.query("update flyway_schema_history set checksum = 1"));

        var outcome = await(Migrations.at(vertx, "db-test").apply(database, settings));

        assertThat(outcome).isEqualTo(new Migrations.Outcome(false, 0));
    }

    @Test
    void appliesWhatIsMissing_whenAnOlderReleaseWasHere() {
        await(Migrations.at(vertx, "db-test").apply(database, settings));

        var outcome = await(Migrations.at(vertx, "db-newer").apply(database, settings));

        assertThat(outcome).isEqualTo(new Migrations.Outcome(true, 1));
    }

    @Test
    void namesTheGrantThatARoleNeeds() {
        await(database.query("create role \"weak\"\"one\" login password 'weak'"));
        try {
            await(database.query("revoke create on schema public from public"));
            var weak = as("weak\"one", "weak");

            assertThatThrownBy(() -> applyAs(weak))
                    .isInstanceOf(BadSetting.class)
                    .hasMessageContaining("GRANT CREATE, USAGE ON SCHEMA public TO \"weak\"\"one\";");

            await(database.query("grant create, usage on schema public to \"weak\"\"one\""));
            assertThat(applyAs(weak)).isEqualTo(new Migrations.Outcome(true, 2));
        } finally {
            await(database.query("drop owned by \"weak\"\"one\""));
            await(database.query("drop role \"weak\"\"one\""));
        }
    }

    /** Each printed statement is executed unchanged, and the start succeeds after it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "revoke connect on database \"%s\" from public | GRANT CONNECT ON DATABASE",
                "revoke all on schema public from public | GRANT CREATE, USAGE ON SCHEMA public",
                "create table flyway_schema_history (version text, success boolean, installed_rank int) | DO $$",
                "drop schema public cascade | CREATE SCHEMA public"
            })
    void namesTheStatementThatCuresAMissingRight(String obstacle, String statement) {
        await(database.query("create role \"o'weak\" login password 'weak'"));
        try {
            await(database.query(obstacle.formatted(settings.database())));

            var refused = catchThrowableOfType(BadSetting.class, () -> applyAs(as("o'weak", "weak")));

            assertThat(refused).hasMessageContaining("o'weak").hasMessageContaining(statement);
            run(cure(refused));
            var after = catchThrowable(() -> applyAs(as("o'weak", "weak")));
            assertThat(String.valueOf(after)).doesNotContain(statement);
        } finally {
            // The database is used again by other tests.
            await(database.query("create schema if not exists public"));
            await(database.query("grant connect on database \"" + settings.database() + "\" to public"));
            await(database.query("drop owned by \"o'weak\""));
            await(database.query("drop role \"o'weak\""));
        }
    }

    @Test
    void namesTheStatement_whenAnotherRoleOwnsTheTables() {
        await(Migrations.at(vertx, "db-test").apply(database, settings));
        await(database.query("create role heir login password 'heir'"));
        try {
            await(database.query("grant all on schema public to heir"));
            await(database.query("grant all on all tables in schema public to heir"));
            await(database.query("alter table mill add column note text"));

            var refused = MissingRight.of(
                    catchThrowable(() -> queryAs("heir", "alter table mill drop column note")), as("heir", "heir"));

            assertThat(refused).isPresent();
            assertThat(refused.get()).hasMessageContaining("must be owner of table mill");
            run(cure(refused.get()));
            queryAs("heir", "alter table mill drop column note");
        } finally {
            await(database.query("drop owned by heir"));
            await(database.query("drop role heir"));
        }
    }

    private static String cure(BadSetting refused) {
        var message = refused.getMessage();
        return message.substring(message.indexOf("owner: ") + "owner: ".length());
    }

    /** Runs statements as an administrator pastes them into a console. */
    private void run(String statements) {
        try (var connection = JdbcConnections.open(settings, "test");
                var statement = connection.createStatement()) {
            statement.execute(statements);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Missing rights are read from the catalogue, because messages are in the language of the server. */
    @Test
    void namesTheStatement_inAnyLanguageOfTheServer() {
        await(database.query("create role fremd login password 'fremd'"));
        try {
            await(database.query("create view visible as select 1 as one"));
            await(database.query("create function one() returns int language sql as 'select 1'"));
            var german = new PgException(
                    "keine Berechtigung für Schema public", "FEHLER", "42501", "Einzelheit: ohne englisches Wort");

            var refused = MissingRight.of(german, as("fremd", "fremd")).orElseThrow();

            assertThat(refused)
                    .hasMessageContaining("keine Berechtigung für Schema public")
                    .hasMessageContaining("GRANT CREATE, USAGE ON SCHEMA public TO \"fremd\";")
                    .hasMessageContaining("DO $$");
            run(cure(refused));
            queryAs("fremd", "create or replace view visible as select 1 as one, 2 as two");
            queryAs("fremd", "create or replace function one() returns int language sql as 'select 2'");
            assertThat(MissingRight.of(german, as("fremd", "fremd")).orElseThrow())
                    .hasMessageContaining("grant it as the owner of the database")
                    .hasMessageNotContainingAny("GRANT CREATE", "DO $$");
        } finally {
            await(database.query("drop owned by fremd cascade"));
            await(database.query("drop role fremd"));
        }
    }

    @Test
    void namesTheRole_whenOnlyThatIsReadOnly() {
        await(database.query("create role reader login password 'reader'"));
        try {
            await(database.query("grant all on schema public to reader"));
            await(database.query("alter role reader set default_transaction_read_only = on"));

            var refused = catchThrowableOfType(BadSetting.class, () -> applyAs(as("reader", "reader")));

            assertThat(refused)
                    .hasMessageContaining("ALTER ROLE \"reader\" SET default_transaction_read_only = off;")
                    .hasMessageNotContainingAny("ALTER DATABASE");
            run(cure(refused));
            assertThat(applyAs(as("reader", "reader"))).isEqualTo(new Migrations.Outcome(true, 2));
        } finally {
            await(database.query("drop owned by reader cascade"));
            await(database.query("drop role reader"));
        }
    }

    private void queryAs(String role, String statement) {
        var own = Database.open(vertx, as(role, role));
        try {
            await(own.query(statement));
        } finally {
            await(own.close());
        }
    }

    @Test
    void reportsAReadOnlyDatabase() {
        await(database.query("alter database \"" + settings.database() + "\" set default_transaction_read_only = on"));

        assertThatThrownBy(() -> applyAs(settings))
                .isInstanceOf(BadSetting.class)
                .hasMessageContaining("is read-only");
    }

    @Test
    void namesTheEncodingThatADatabaseNeeds() {
        await(database.query(
                "create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0"));
        try {
            assertThatThrownBy(() -> applyAs(of("latin", settings.user(), settings.password())))
                    .isInstanceOf(BadSetting.class)
                    .hasMessageContaining("the database latin has the encoding LATIN1")
                    .hasMessageContaining("ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0;");
        } finally {
            await(database.query("drop database latin with (force)"));
        }
    }

    private Migrations.Outcome applyAs(DatabaseSettings role) {
        var own = Database.open(vertx, role);
        try {
            return await(Migrations.at(vertx, "db-test").apply(own, role));
        } finally {
            await(own.close());
        }
    }

    private DatabaseSettings as(String user, String password) {
        return of(settings.database(), user, password);
    }

    private DatabaseSettings of(String databaseName, String user, String password) {
        return new DatabaseSettings(
                settings.host(),
                settings.port(),
                databaseName,
                user,
                password,
                settings.tls(),
                new DatabaseSettings.Pool(
                        settings.pool().size(),
                        settings.pool().idleTimeout(),
                        settings.pool().connectTimeout()),
                settings.statementTimeout());
    }

    @Test
    void refusesAChangedFile_whenAMigrationIsDue() {
        await(Migrations.at(vertx, "db-test").apply(database, settings));
        await(database.query("update flyway_schema_history set checksum = 1"));

        assertThatThrownBy(() -> await(Migrations.at(vertx, "db-newer").apply(database, settings)))
                .isInstanceOf(FlywayException.class)
                .hasMessageContaining("checksum mismatch");
    }

    @Test
    void refusesASchemaOfANewerRelease() {
        await(Migrations.at(vertx, "db-newer").apply(database, settings));

        assertThatThrownBy(() -> await(Migrations.at(vertx, "db-test").apply(database, settings)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("schema version 0003")
                .hasMessageContaining("up to 0002");
    }

    @Test
    void undoesAMigrationThatFails() {
        assertThatThrownBy(() -> await(Migrations.at(vertx, "db-broken").apply(database, settings)))
                .isInstanceOf(FlywayException.class);

        var found = await(database.query("select to_regclass('pond') is null as undone"));
        assertThat(Rows.flag(found.iterator().next(), "undone")).isTrue();
    }

    @Test
    void appliesEachOnce_whenTwoStartTogether() {
        var migrations = Migrations.at(vertx, "db-newer");

        var both = await(Future.all(migrations.apply(database, settings), migrations.apply(database, settings)));

        assertThat(both.<Migrations.Outcome>list().stream()
                        .mapToInt(Migrations.Outcome::applied)
                        .sum())
                .isEqualTo(3);
    }

    @Test
    void logsEachMigrationOfADatabaseThatHasData() {
        var last = Migrations.newest();
        try (var log = RecordedLog.of(MigrationProgress.class.getName())) {
            Migrations.build(settings, "progress", "0004");
            assertThat(log.lines()).isEmpty();

            Migrations.build(settings, "progress", "0006");

            assertThat(log.lines())
                    .satisfiesExactly(
                            line -> assertThat(line).contains("migration 0005 of " + last),
                            line -> assertThat(line).contains("migration 0006 of " + last));
        }
    }
}
