package io.millrace.app.cli;

import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.millrace.base.persistence.postgres.ExternalPostgres;
import io.millrace.base.persistence.postgres.PostgresStartException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class DatabaseExamination {
    /** Clocks that differ by more make times in lists and logs contradict each other. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private static final int CONNECTIONS_FREE_MIN = 5;

    private final Config config;
    private final InstantSource clock;

    DatabaseExamination(Config config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    List<Finding> findings() {
        var directory = config.storage().data().directory();
        if (!config.storage().postgres().isEmbedded()) {
            return asked(ExternalPostgres.settings(config.storage().postgres()));
        }
        if (!EmbeddedPostgres.isIn(directory)) {
            return List.of(Finding.ok("database", "there is none yet in " + directory));
        }
        return running()
                .map(this::asked)
                .orElseGet(() -> List.of(Finding.ok(
                        "database",
                        "the embedded one is stopped and was not examined: repeat the command while the server runs")));
    }

    private Optional<DatabaseSettings> running() {
        try {
            return Optional.of(EmbeddedPostgres.running(config.storage().data().directory()));
        } catch (PostgresStartException stopped) {
            return Optional.empty();
        }
    }

    private List<Finding> asked(DatabaseSettings settings) {
        try (var store = DoctorStore.open(settings)) {
            var findings = new ArrayList<Finding>();
            findings.add(Finding.ok("database", "PostgreSQL " + store.release() + " responds"));
            clock(store, findings);
            connections(store, findings);
            transactions(store, findings);
            schema(store, findings);
            return findings;
        } catch (ApiException away) {
            return List.of(silent(away));
        } catch (RuntimeException defect) {
            throw defect;
        } catch (Exception refused) {
            return List.of(silent(refused));
        }
    }

    private Finding silent(Exception cause) {
        return Finding.problem(
                "database",
                "it does not respond: " + cause.getMessage(),
                config.storage().postgres().isEmbedded()
                        ? "start the server; see " + config.storage().data().directory() + "/postgres/postgres.log"
                        : "check the database, the network and AP_POSTGRES_*");
    }

    private void clock(DoctorStore store, List<Finding> findings) throws Exception {
        var difference = Duration.between(store.now(), clock.instant()).abs();
        var found = "the database's differs from this host's by " + difference.toMillis() + " ms";
        findings.add(
                difference.compareTo(CLOCK_DIFFERENCE) <= 0
                        ? Finding.ok("clock", found)
                        : Finding.problem("clock", found, "set the clocks by NTP, here and at the database"));
    }

    private void connections(DoctorStore store, List<Finding> findings) throws Exception {
        var free = store.freeConnections();
        var found = free + " connections are free";
        findings.add(
                free >= CONNECTIONS_FREE_MIN
                        ? Finding.ok("connections", found)
                        : Finding.problem(
                                "connections",
                                found,
                                "raise max_connections, or lower AP_POSTGRES_POOL_SIZE of servers"));
    }

    private static void transactions(DoctorStore store, List<Finding> findings) throws Exception {
        var old = store.longTransactions();
        if (old.isEmpty()) {
            findings.add(Finding.ok("transactions", "none is older than " + DoctorStore.LONG_MINUTES + " minutes"));
        }
        old.forEach(one -> findings.add(Finding.problem(
                "transactions",
                one,
                "rows that it may still see are kept: terminate it (pg_terminate_backend with its process id), unless it is a"
                        + " backup")));
    }

    private static void schema(DoctorStore store, List<Finding> findings) throws Exception {
        var known = Migrations.newest();
        var version = store.schemaVersion();
        if (version.isEmpty()) {
            findings.add(Finding.ok("schema", "none yet: the first start of the server creates it"));
        } else if (version.get().equals(known)) {
            findings.add(Finding.ok("schema", version.get()));
            orphans(store, findings);
        } else if (version.get().compareTo(known) < 0) {
            findings.add(
                    Finding.warning(
                            "schema",
                            version.get() + ", this release has " + known,
                            "take a backup: the next start of this release migrates the schema, and older releases cannot start afterwards"));
        } else {
            findings.add(Finding.problem(
                    "schema", version.get() + ", this release knows " + known, "run the release that wrote it"));
        }
    }

    private static void orphans(DoctorStore store, List<Finding> findings) throws Exception {
        var runs = store.runsWithoutNode();
        var nodes = store.liveNodes();
        findings.add(Finding.ok("nodes", nodes + " work on the database"));
        if (runs > 0 && nodes > 0) {
            findings.add(Finding.problem(
                    "orphans",
                    runs + " runs belong to nodes that ended more than a minute ago",
                    "check the logs of the other nodes: they take over such runs within seconds"));
        } else if (runs > 0) {
            findings.add(Finding.warning("orphans", runs + " runs wait for a server", "start one: it resumes them"));
        } else {
            findings.add(Finding.ok("orphans", "every run has an owner"));
        }
    }
}
