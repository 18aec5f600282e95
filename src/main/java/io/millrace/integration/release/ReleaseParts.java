package io.millrace.integration.release;

import io.millrace.account.audit.AuditLog;
import io.millrace.authoring.flow.ProjectFlows;
import io.millrace.authoring.table.TableStates;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.piece.file.ReleaseFiles;
import io.millrace.workspace.connection.ConnectionStates;
import io.millrace.workspace.variable.VariableStates;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;

public record ReleaseParts(
        Vertx vertx,
        Bus bus,
        Database database,
        States states,
        ReleaseFiles files,
        AuditLog auditLog,
        RowBound releaseBound,
        Timing timing) {
    public record States(
            ProjectFlows flows, ConnectionStates connections, TableStates tables, VariableStates variables) {}

    /**
     * Deadlines and clock.
     *
     * @param gitDeadlineMs deadline of a request that accesses a git server
     * @param hooksTimeout timeout of a hook of one trigger
     * @param alone true if no other process uses the database
     */
    public record Timing(long gitDeadlineMs, Duration hooksTimeout, boolean alone, InstantSource clock) {}

    /** Longest wait of a caller for the triggers of applied flows; after it, they are enabled in the background. */
    private static final long PATIENCE_MS = 20_000;

    private static final Duration ALLOWANCE = Duration.ofSeconds(10);

    public ReleaseApplier applier() {
        return new ReleaseApplier(states.flows(), states.connections(), states.tables(), timing.clock());
    }

    ProjectUpdate projectUpdate() {
        return new ProjectUpdate(vertx, database);
    }

    Publications publications() {
        var deadlineMs = timing.hooksTimeout().multipliedBy(2).plus(ALLOWANCE).toMillis();
        return new Publications(vertx, bus, database, deadlineMs, PATIENCE_MS);
    }
}
