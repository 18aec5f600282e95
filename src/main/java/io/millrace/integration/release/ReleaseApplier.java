package io.millrace.integration.release;

import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.flow.ProjectFlows;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.table.TableState;
import io.millrace.authoring.table.TableStates;
import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.millrace.integration.release.Publications.Publication;
import io.millrace.integration.release.StateDiff.ConnectionChange;
import io.millrace.integration.release.StateDiff.FlowChange;
import io.millrace.integration.release.StateDiff.TableChange;
import io.millrace.workspace.connection.AppConnection;
import io.millrace.workspace.connection.ConnectionStates;
import io.millrace.workspace.connection.ConnectionStates.StoredConnection;
import io.millrace.workspace.project.DeletionOutbox;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Applies a diff to a project in the transaction of the caller, and publishes the notices afterwards. */
public final class ReleaseApplier {
    /** Piece version of a placeholder for a connection with an unknown piece. */
    private static final String NO_VERSION = "0.0.0";

    private final ProjectFlows flows;
    private final ConnectionStates connections;
    private final TableStates tables;
    private final InstantSource clock;
    private final GitRemovalOutbox removals = new GitRemovalOutbox();

    ReleaseApplier(ProjectFlows flows, ConnectionStates connections, TableStates tables, InstantSource clock) {
        this.flows = flows;
        this.connections = connections;
        this.tables = tables;
        this.clock = clock;
    }

    /**
     * Target of a diff.
     *
     * @param isReturn true if new flows get the status of their states; otherwise they are enabled, because a release is meant
     *     to run
     * @param pieceVersions newest versions of pieces, by name
     */
    record Target(Principal by, String projectId, boolean isReturn, Map<String, String> pieceVersions) {}

    record AppliedChanges(
            List<ProjectFlows.Done> flows, List<AppConnection> connections, List<Publication> publications) {}

    public record ProjectSnapshot(List<FlowState> flows, List<StoredConnection> connections, List<TableState> tables) {
        ProjectSnapshot published(List<Publication> publications) {
            var wanted = publications.stream().collect(Collectors.toMap(Publication::flowId, Publication::status));
            var published = flows.stream()
                    .map(flow -> wanted.containsKey(flow.id()) ? flow.published(wanted.get(flow.id())) : flow)
                    .toList();
            return new ProjectSnapshot(published, connections, tables);
        }

        ProjectState state() {
            return new ProjectState(
                    flows, connections.stream().map(StoredConnection::state).toList(), tables);
        }
    }

    public Future<ProjectSnapshot> snapshot(Tx tx, String projectId) {
        return flows.states(tx, projectId)
                .compose(states -> connections
                        .of(tx, projectId)
                        .compose(held ->
                                tables.of(tx, projectId).map(there -> new ProjectSnapshot(states, held, there))));
    }

    Optional<String> problemOf(FlowState state) {
        return flows.problemOf(state);
    }

    Future<AppliedChanges> apply(Tx tx, Target target, StateDiff diff) {
        var applied = new AppliedChanges(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        return each(
                        diff.connections(),
                        change -> landConnection(tx, target, change)
                                .onSuccess(applied.connections()::add)
                                .mapEmpty())
                .compose(_ -> each(diff.tables(), change -> landTable(tx, target, change)))
                .compose(_ -> each(diff.flows(), change -> applyFlow(tx, target, change, applied)))
                .map(applied);
    }

    private static <T> Future<Void> each(List<T> items, Function<T, Future<Void>> work) {
        var done = Future.<Void>succeededFuture();
        for (var item : items) {
            done = done.compose(_ -> work.apply(item));
        }
        return done;
    }

    private Future<AppConnection> landConnection(Tx tx, Target target, ConnectionChange change) {
        return switch (change) {
            case ConnectionChange.Create(var state) ->
                connections.makePlace(
                        tx,
                        target.by(),
                        target.projectId(),
                        state,
                        target.pieceVersions().getOrDefault(state.pieceName(), NO_VERSION));
            case ConnectionChange.Rename(var current, var wanted) ->
                connections.rename(tx, current, wanted.displayName());
        };
    }

    /** Tables precede flows, whose triggers may listen to them. */
    private Future<Void> landTable(Tx tx, Target target, TableChange change) {
        return switch (change) {
            case TableChange.Delete(var current) ->
                tables.delete(tx, current.id())
                        .compose(_ -> removals.add(
                                tx,
                                target.by(),
                                new DeletionOutbox.Deletion(
                                        DeletionOutbox.Kind.TABLE, target.projectId(), current.externalId())));
            case TableChange.Create(var state) -> tables.create(tx, target.projectId(), state);
            case TableChange.Update(var current, var wanted) -> tables.update(tx, current.id(), wanted);
        };
    }

    private Future<Void> applyFlow(Tx tx, Target target, FlowChange change, AppliedChanges applied) {
        return (switch (change) {
                    case FlowChange.Delete(var current) -> flows.delete(tx, current.id());
                    case FlowChange.Create(var source) -> flows.create(tx, target.by(), target.projectId(), source);
                    case FlowChange.Update(var current, var _, var result) ->
                        flows.update(tx, target.by(), current.id(), result);
                })
                .map(done -> {
                    applied.flows().add(done);
                    status(target, change)
                            .map(status -> new Publication(done.flow().flow().id(), status, now()))
                            .ifPresent(applied.publications()::add);
                    return null;
                });
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /** Empty if the flow stays a draft. */
    private Optional<FlowStatus> status(Target target, FlowChange change) {
        return switch (change) {
            case FlowChange.Delete _ -> Optional.empty();
            case FlowChange.Create(var source) ->
                Optional.of(target.isReturn() ? source.status() : FlowStatus.ENABLED)
                        .filter(_ -> source.isPublished() || !target.isReturn())
                        .filter(_ -> flows.problemOf(source).isEmpty());
            case FlowChange.Update(var _, var _, var result) ->
                Optional.of(result.status())
                        .filter(_ -> result.isPublished())
                        .filter(_ -> flows.problemOf(result).isEmpty());
        };
    }

    /** Must be the last write of the transaction. */
    Future<Void> record(Tx tx, Principal by, AppliedChanges applied) {
        return connections.record(tx, by, applied.connections()).compose(_ -> flows.record(tx, by, applied.flows()));
    }

    /** Publishes notices of the applied changes, after the commit. */
    void announce(Principal by, AppliedChanges applied) {
        connections.announce(applied.connections());
        flows.announce(by, applied.flows());
    }
}
