package io.millrace.integration.release.push;

import io.millrace.account.identity.user.Users;
import io.millrace.authoring.flow.FlowState;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.table.TableState;
import io.millrace.authoring.table.Tables;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.integration.git.Author;
import io.millrace.integration.git.FileChange;
import io.millrace.integration.git.GitRepos;
import io.millrace.integration.release.ReleaseApplier;
import io.millrace.integration.release.ReleaseParts;
import io.millrace.integration.release.StateFiles;
import io.millrace.workspace.connection.ConnectionState;
import io.millrace.workspace.connection.ConnectionStates.StoredConnection;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Serves {@link Pushes}. A flow or table that is deleted in a project with a development branch is also removed from the branch,
 * by {@link GitRemovals}: after the deletion, which neither waits for the git server nor fails with it.
 */
public final class PushService implements BusService {
    private static final long DEADLINE_MS = 10_000;

    private final ReleaseParts parts;
    private final Bus bus;
    private final ReleaseApplier applier;
    private final GitRemovals removals;

    public PushService(ReleaseParts parts) {
        this.parts = parts;
        this.bus = parts.bus();
        this.applier = parts.applier();
        this.removals = new GitRemovals(parts);
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Pushes.Push.class, this::push);
        bus.on(Flows.Deleted.class, _ -> removals.look());
        bus.on(Tables.Deleted.class, _ -> removals.look());
        removals.watch();
    }

    private Future<Nothing> push(Pushes.Push ask) {
        return changes(ask)
                .compose(changes -> changes.isEmpty()
                        ? Future.succeededFuture(Nothing.DONE)
                        : commit(ask.by(), ask.projectId(), ask.commitMessage(), changes));
    }

    private Future<List<FileChange>> changes(Pushes.Push ask) {
        return switch (ask.type()) {
            case PUSH_FLOW -> snapshot(ask.projectId()).map(snapshot -> written(snapshot, ask.externalIds()));
            case PUSH_EVERYTHING -> snapshot(ask.projectId()).map(PushService::everything);
            case DELETE_FLOW -> Future.succeededFuture(StateFiles.removed(StateFiles.FLOWS, ask.externalIds()));
            case DELETE_TABLE -> Future.succeededFuture(StateFiles.removed(StateFiles.TABLES, ask.externalIds()));
            case PUSH_TABLE ->
                snapshot(ask.projectId())
                        .map(snapshot -> StateFiles.written(
                                chosen(snapshot.tables(), TableState::externalId, "table", ask.externalIds())));
        };
    }

    private Future<ReleaseApplier.ProjectSnapshot> snapshot(String projectId) {
        return parts.database().read(tx -> applier.snapshot(tx, projectId));
    }

    private static List<FileChange> written(ReleaseApplier.ProjectSnapshot snapshot, List<String> externalIds) {
        return StateFiles.written(
                chosen(snapshot.flows(), FlowState::externalId, "flow", externalIds), statesOf(snapshot));
    }

    private static <T> List<T> chosen(
            List<T> items, Function<T, String> externalIdOf, String entityType, List<String> externalIds) {
        var known = items.stream().collect(Collectors.toMap(externalIdOf, Function.identity()));
        return externalIds.stream()
                .distinct()
                .map(externalId -> {
                    var item = known.get(externalId);
                    if (item == null) {
                        throw ApiException.notFound(entityType, externalId);
                    }
                    return item;
                })
                .toList();
    }

    private static List<FileChange> everything(ReleaseApplier.ProjectSnapshot snapshot) {
        var changes = new ArrayList<>(StateFiles.written(snapshot.flows(), statesOf(snapshot)));
        changes.addAll(StateFiles.written(snapshot.tables()));
        return changes;
    }

    private static List<ConnectionState> statesOf(ReleaseApplier.ProjectSnapshot snapshot) {
        return snapshot.connections().stream().map(StoredConnection::state).toList();
    }

    private Future<Nothing> commit(Principal by, String projectId, String message, List<FileChange> changes) {
        return bus.ask(new Users.Find(by, by.actingUser()), DEADLINE_MS)
                .map(user -> new Author(user.firstName() + " " + user.lastName(), user.email()))
                .compose(author -> bus.ask(
                        new GitRepos.Commit(projectId, author, message, changes),
                        parts.timing().gitDeadlineMs()));
    }
}
