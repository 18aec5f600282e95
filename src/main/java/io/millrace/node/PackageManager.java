package io.millrace.node;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The package manager that came with Node.js. Never runs a script of a package. Reads the settings of the account that
 * the server runs under, where operators keep the access to their own registries; blocks.
 */
public final class PackageManager {
    private static final int SHOWN_CHARACTERS = 500;

    /** Its own habit is to wait ten seconds after a lost connection, then sixty; the callers here have less. */
    private static final List<String> MANNERS = List.of(
            "--ignore-scripts",
            "--loglevel=error",
            "--no-update-notifier",
            "--fetch-retries=3",
            "--fetch-retry-mintimeout=200",
            "--fetch-retry-maxtimeout=2000",
            "--fetch-timeout=20000");

    private static final List<String> PASSED_ON = List.of(
            "HOME",
            "LANG",
            "NODE_EXTRA_CA_CERTS",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "http_proxy",
            "https_proxy",
            "no_proxy");

    private final Optional<Path> executable;
    private final Optional<String> registry;

    /**
     * @param executable Node.js by setting; empty to search the PATH
     * @param registry address of the registry; empty for the one that the package manager is set up for
     */
    public PackageManager(Optional<Path> executable, Optional<String> registry) {
        this.executable = executable;
        this.registry = registry;
    }

    /**
     * Runs a command in a folder.
     *
     * @return what it printed
     * @throws IOException with the end of what it complained of
     */
    public String run(List<String> arguments, Path folder, long timeLimitMs) throws IOException {
        var searchPath = Optional.ofNullable(System.getenv("PATH")).orElse("");
        if (!(NodeBinary.find(executable, searchPath) instanceof NodeBinary.Search.Found(var node))) {
            throw new IOException(((NodeBinary.Search.Absent) NodeBinary.find(executable, searchPath)).reason());
        }
        var errors = Files.createTempFile("millrace-npm", ".err");
        try {
            var builder = new ProcessBuilder(command(node, searchPath, arguments))
                    .directory(folder.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectError(errors.toFile());
            builder.environment().clear();
            PASSED_ON.forEach(name -> Optional.ofNullable(System.getenv(name))
                    .ifPresent(value -> builder.environment().put(name, value)));
            builder.environment().put("PATH", node.executable().getParent() + File.pathSeparator + searchPath);
            return output(builder.start(), errors, timeLimitMs);
        } finally {
            Files.deleteIfExists(errors);
        }
    }

    private List<String> command(NodeBinary node, String searchPath, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Stream.concat(
                        Stream.of(node.packageManager()),
                        Stream.of(searchPath.split(File.pathSeparator)).map(entry -> Path.of(entry, "npm")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("npm was not found beside Node.js or on the PATH"))
                .toString());
        command.addAll(arguments);
        command.addAll(MANNERS);
        registry.ifPresent(address -> command.add("--registry=" + address));
        return command;
    }

    private static String output(Process process, Path errors, long timeLimitMs) throws IOException {
        var killer = Thread.startVirtualThread(() -> endLate(process, timeLimitMs));
        try {
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            var exit = process.waitFor();
            if (exit != 0) {
                var complaint = Files.readString(errors).strip();
                throw new IOException("npm ended with " + exit + ": "
                        + complaint.substring(0, Math.min(SHOWN_CHARACTERS, complaint.length())));
            }
            return output;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while npm was running", stopping);
        } finally {
            killer.interrupt();
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void endLate(Process process, long timeLimitMs) {
        try {
            if (!process.waitFor(timeLimitMs, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
