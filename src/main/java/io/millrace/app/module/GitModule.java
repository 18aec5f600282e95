package io.millrace.app.module;

import io.millrace.authoring.flow.FlowService;
import io.millrace.authoring.folder.ProjectFolders;
import io.millrace.authoring.table.TableStates;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.HostGuard;
import io.millrace.base.persistence.BusService;
import io.millrace.integration.git.GitRoutes;
import io.millrace.integration.git.GitService;
import io.millrace.integration.git.GitSettings;
import io.millrace.integration.release.DefinitionRoutes;
import io.millrace.integration.release.DefinitionService;
import io.millrace.integration.release.ReleaseParts;
import io.millrace.integration.release.ReleaseRoutes;
import io.millrace.integration.release.ReleaseService;
import io.millrace.integration.release.ReplaceRoutes;
import io.millrace.integration.release.ReplaceService;
import io.millrace.integration.release.push.PushRoutes;
import io.millrace.integration.release.push.PushService;
import io.millrace.piece.file.ReleaseFiles;
import io.millrace.workspace.connection.ConnectionStates;
import io.millrace.workspace.variable.VariableStates;
import java.time.Duration;
import java.util.List;

/** Git repositories of projects, and releases between projects. */
final class GitModule implements ServerModule {
    /** Margin for the wait for other operations on the project, and for the end after a timeout. */
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final ServerContext context;
    private final List<BusService> busServices;

    GitModule(
            ServerContext context,
            FlowService flows,
            ConnectionStates connections,
            TableStates tables,
            ReleaseFiles files) {
        this.context = context;
        var parts = new ReleaseParts(
                context.vertx(),
                context.bus(),
                context.database(),
                new ReleaseParts.States(
                        flows.ofProject(),
                        connections,
                        tables,
                        new VariableStates(context.security().auditLog(), context.clock())),
                files,
                context.security().auditLog(),
                context.projectRows(),
                new ReleaseParts.Timing(
                        deadlineMs(),
                        context.config().runs().triggers().hooksTimeout(),
                        context.nodes().node().isAlone(),
                        context.clock()));
        var folders = new ProjectFolders(
                context.bus(), context.security().auditLog(), context.projectRows(), context.clock());
        busServices = List.of(
                repositories(),
                new ReleaseService(parts),
                new PushService(parts),
                new ReplaceService(parts, folders, ServerContext.VERSION),
                new DefinitionService(parts, folders, ServerContext.VERSION));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new GitRoutes(bus, deadlineMs()),
                new ReleaseRoutes(bus, deadlineMs()),
                new PushRoutes(bus, deadlineMs()),
                new ReplaceRoutes(bus, deadlineMs()),
                new DefinitionRoutes(bus, deadlineMs()));
    }

    private GitService repositories() {
        var config = context.config();
        var settings = new GitSettings(
                config.storage().data().directory().resolve("git"),
                config.content().git().sshPort(),
                config.content().git().timeout(),
                config.content().git().repositoryBytesMax());
        var guard = new HostGuard(context.vertx(), context.network().guard());
        return new GitService(
                context.vertx(),
                context.database(),
                context.security().box(),
                guard,
                settings,
                context.nodes().node().lease()::exchangeFence,
                context.clock());
    }

    private long deadlineMs() {
        return context.config().content().git().timeout().plus(WAIT).toMillis();
    }
}
