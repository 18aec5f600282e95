package io.millrace.integration.git;

import io.millrace.base.core.Ids;
import io.millrace.support.MovableClock;
import io.millrace.support.outside.GitServer;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a git server, one repository each, and the git operations of a node. */
abstract class GitBench {
    static final int MEGABYTE = 1 << 20;
    static final Author ADA = new Author("Ada Miller", "ada@example.com");

    static GitServer server;
    static String key;

    @TempDir
    Path directory;

    GitOperations operations;
    String name;
    String url;

    @BeforeAll
    static void startServer() {
        CleanGitEnvironment.install();
        server = GitServer.start();
        key = server.knownKey();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void makeRepository() {
        operations = operations(MEGABYTE);
        name = Ids.next();
        url = server.repository(name);
    }

    GitOperations operations(long bytesMax) {
        return new GitOperations(
                new GitSettings(directory, server.port(), Duration.ofSeconds(30), bytesMax), new MovableClock());
    }

    GitOperations.Remote remote(String slug, String privateKey, Optional<String> hostKey) {
        var address = InetAddress.ofLiteral("127.0.0.1");
        return new GitOperations.Remote(
                "project",
                url,
                "main",
                slug,
                privateKey,
                new SshLink.SshHost(List.of(address), server.port(), hostKey));
    }
}
