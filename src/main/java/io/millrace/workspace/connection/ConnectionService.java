package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Handles {@link Connections} of one project. Callers have passed the gate of the project. */
final class ConnectionService implements BusService {
    private final ConnectionParts parts;
    private final Database database;
    private final ConnectionRecheck recheck;
    private final ConnectionViews views;
    private final ConnectionStore store;
    private final ProjectLinkStore links;

    ConnectionService(ConnectionParts parts, ConnectionRecheck recheck) {
        this.parts = parts;
        this.database = parts.database();
        this.recheck = recheck;
        this.views = new ConnectionViews(parts.flows(), parts.stores().links());
        this.store = parts.stores().connections();
        this.links = parts.stores().links();
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Connections.Save.class, this::save);
        bus.serve(Connections.ListOf.class, this::list);
        bus.serve(Connections.Show.class, this::show);
        bus.serve(Connections.Update.class, this::update);
        bus.serve(Connections.Delete.class, this::delete);
        bus.serve(Connections.Revalidate.class, this::revalidate);
        bus.serve(Connections.Replace.class, this::replace);
        bus.serve(Connections.FindOwners.class, this::findOwners);
        bus.serve(Connections.ProjectOf.class, this::projectOf);
    }

    private Future<ConnectionView> save(Connections.Save ask) {
        return parts.saving()
                .save(ask.by(), ConnectionScope.PROJECT, List.of(ask.projectId()), ask.request())
                .onSuccess(parts::announce)
                .compose(connection -> database.read(tx -> views.inProject(tx, connection, ask.projectId())));
    }

    private Future<Page<ConnectionView>> list(Connections.ListOf ask) {
        return database.read(tx -> links.findPlatform(tx, ask.projectId())
                .compose(platformId -> store.page(tx, platformId, ask.filter().in(ask.projectId()), ask.page()))
                .compose(page -> views.inProject(tx, page, ask.projectId())));
    }

    private Future<ConnectionView> show(Connections.Show ask) {
        return database.read(tx -> found(tx, ask.id(), ask.projectId())
                .compose(connection -> views.inProject(tx, connection, ask.projectId())));
    }

    private Future<ConnectionView> update(Connections.Update ask) {
        return database.inTransaction(tx -> own(tx, ask.id(), ask.projectId())
                        .compose(connection -> store.update(
                                tx,
                                ask.id(),
                                parts.now(),
                                ask.displayName(),
                                ask.metadata().isNamed() ? ask.metadata().or((ObjectNode) null) : connection.metadata(),
                                connection.preSelectForNewProjects()))
                        .compose(_ -> found(tx, ask.id(), ask.projectId()))
                        .compose(connection -> parts.auditLog().upserted(tx, ask.by(), connection)))
                .onSuccess(parts::announce)
                .compose(connection -> database.read(tx -> views.inProject(tx, connection, ask.projectId())));
    }

    private Future<Nothing> delete(Connections.Delete ask) {
        return database.inTransaction(tx -> own(tx, ask.id(), ask.projectId())
                        .compose(connection -> store.delete(tx, ask.id())
                                .compose(_ -> parts.auditLog().deleted(tx, ask.by(), connection))))
                .onSuccess(parts::announceDeleted)
                .map(Nothing.DONE);
    }

    private Future<ConnectionView> revalidate(Connections.Revalidate ask) {
        return database.read(tx -> found(tx, ask.id(), ask.projectId()))
                .compose(recheck::recheck)
                .onComplete(_ -> parts.vault().forget())
                .compose(_ -> show(new Connections.Show(ask.id(), ask.projectId())));
    }

    private Future<Nothing> replace(Connections.Replace ask) {
        return database.inTransaction(tx -> found(tx, ask.sourceId(), ask.projectId())
                        .compose(source -> found(tx, ask.targetId(), ask.projectId())
                                .compose(target -> replace(tx, ask, source, target))))
                .onSuccess(replacement -> {
                    parts.flows().announce(replacement);
                    parts.vault().forget();
                })
                .map(Nothing.DONE);
    }

    private Future<FlowConnections.Replacement> replace(
            Tx tx, Connections.Replace ask, AppConnection source, AppConnection target) {
        if (source.id().equals(target.id()) || !source.pieceName().equals(target.pieceName())) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.VALIDATION, "expected another connection of the same piece to replace this one"));
        }
        if (ask.deleteSource() && source.scope() == ConnectionScope.PLATFORM) {
            return Future.failedFuture(global());
        }
        return parts.flows()
                .replace(tx, ask.projectId(), source.externalId(), target.externalId(), ask.applyToPublished())
                .compose(replacement -> {
                    if ((ask.deleteSource() || ask.applyToPublished()) && replacement.publishedLeft() > 0) {
                        return Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION, "published flows still use the connection that is replaced"));
                    }
                    return (ask.deleteSource()
                                    ? store.delete(tx, source.id())
                                            .compose(_ -> parts.auditLog().deleted(tx, ask.by(), source))
                                    : Future.succeededFuture(source))
                            .map(replacement);
                });
    }

    private Future<List<JsonNode>> findOwners(Connections.FindOwners ask) {
        return database.read(tx -> links.ownersInProject(tx, ask.projectId()));
    }

    private Future<String> projectOf(Connections.ProjectOf ask) {
        return database.read(tx -> store.find(tx, ask.id()))
                .map(found -> found.map(connection ->
                                connection.projectIds().stream().findFirst().orElse(""))
                        .orElseThrow(() -> notFound(ask.id())));
    }

    private Future<AppConnection> found(Tx tx, String id, String projectId) {
        return store.find(tx, id)
                .map(found -> found.filter(connection -> connection.projectIds().contains(projectId))
                        .orElseThrow(() -> notFound(id)));
    }

    private Future<AppConnection> own(Tx tx, String id, String projectId) {
        return found(tx, id, projectId).map(connection -> {
            if (connection.scope() == ConnectionScope.PLATFORM) {
                throw global();
            }
            return connection;
        });
    }

    private static ApiException global() {
        return ApiException.of(
                ErrorCode.AUTHORIZATION,
                "only administrators of the platform can change or delete a global connection");
    }

    private static ApiException notFound(String id) {
        return ApiException.notFound("AppConnection", id);
    }
}
