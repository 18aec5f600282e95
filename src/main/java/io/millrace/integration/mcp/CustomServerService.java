package io.millrace.integration.mcp;

import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

public final class CustomServerService implements BusService {
    private static final String ENTITY = "mcp_server";

    /** 256 bits of randomness. A token has no dots: those of grants do. */
    private static final int TOKEN_LENGTH = 43;

    private final Bus bus;
    private final Database database;
    private final McpServerAudit audit;
    private final RowBound bound;
    private final InstantSource clock;
    private final CustomServerStore store = new CustomServerStore();
    private final TokenReaders readers = new TokenReaders();

    public CustomServerService(Bus bus, Database database, AuditLog auditLog, RowBound bound, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.audit = new McpServerAudit(auditLog);
        this.bound = bound;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(CustomServers.Create.class, this::create);
        bus.serve(CustomServers.Find.class, ask -> database.read(tx -> found(tx, ask.projectId(), ask.id())));
        bus.serve(CustomServers.ListOf.class, ask -> database.read(tx -> store.page(tx, ask.projectId(), ask.page())));
        bus.serve(CustomServers.Update.class, this::update);
        bus.serve(CustomServers.Rotate.class, this::rotate);
        bus.serve(CustomServers.Delete.class, this::delete);
    }

    private Future<CustomServer.ServerToken> create(CustomServers.Create ask) {
        var id = Ids.next();
        var projectId = ask.projectId();
        var token = Ids.random(TOKEN_LENGTH);
        var selection = ask.selection().of(ToolSelection.NONE);
        return database.inTransaction(tx -> readers.check(tx, ask.by(), projectId)
                .compose(_ -> checkFlows(tx, projectId, selection.flowIds()))
                .compose(_ -> bound.begin(tx, "MCP servers", "project", projectId))
                .compose(addition -> store.insert(
                                tx, id, now(), projectId, ask.displayName(), Hashes.sha256Hex(token), selection)
                        .compose(_ -> store.count(tx, projectId))
                        .compose(addition::check))
                .compose(_ -> readers.add(tx, ask.by(), projectId, id))
                .compose(_ -> found(tx, projectId, id))
                .compose(server -> audit.record(tx, EventAction.MCP_SERVER_CREATED, ask.by(), server)
                        .map(new CustomServer.ServerToken(server, token))));
    }

    private Future<CustomServer> update(CustomServers.Update ask) {
        return database.inTransaction(tx -> readers.check(tx, ask.by(), ask.projectId())
                        .compose(_ -> found(tx, ask.projectId(), ask.id()))
                        .compose(server -> {
                            var selection = ask.selection().of(server.selection());
                            var name = ask.displayName().orElseGet(server::displayName);
                            return checkFlows(tx, ask.projectId(), selection.flowIds())
                                    .compose(_ -> store.update(tx, ask.id(), now(), name, selection));
                        })
                        .compose(_ -> found(tx, ask.projectId(), ask.id()))
                        .compose(server -> audit.record(tx, EventAction.MCP_SERVER_UPDATED, ask.by(), server)
                                .map(server)))
                .onSuccess(_ -> bus.publish(new McpServers.ToolsChanged(ask.projectId())));
    }

    private Future<CustomServer.ServerToken> rotate(CustomServers.Rotate ask) {
        var token = Ids.random(TOKEN_LENGTH);
        return database.inTransaction(tx -> readers.check(tx, ask.by(), ask.projectId())
                .compose(_ -> found(tx, ask.projectId(), ask.id()))
                .compose(_ -> store.rotate(tx, ask.id(), Hashes.sha256Hex(token), now()))
                .compose(_ -> readers.clear(tx, ask.id()))
                .compose(_ -> readers.add(tx, ask.by(), ask.projectId(), ask.id()))
                .compose(_ -> found(tx, ask.projectId(), ask.id()))
                .compose(server -> audit.record(tx, EventAction.MCP_SERVER_TOKEN_ROTATED, ask.by(), server)
                        .map(new CustomServer.ServerToken(server, token))));
    }

    private Future<Nothing> delete(CustomServers.Delete ask) {
        return database.inTransaction(tx -> found(tx, ask.projectId(), ask.id())
                        .compose(server -> store.delete(tx, ask.id())
                                .compose(_ -> readers.clear(tx, ask.id()))
                                .compose(_ -> audit.record(tx, EventAction.MCP_SERVER_DELETED, ask.by(), server))))
                .map(Nothing.DONE);
    }

    private Future<CustomServer> found(Tx tx, String projectId, String id) {
        return store.find(tx, projectId, id).map(found -> found.orElseThrow(() -> ApiException.notFound(ENTITY, id)));
    }

    private Future<Void> checkFlows(Tx tx, String projectId, List<String> flowIds) {
        return flowIds.isEmpty()
                ? Future.succeededFuture()
                : store.unknownFlows(tx, projectId, flowIds)
                        .compose(unknown -> unknown.isEmpty()
                                ? Future.succeededFuture()
                                : Future.failedFuture(ApiException.of(
                                        ErrorCode.VALIDATION,
                                        "flowIds: expected flows of the project, found "
                                                + String.join(", ", unknown))));
    }

    /** Current time in the precision of a row. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
