package io.millrace;

import io.millrace.connection.ConnectionStates;
import io.millrace.file.ReleaseFiles;
import io.millrace.flow.FlowService;
import io.millrace.flow.ProjectFolders;
import io.millrace.git.GitRoutes;
import io.millrace.git.GitService;
import io.millrace.git.GitSettings;
import io.millrace.http.HttpModule;
import io.millrace.net.HostGuard;
import io.millrace.persistence.Desk;
import io.millrace.release.PushRoutes;
import io.millrace.release.PushService;
import io.millrace.release.ReleaseParts;
import io.millrace.release.ReleaseRoutes;
import io.millrace.release.ReleaseService;
import io.millrace.release.ReplaceRoutes;
import io.millrace.release.ReplaceService;
import io.millrace.table.TableStates;
import java.time.Duration;
import java.util.List;

/** Keeps projects in git repositories, and carries them from one place to another. */
final class GitRooms implements Wing {
    /** An operation waits for others on its project, and ends a moment after its time. */
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final Ground ground;
    private final List<Desk> desks;

    GitRooms(Ground ground, FlowService flows, ConnectionStates connections, TableStates tables, ReleaseFiles files) {
        this.ground = ground;
        var parts = new ReleaseParts(
                ground.vertx(),
                ground.bus(),
                ground.database(),
                flows.ofProject(),
                connections,
                tables,
                files,
                ground.trail(),
                deadlineMs(),
                ground.config().triggers().hooksTimeout(),
                ground.node().isAlone(),
                ground.clock());
        var folders = new ProjectFolders(ground.bus(), ground.trail(), ground.clock());
        desks = List.of(
                repositories(),
                new ReleaseService(parts),
                new PushService(parts),
                new ReplaceService(parts, folders, Server.VERSION));
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(
                new GitRoutes(bus, deadlineMs()),
                new ReleaseRoutes(bus, deadlineMs()),
                new PushRoutes(bus, deadlineMs()),
                new ReplaceRoutes(bus, deadlineMs()));
    }

    private GitService repositories() {
        var config = ground.config();
        var settings = new GitSettings(
                config.data().directory().resolve("git"),
                config.git().sshPort(),
                config.git().timeout(),
                config.git().repositoryBytesMax());
        var guard = new HostGuard(ground.vertx(), ground.guard());
        return new GitService(ground.vertx(), ground.database(), ground.box(), guard, settings, ground.clock());
    }

    /** How long a request that reaches a git server may take. */
    private long deadlineMs() {
        return ground.config().git().timeout().plus(WAIT).toMillis();
    }
}
