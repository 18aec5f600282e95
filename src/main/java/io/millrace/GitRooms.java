package io.millrace;

import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.flow.ProjectFolders;
import io.millrace.git.GitRoutes;
import io.millrace.git.GitService;
import io.millrace.git.GitSettings;
import io.millrace.http.HttpModule;
import io.millrace.net.AddressGuard;
import io.millrace.net.HostGuard;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.release.PushRoutes;
import io.millrace.release.PushService;
import io.millrace.release.ReleaseParts;
import io.millrace.release.ReleaseRoutes;
import io.millrace.release.ReleaseService;
import io.millrace.release.ReplaceRoutes;
import io.millrace.release.ReplaceService;
import io.millrace.secret.SecretBox;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The part of {@link Rooms} that keeps projects in git repositories, and carries them from one place to another. */
final class GitRooms {
    /** An operation waits for others on its project, and ends a moment after its time. */
    private static final Duration WAIT = Duration.ofSeconds(30);

    private GitRooms() {}

    static GitService repositories(
            Vertx vertx, Config config, Database database, SecretBox box, AddressGuard guard, InstantSource clock) {
        var settings = new GitSettings(
                config.data().directory().resolve("git"),
                config.git().sshPort(),
                config.git().timeout(),
                config.git().repositoryBytesMax());
        return new GitService(vertx, database, box, new HostGuard(vertx, guard), settings, clock);
    }

    static List<Desk> releases(ReleaseParts parts) {
        var folders = new ProjectFolders(parts.bus(), parts.trail(), parts.clock());
        return List.of(
                new ReleaseService(parts), new PushService(parts), new ReplaceService(parts, folders, Server.VERSION));
    }

    static List<HttpModule> modules(Bus bus, Config config) {
        var deadlineMs = deadlineMs(config);
        return List.of(
                new GitRoutes(bus, deadlineMs),
                new ReleaseRoutes(bus, deadlineMs),
                new PushRoutes(bus, deadlineMs),
                new ReplaceRoutes(bus, deadlineMs));
    }

    /** How long a request that reaches a git server may take. */
    static long deadlineMs(Config config) {
        return config.git().timeout().plus(WAIT).toMillis();
    }
}
