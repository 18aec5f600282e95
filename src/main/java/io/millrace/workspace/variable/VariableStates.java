package io.millrace.workspace.variable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The variables of a project by their names, for the module above, whose transactions it shares. Values are neither exported
 * nor imported: a missing variable is created by a user who knows its value.
 */
public final class VariableStates {
    private final AuditLog auditLog;
    private final InstantSource clock;
    private final VariableStore store = new VariableStore();

    public VariableStates(AuditLog auditLog, InstantSource clock) {
        this.auditLog = auditLog;
        this.clock = clock;
    }

    public record StoredVariable(String id, VariableState state) {}

    public Future<List<StoredVariable>> of(Tx tx, String projectId) {
        return store.ofProject(tx, projectId)
                .map(variables -> variables.stream()
                        .map(variable -> new StoredVariable(
                                variable.id(),
                                new VariableState(
                                        variable.name(),
                                        variable.metadata() instanceof ObjectNode metadata ? metadata : null)))
                        .toList());
    }

    /** Changes the metadata of a variable. Writes the audit log, so it must be last in the transaction. */
    public Future<Void> describe(Tx tx, Principal by, String projectId, StoredVariable held, VariableState wanted) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return store.update(tx, held.id(), now, Optional.empty(), wanted.metadata(), true)
                .compose(_ -> store.find(tx, held.id()))
                .map(Optional::orElseThrow)
                .compose(variable -> auditLog.record(
                        tx,
                        ApplicationEvent.inProject(
                                EventAction.VARIABLE_UPSERTED, by, projectId, variable.eventData())));
    }
}
