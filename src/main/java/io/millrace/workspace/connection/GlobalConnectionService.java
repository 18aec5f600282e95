package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Handles {@link Connections} of the whole platform. The routes admit administrators only; connections of other platforms are
 * not found.
 */
final class GlobalConnectionService implements BusService {
    private final ConnectionParts parts;
    private final Database database;
    private final ConnectionViews views;
    private final ConnectionStore store;
    private final ProjectLinkStore links;

    GlobalConnectionService(ConnectionParts parts) {
        this.parts = parts;
        this.database = parts.database();
        this.views = new ConnectionViews(parts.flows(), parts.stores().links());
        this.store = parts.stores().connections();
        this.links = parts.stores().links();
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Connections.SaveGlobal.class, this::save);
        bus.serve(Connections.ListOnPlatform.class, this::list);
        bus.serve(Connections.UpdateGlobal.class, this::update);
        bus.serve(Connections.DeleteGlobal.class, this::delete);
        bus.serve(Connections.FindPlatformOwners.class, this::findOwners);
    }

    private Future<ConnectionView> save(Connections.SaveGlobal ask) {
        return database.read(tx -> present(tx, ask.by(), ask.projectIds()))
                .compose(projectIds ->
                        parts.saving().save(ask.by(), ConnectionScope.PLATFORM, projectIds, ask.request()))
                .onSuccess(parts::announce)
                .compose(connection -> database.read(tx -> views.onPlatform(tx, connection)));
    }

    private Future<Page<ConnectionView>> list(Connections.ListOnPlatform ask) {
        return database.read(tx -> store.page(tx, Optional.of(ask.by().platform()), ask.filter(), ask.page())
                .compose(page -> views.onPlatform(tx, page)));
    }

    private Future<ConnectionView> update(Connections.UpdateGlobal ask) {
        return database.inTransaction(tx -> found(tx, ask.by(), ask.id())
                        .compose(connection -> store.update(
                                tx,
                                ask.id(),
                                parts.now(),
                                ask.displayName(),
                                ask.metadata().isNamed() ? ask.metadata().or((ObjectNode) null) : connection.metadata(),
                                ask.preSelectForNewProjects().orElse(connection.preSelectForNewProjects())))
                        .compose(_ -> setProjects(tx, ask))
                        .compose(_ -> found(tx, ask.by(), ask.id()))
                        .compose(connection -> parts.auditLog().upserted(tx, ask.by(), connection)))
                .onSuccess(parts::announce)
                .compose(connection -> database.read(tx -> views.onPlatform(tx, connection)));
    }

    private Future<Void> setProjects(Tx tx, Connections.UpdateGlobal ask) {
        return ask.projectIds()
                .map(projectIds ->
                        present(tx, ask.by(), projectIds).compose(known -> links.setProjects(tx, ask.id(), known)))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Nothing> delete(Connections.DeleteGlobal ask) {
        return database.inTransaction(tx -> found(tx, ask.by(), ask.id())
                        .compose(connection -> store.delete(tx, ask.id())
                                .compose(_ -> parts.auditLog().deleted(tx, ask.by(), connection))))
                .onSuccess(parts::announceDeleted)
                .map(Nothing.DONE);
    }

    private Future<List<JsonNode>> findOwners(Connections.FindPlatformOwners ask) {
        return database.read(tx -> links.ownersOnPlatform(tx, ask.by().platform()));
    }

    private Future<AppConnection> found(Tx tx, Principal by, String id) {
        return store.find(tx, id)
                .map(found -> found.filter(connection -> connection.scope() == ConnectionScope.PLATFORM
                                && connection.platformId().equals(by.platform()))
                        .orElseThrow(() -> ApiException.notFound("AppConnection", id)));
    }

    /** The same ids, each once, when all are projects of the platform. */
    private Future<List<String>> present(Tx tx, Principal by, List<String> projectIds) {
        var wanted = projectIds.stream().distinct().toList();
        return links.findPresent(tx, by.platform(), wanted).map(present -> {
            wanted.stream().filter(id -> !present.contains(id)).findFirst().ifPresent(unknown -> {
                throw ApiException.notFound("Project", unknown);
            });
            return wanted;
        });
    }
}
