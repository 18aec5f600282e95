package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.HostClass;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.piece.Piece;
import io.millrace.workspace.oauth.OAuthVerticle;
import java.util.List;
import java.util.stream.Stream;

/** Builds all modules in the order of their dependencies, and lists their routes, services and workers. */
public final class ServerModules {
    private final PlatformModule platform;
    private final PieceModule pieces;
    private final TriggerModule triggers;
    private final CodeModule code;
    private final RunModule runs;
    private final IdentityModule people;
    private final ActionModule actions;
    private final AgentModule agents;
    private final List<ServerModule> all;
    private final BackupModule backups;
    private final OAuthVerticle oauth;

    public ServerModules(ServerContext context, List<Piece> morePieces) {
        var node = NpmModule.node(context);
        platform = new PlatformModule(context, node);
        var platforms = platform.platforms();
        actions = new ActionModule(context);
        agents = new AgentModule(context);
        pieces = new PieceModule(context, node, platforms, agents, morePieces);
        var files = new FileModule(context);
        triggers = new TriggerModule(context, pieces, files);
        code = new CodeModule(context, node);
        var flows =
                new FlowModule(context, code, pieces.catalogue(), triggers.triggers(), agents.ofFlows(), files.files());
        var connections = new ConnectionModule(context);
        var projects = new ProjectModule(context, platforms, flows.flows(), connections.ofProjects());
        var mail = new MailModule(context, platforms);
        people = new IdentityModule(context, platforms, projects, mail.outbox());
        var tables = new TableModule(context);
        runs = new RunModule(context, code, pieces, triggers.hooks(), files.addresses());
        all = List.of(
                // Routes are tried in this order, and those of webhooks get most requests.
                new WebhookModule(context),
                new GitModule(context, flows.flows(), connections.states(), tables.states(), files.files()),
                tables,
                triggers,
                platform,
                new EventModule(context),
                people,
                new FederationModule(context, platforms, projects, people, pieces.tags()),
                pieces,
                files,
                connections,
                projects,
                new McpModule(context, agents.runs(), people.registrationLimit()),
                agents,
                actions,
                new KnowledgeModule(context, files.files(), agents.models()),
                flows,
                code,
                runs,
                new FailureModule(context),
                mail,
                new ConsoleModule(context));
        backups = new BackupModule(context, files);
        oauth = new OAuthVerticle(
                context.bus(), context.network().outbound().toHosts(HostClass.OAUTH), context.clock());
    }

    public PlatformModule platform() {
        return platform;
    }

    public PieceModule pieces() {
        return pieces;
    }

    public TriggerModule triggers() {
        return triggers;
    }

    public CodeModule code() {
        return code;
    }

    public ActionModule actions() {
        return actions;
    }

    public AgentModule agents() {
        return agents;
    }

    public RunModule runs() {
        return runs;
    }

    public IdentityModule people() {
        return people;
    }

    public List<BusService> busServices() {
        return all.stream().flatMap(module -> module.busServices().stream()).toList();
    }

    /** New ones, for one event loop. */
    public List<BusService> loopServices() {
        return all.stream().flatMap(module -> module.loopServices().stream()).toList();
    }

    public List<BusService> oauthServices() {
        return all.stream().flatMap(module -> module.oauthServices().stream()).toList();
    }

    public BackupModule backups() {
        return backups;
    }

    public OAuthVerticle oauth() {
        return oauth;
    }

    public List<RouteGroup> routeGroups() {
        return Stream.concat(
                        all.stream().flatMap(module -> module.routeGroups().stream()),
                        Stream.of(agents.executions(pieces)))
                .toList();
    }

    public List<PollingVerticle> workers() {
        return all.stream().flatMap(module -> module.workers().stream()).toList();
    }
}
