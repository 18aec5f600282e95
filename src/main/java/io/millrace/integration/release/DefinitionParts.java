package io.millrace.integration.release;

import io.millrace.authoring.flow.FlowFolders;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.folder.ProjectFolders;
import io.millrace.authoring.table.TableState;
import io.millrace.authoring.table.TablesInFolders;
import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.millrace.integration.release.ReleaseApplier.ProjectSnapshot;
import io.millrace.workspace.variable.VariableStates;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads the parts of a project's definition from their services, in the transaction of the caller. */
final class DefinitionParts {
    private final ReleaseApplier applier;
    private final ProjectFolders folders;
    private final VariableStates variables;
    private final FlowFolders flowPlaces = new FlowFolders();
    private final TablesInFolders tablePlaces = new TablesInFolders();

    DefinitionParts(ReleaseParts parts, ProjectFolders folders) {
        this.applier = parts.applier();
        this.folders = folders;
        this.variables = parts.states().variables();
    }

    /** @param variables by name */
    record There(
            ProjectSnapshot snapshot,
            Map<String, VariableStates.StoredVariable> variables,
            ProjectDefinition definition) {}

    /** Reads the current project, part by part: a transaction executes one statement at a time. */
    Future<There> now(Tx tx, String projectId) {
        var snapshot = applier.snapshot(tx, projectId);
        var named = snapshot.compose(_ -> folders.named(tx, projectId));
        var flows = named.compose(_ -> flowPlaces.places(tx, projectId));
        var tables = flows.compose(_ -> tablePlaces.places(tx, projectId));
        var held = tables.compose(_ -> variables.of(tx, projectId));
        return held.map(all -> {
            var byName =
                    all.stream().collect(Collectors.toMap(each -> each.state().name(), Function.identity()));
            var states = all.stream().map(VariableStates.StoredVariable::state).toList();
            var definition = new ProjectDefinition(
                    snapshot.result().state(), named.result(), flows.result(), tables.result(), states);
            return new There(snapshot.result(), byName, definition);
        });
    }

    Future<Void> place(Tx tx, String projectId, ProjectDefinition wanted) {
        var flows = wanted.state().flows().stream().map(FlowState::externalId).toList();
        var tables =
                wanted.state().tables().stream().map(TableState::externalId).toList();
        return flowPlaces
                .placeNamed(tx, projectId, flows, wanted.flowFolders())
                .compose(_ -> tablePlaces.placeNamed(tx, projectId, tables, wanted.tableFolders()));
    }

    /**
     * Sets the metadata of variables that a definition names. Writes to the audit log, so it is the last write of the
     * transaction.
     */
    Future<Void> describe(Tx tx, Principal by, String projectId, There there, ProjectDefinition wanted) {
        var done = Future.<Void>succeededFuture();
        for (var variable : wanted.variables()) {
            var held = there.variables().get(variable.name());
            if (held != null && !Objects.equals(held.state().metadata(), variable.metadata())) {
                done = done.compose(_ -> variables.describe(tx, by, projectId, held, variable));
            }
        }
        return done;
    }
}
