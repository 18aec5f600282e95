package io.millrace.release;

import io.millrace.audit.AuditTrail;
import io.millrace.bus.Bus;
import io.millrace.connection.ConnectionStates;
import io.millrace.file.ReleaseFiles;
import io.millrace.flow.ProjectFlows;
import io.millrace.persistence.Database;
import io.millrace.table.TableStates;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What the services of the room are made of.
 *
 * @param gitDeadlineMs how long a question that reaches a git server may take
 * @param hooksTimeout longest hook of one trigger
 * @param alone whether no other process works on the database
 */
public record ReleaseParts(
        Vertx vertx,
        Bus bus,
        Database database,
        ProjectFlows flows,
        ConnectionStates connections,
        TableStates tables,
        ReleaseFiles files,
        AuditTrail trail,
        long gitDeadlineMs,
        Duration hooksTimeout,
        boolean alone,
        InstantSource clock) {
    /** A caller waits so long for triggers of flows that have landed; they are switched on all the same. */
    private static final long PATIENCE_MS = 20_000;

    private static final Duration ALLOWANCE = Duration.ofSeconds(10);

    Landing landing() {
        return new Landing(flows, connections, tables);
    }

    Publications publications() {
        var deadlineMs = hooksTimeout.multipliedBy(2).plus(ALLOWANCE).toMillis();
        return new Publications(vertx, bus, database, deadlineMs, PATIENCE_MS);
    }
}
