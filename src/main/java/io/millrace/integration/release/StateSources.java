package io.millrace.integration.release;

import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.base.persistence.Database;
import io.millrace.integration.git.GitRepos;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.ConnectionState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fetches the target state of a release. No transaction is open meanwhile. */
final class StateSources {
    private static final long DEADLINE_MS = 10_000;

    private final ReleaseParts parts;
    private final Vertx vertx;
    private final Bus bus;
    private final Database database;
    private final ReleaseApplier applier;
    private final ReleaseStore store = new ReleaseStore();

    StateSources(ReleaseParts parts) {
        this.parts = parts;
        this.vertx = parts.vertx();
        this.bus = parts.bus();
        this.database = parts.database();
        this.applier = parts.applier();
    }

    Future<ProjectState> stateOf(Principal by, String projectId, ReleaseSource source) {
        return switch (source) {
            case ReleaseSource.Git _ ->
                bus.ask(new GitRepos.Read(projectId), parts.timing().gitDeadlineMs())
                        .compose(files -> vertx.executeBlocking(() -> StateFiles.read(files), false));
            case ReleaseSource.OtherProject(var sourceId) ->
                // Checks the read permission: a caller names a project by its id only, and must not copy a project that
                // it may not read.
                bus.ask(new Gate.Enter(by, sourceId, Permission.READ_FLOW), DEADLINE_MS)
                        .compose(_ -> database.read(tx -> applier.snapshot(tx, sourceId)))
                        .map(ReleaseApplier.ProjectSnapshot::state);
            case ReleaseSource.Rollback(var releaseId) -> snapshot(projectId, releaseId);
        };
    }

    private Future<ProjectState> snapshot(String projectId, String releaseId) {
        return database.read(tx -> store.find(tx, releaseId)
                        .map(found -> found.filter(
                                        release -> release.projectId().equals(projectId))
                                .orElseThrow(() -> ApiException.notFound("project-release", releaseId)))
                        .compose(release -> parts.files()
                                .findSnapshot(tx, projectId, release.fileId())
                                .map(found ->
                                        found.orElseThrow(() -> ApiException.notFound("file", release.fileId())))))
                .compose(snapshot -> vertx.executeBlocking(
                        () -> ProjectState.stored(DeepJson.parse(CompressedText.text(snapshot.getBytes()))), false));
    }

    static Buffer packed(ProjectState state) {
        return Buffer.buffer(CompressedText.of(DeepJson.bytes(state.toJson())));
    }

    /** Unknown pieces are left out. */
    Future<Map<String, String>> pieceVersions(Principal by, List<ConnectionState> connections) {
        var versions = new HashMap<String, String>();
        var done = Future.<Void>succeededFuture();
        for (var name :
                connections.stream().map(ConnectionState::pieceName).distinct().toList()) {
            done = done.compose(_ -> bus.ask(
                            new Pieces.FindAuth(PieceScope.of(by.platform()), name, Optional.empty()), DEADLINE_MS)
                    .onSuccess(piece -> versions.put(name, piece.version()))
                    .<Void>mapEmpty()
                    .recover(failure -> ApiException.isNotFound(failure)
                            ? Future.succeededFuture()
                            : Future.failedFuture(failure)));
        }
        return done.map(versions);
    }
}
