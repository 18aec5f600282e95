package io.millrace.release;

import io.millrace.access.Principal;
import io.millrace.bus.Bus;
import io.millrace.bus.Nothing;
import io.millrace.connection.ConnectionState;
import io.millrace.connection.ConnectionStates.Held;
import io.millrace.core.ApiException;
import io.millrace.flow.FlowState;
import io.millrace.flow.Flows;
import io.millrace.git.Author;
import io.millrace.git.BranchType;
import io.millrace.git.FileChange;
import io.millrace.git.GitRepos;
import io.millrace.identity.Users;
import io.millrace.persistence.Desk;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@link Pushes}. A flow that is deleted in a project with a branch for development is removed from it too: after
 * the deletion, which does not wait for a git server nor fail with it.
 */
public final class PushService implements Desk {
    private static final Logger LOG = LoggerFactory.getLogger(PushService.class);

    private static final long DEADLINE_MS = 10_000;

    private final ReleaseParts parts;
    private final Bus bus;
    private final Landing landing;

    public PushService(ReleaseParts parts) {
        this.parts = parts;
        this.bus = parts.bus();
        this.landing = parts.landing();
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Pushes.Push.class, this::push);
        bus.on(Flows.Deleted.class, this::removeDeleted);
    }

    private Future<Nothing> push(Pushes.Push ask) {
        return changes(ask)
                .compose(changes -> changes.isEmpty()
                        ? Future.succeededFuture(Nothing.DONE)
                        : commit(ask.by(), ask.projectId(), ask.commitMessage(), changes));
    }

    private Future<List<FileChange>> changes(Pushes.Push ask) {
        return switch (ask.type()) {
            case PUSH_FLOW -> here(ask.projectId()).map(here -> written(here, ask.externalIds()));
            case PUSH_EVERYTHING -> here(ask.projectId()).map(here -> StateFiles.written(here.flows(), statesOf(here)));
            case DELETE_FLOW -> Future.succeededFuture(StateFiles.removed(StateFiles.FLOWS, ask.externalIds()));
            case DELETE_TABLE -> Future.succeededFuture(StateFiles.removed(StateFiles.TABLES, ask.externalIds()));
            case PUSH_TABLE ->
                // This server keeps no tables: none of these can be there.
                ask.externalIds().stream()
                        .findFirst()
                        .<Future<List<FileChange>>>map(id -> Future.failedFuture(ApiException.notFound("table", id)))
                        .orElseGet(() -> Future.succeededFuture(List.of()));
        };
    }

    private Future<Landing.Here> here(String projectId) {
        return parts.database().read(tx -> landing.here(tx, projectId));
    }

    private static List<FileChange> written(Landing.Here here, List<String> externalIds) {
        var flows = here.flows().stream().collect(Collectors.toMap(FlowState::externalId, Function.identity()));
        var chosen = externalIds.stream().distinct().map(externalId -> {
            var flow = flows.get(externalId);
            if (flow == null) {
                throw ApiException.notFound("flow", externalId);
            }
            return flow;
        });
        return StateFiles.written(chosen.toList(), statesOf(here));
    }

    private static List<ConnectionState> statesOf(Landing.Here here) {
        return here.connections().stream().map(Held::state).toList();
    }

    private Future<Nothing> commit(Principal by, String projectId, String message, List<FileChange> changes) {
        return bus.ask(new Users.Find(by, by.actingUser()), DEADLINE_MS)
                .map(user -> new Author(user.firstName() + " " + user.lastName(), user.email()))
                .compose(author ->
                        bus.ask(new GitRepos.Commit(projectId, author, message, changes), parts.gitDeadlineMs()));
    }

    private void removeDeleted(Flows.Deleted deleted) {
        var flow = deleted.flow().flow();
        bus.ask(new GitRepos.FindOf(flow.projectId()), DEADLINE_MS)
                .compose(found -> found.filter(repo -> repo.branchType() == BranchType.DEVELOPMENT)
                        .map(_ -> commit(
                                deleted.by(),
                                flow.projectId(),
                                "chore: deleted flow " + flow.externalId(),
                                StateFiles.removed(StateFiles.FLOWS, List.of(flow.externalId()))))
                        .orElseGet(() -> Future.succeededFuture(Nothing.DONE)))
                .onFailure(cause -> LOG.warn(
                        "flow {} is deleted and stays in its git repository: {}", flow.id(), cause.getMessage()));
    }
}
