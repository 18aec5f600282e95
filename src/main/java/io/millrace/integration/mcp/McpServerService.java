package io.millrace.integration.mcp;

import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Hashes;
import io.millrace.base.secret.SecretBox;
import io.millrace.integration.mcp.McpServerStore.McpServerRow;
import io.millrace.workspace.authorizationserver.Grants;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Serves {@link McpServers}. Callers must have authorized access to the project. */
public final class McpServerService implements BusService {
    /** Length of an id, which clients of the contract require: 125 bits. */
    private static final int TOKEN_LENGTH = 21;

    private static final long DEADLINE_MS = 10_000;

    private final Bus bus;
    private final Database database;
    private final SecretBox box;
    private final McpServerAudit audit;
    private final InstantSource clock;
    private final McpServerStore store = new McpServerStore();
    private final CustomServerStore customs = new CustomServerStore();
    private final TokenReaders readers = new TokenReaders();

    public McpServerService(Bus bus, Database database, SecretBox box, AuditLog auditLog, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.box = box;
        this.audit = new McpServerAudit(auditLog);
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(McpServers.Get.class, this::get);
        bus.serve(McpServers.Show.class, this::show);
        bus.serve(McpServers.Update.class, this::update);
        bus.serve(McpServers.Rotate.class, this::rotate);
        bus.serve(McpServers.Identify.class, this::identify);
        bus.serve(McpServers.ContextOf.class, ask -> database.read(tx -> store.findContext(tx, ask.grantId())));
        bus.serve(McpServers.SetContext.class, this::setContext);
        bus.on(Flows.Activated.class, notice -> toolsChanged(notice.flow()));
        bus.on(Flows.Deactivated.class, notice -> toolsChanged(notice.flow()));
        bus.on(Flows.Published.class, notice -> toolsChanged(notice.flow()));
        bus.on(Flows.Deleted.class, notice -> toolsChanged(notice.flow()));
    }

    /** Notifies clients of every node: flows are tools. */
    private void toolsChanged(Flows.FlowWithVersion flow) {
        bus.publish(new McpServers.ToolsChanged(flow.flow().projectId()));
    }

    /** Every call of a tool asks; only the first one of all writes. */
    private Future<McpServer> get(McpServers.Get ask) {
        return database.read(tx -> store.find(tx, ask.projectId()))
                .compose(found -> found.map(this::opened)
                        .map(Future::succeededFuture)
                        .orElseGet(() -> database.inTransaction(tx -> provided(tx, ask.projectId()))));
    }

    private Future<McpServer> provided(Tx tx, String projectId) {
        return store.find(tx, projectId)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(found)
                        : insert(tx, projectId).compose(_ -> store.find(tx, projectId)))
                .map(found -> opened(found.orElseThrow(() -> ApiException.notFound("project", projectId))));
    }

    private Future<Void> insert(Tx tx, String projectId) {
        var token = Ids.random(TOKEN_LENGTH);
        return store.insert(tx, Ids.next(), now(), projectId, Hashes.sha256Hex(token), seal(projectId, token));
    }

    private Future<McpServers.ShownServer> show(McpServers.Show ask) {
        return database.inTransaction(tx -> provided(tx, ask.projectId())
                .compose(server -> readers.mayRead(tx, ask.by(), ask.projectId())
                        .compose(may -> may
                                ? withToken(tx, ask.by(), server)
                                : Future.succeededFuture(new McpServers.ShownServer(server, false)))));
    }

    private Future<McpServers.ShownServer> withToken(Tx tx, Principal by, McpServer server) {
        return readers.areAllowed(tx, server.projectId(), server.id())
                .compose(valid -> valid ? Future.succeededFuture(server) : renewed(tx, by, server.projectId()))
                .compose(current -> readers.add(tx, by, current.projectId(), current.id())
                        .map(new McpServers.ShownServer(current, true)));
    }

    private Future<McpServer> update(McpServers.Update ask) {
        return database.inTransaction(tx -> provided(tx, ask.projectId())
                        .compose(_ -> switch (ask.disabledTools()) {
                            case FieldChange.Keep<List<String>> _ -> Future.<Void>succeededFuture();
                            case FieldChange.To<List<String>>(var names) ->
                                store.disableTools(tx, ask.projectId(), Optional.ofNullable(names), now());
                        })
                        .compose(_ -> ask.pinnedTools()
                                .map(names -> store.pinTools(tx, ask.projectId(), names, now()))
                                .orElseGet(Future::succeededFuture))
                        .compose(_ -> recorded(tx, EventAction.MCP_SERVER_UPDATED, ask.by(), ask.projectId())))
                .onSuccess(_ -> bus.publish(new McpServers.ToolsChanged(ask.projectId())));
    }

    private Future<McpServer> rotate(McpServers.Rotate ask) {
        return database.inTransaction(tx -> readers.check(tx, ask.by(), ask.projectId())
                .compose(_ -> provided(tx, ask.projectId()))
                .compose(_ -> renewed(tx, ask.by(), ask.projectId())));
    }

    private Future<McpServer> renewed(Tx tx, Principal by, String projectId) {
        var token = Ids.random(TOKEN_LENGTH);
        return store.rotate(tx, projectId, Hashes.sha256Hex(token), seal(projectId, token), now())
                .compose(_ -> recorded(tx, EventAction.MCP_SERVER_TOKEN_ROTATED, by, projectId))
                .compose(server -> readers.clear(tx, server.id()).map(server));
    }

    private Future<McpServer> recorded(Tx tx, EventAction action, Principal by, String projectId) {
        return provided(tx, projectId)
                .compose(server -> audit.record(tx, action, by, server).map(server));
    }

    /** A token with dots was signed; a server's own token has none. */
    private Future<McpCaller> identify(McpServers.Identify ask) {
        return ask.token().indexOf('.') < 0 ? ofServer(ask) : ofGrant(ask);
    }

    private Future<McpCaller> ofServer(McpServers.Identify ask) {
        return database.read(
                        tx -> callerOf(tx, Hashes.sha256Hex(ask.token())).compose(found -> stillAllowed(tx, found)))
                .map(found -> found.filter(caller ->
                                ask.projectId().isEmpty() || caller.projectId().equals(ask.projectId()))
                        .orElseThrow(McpServerService::unknown));
    }

    /** Empty for a token that a reader without the rights knows. */
    private Future<Optional<McpCaller>> stillAllowed(Tx tx, Optional<McpCaller> found) {
        return found.isPresent() && found.get().by() instanceof Principal.McpServerToken token
                ? readers.areAllowed(tx, token.projectId(), token.serverId()).map(allowed -> found.filter(_ -> allowed))
                : Future.succeededFuture(found);
    }

    private Future<Optional<McpCaller>> callerOf(Tx tx, String tokenHash) {
        return store.findByToken(tx, tokenHash)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(
                                found.map(server -> McpCaller.ofServer(server.principal(), opened(server))))
                        : customs.findByToken(tx, tokenHash).map(custom -> custom.map(McpCaller::ofCustomServer)));
    }

    /** The person may have lost the project since the consent. */
    private Future<McpCaller> ofGrant(McpServers.Identify ask) {
        return bus.ask(new Grants.Identify(ask.token(), ask.resource()), DEADLINE_MS)
                .compose(granted -> {
                    var open = granted.projectId().or(ask::projectId);
                    if (ask.projectId().isPresent() && !open.equals(ask.projectId())) {
                        throw unknown();
                    }
                    var caller = McpCaller.ofGrant(granted.by(), open, granted.grantId());
                    return open.map(projectId -> enter(caller, projectId))
                            .orElseGet(() -> Future.succeededFuture(caller));
                });
    }

    private Future<McpCaller> enter(McpCaller caller, String projectId) {
        return bus.ask(new Gate.Enter(caller.by(), projectId, Permission.READ_MCP), DEADLINE_MS)
                .map(caller);
    }

    private static ApiException unknown() {
        return ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "invalid access token");
    }

    private Future<Nothing> setContext(McpServers.SetContext ask) {
        return bus.ask(new Gate.Enter(ask.by(), ask.projectId(), Permission.READ_MCP), DEADLINE_MS)
                .compose(_ -> database.inTransaction(tx -> store.setContext(tx, ask.grantId(), ask.projectId())))
                .onSuccess(_ -> bus.publish(new McpServers.ContextChanged(ask.grantId(), ask.projectId())))
                .map(Nothing.DONE);
    }

    private McpServer opened(McpServerRow stored) {
        return new McpServer(
                stored.id(),
                stored.created(),
                stored.updated(),
                stored.projectId(),
                box.openText(stored.sealedToken(), context(stored.projectId())),
                stored.disabledTools(),
                stored.pinnedTools());
    }

    private String seal(String projectId, String token) {
        return box.sealText(token, context(projectId));
    }

    private static String context(String projectId) {
        return "mcp_server:" + projectId;
    }

    /** Current time in the precision of a row. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
