package io.millrace.support.outside;

import io.millrace.base.net.FreePort;
import io.millrace.support.TestFolder;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The sshd of this host on 127.0.0.1, with bare repositories that it serves with the git of this host. Clients sign in
 * as the user {@code git}, who exists on few hosts: sshd gets a separate mount namespace, in which {@code /etc/passwd}
 * has a line for the user. The host is not changed; needs root.
 */
public final class OpenSshServer implements AutoCloseable {
    private static final Path SSHD = Path.of("/usr/sbin/sshd");

    /** Mount namespace of sshd: its own directory under /run, and the user git. */
    private static final String IN_NAMESPACE = """
            mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && mount --bind "$1" /etc/passwd && exec "$2" -D -e -f "$3"
            """;

    private final Path folder;
    private final int port;
    private Process process;

    private OpenSshServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Missing prerequisite of this host; empty when the server can be started. */
    public static Optional<String> missing() {
        if (!Files.isExecutable(SSHD)) {
            return Optional.of("there is no " + SSHD);
        }
        try {
            var tools = new ProcessBuilder("unshare", "--mount", "sh", "-c", "git --version && ssh-keygen -? ; true")
                    .redirectErrorStream(true)
                    .start();
            var output = new String(tools.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return tools.waitFor() == 0 && output.contains("git version") && output.contains("usage: ssh-keygen")
                    ? Optional.empty()
                    : Optional.of("root, git and ssh-keygen are needed: " + output.strip());
        } catch (IOException noSuchTool) {
            return Optional.of(noSuchTool.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /** Starts sshd with a fresh host key on a free port. */
    public static OpenSshServer start() {
        try {
            var folder = Files.createTempDirectory("millrace-sshd");
            var server = new OpenSshServer(folder, FreePort.find().orElseThrow());
            Files.writeString(
                    folder.resolve("passwd"),
                    Files.readString(Path.of("/etc/passwd")) + "git:*:0:0::" + folder + ":/bin/sh\n");
            Files.writeString(folder.resolve("let-in"), "");
            Files.writeString(folder.resolve("config"), server.config());
            server.makeKey("host-key");
            server.launch();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String config() {
        return """
                Port %d
                ListenAddress 127.0.0.1
                HostKey %s/host-key
                AuthorizedKeysFile %s/let-in
                AuthenticationMethods publickey
                PermitRootLogin yes
                StrictModes no
                UsePAM no
                PidFile none
                """.formatted(port, folder, folder);
    }

    public int port() {
        return port;
    }

    /** A fresh private key that the server accepts. */
    public String knownKey() {
        var name = "key-" + System.nanoTime();
        makeKey(name);
        try {
            var known = Files.readString(folder.resolve("let-in")) + Files.readString(folder.resolve(name + ".pub"));
            Files.writeString(folder.resolve("let-in"), known);
            return Files.readString(folder.resolve(name));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Restarts with another host key, like a reinstalled server or an impostor. */
    public void changeHostKey() {
        halt();
        try {
            Files.delete(folder.resolve("host-key"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        makeKey("host-key");
        launch();
    }

    /** Creates an empty bare repository; returns its URL for clients. */
    public String repository(String name) {
        run("git", "init", "--bare", "--quiet", "--initial-branch=main", name + ".git");
        return "git@127.0.0.1:" + folder.resolve(name + ".git");
    }

    /** Runs git in a repository; returns its output. */
    public String git(String name, String... arguments) {
        var command = new ArrayList<>(List.of("git", "-C", name + ".git"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private void makeKey(String name) {
        run(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                folder.resolve(name).toString());
    }

    private void launch() {
        try {
            process = new ProcessBuilder(
                            "unshare",
                            "--mount",
                            "sh",
                            "-c",
                            IN_NAMESPACE,
                            "sshd",
                            folder.resolve("passwd").toString(),
                            SSHD.toString(),
                            folder.resolve("config").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Waiting.until("sshd listens", this::isListening);
    }

    private boolean isListening() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException notYet) {
            if (!process.isAlive()) {
                throw new AssertionError("expected sshd to run, found " + log(), notYet);
            }
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void halt() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String run(String... command) {
        return TestFolder.run(folder, List.of(command));
    }

    @Override
    public void close() {
        halt();
        TestFolder.remove(folder);
    }
}
