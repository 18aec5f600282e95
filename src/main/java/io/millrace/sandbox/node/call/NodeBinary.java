package io.millrace.sandbox.node.call;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Node.js of this host: named by a setting, or the first on the PATH.
 *
 * @param executable absolute path
 */
public record NodeBinary(Path executable, int major, int minor) {
    /** Oldest release that pieces and the permission mode work with. */
    static final int MAJOR_MIN = 20;

    /** First major release that can deny pieces the network, and so needs an option to allow it. */
    private static final int MAJOR_WITH_NETWORK_PERMISSION = 25;

    private static final long ANSWER_SECONDS_MAX = 10;
    private static final int ANSWER_BYTES_MAX = 1000;
    private static final Pattern VERSION = Pattern.compile("v(\\d{1,5})\\.(\\d{1,5})\\.\\d{1,5}.*", Pattern.DOTALL);

    public static final String NOWHERE = "Node.js was not found on the PATH; npm pieces need release 20 or newer";

    public sealed interface Search {
        record Match(NodeBinary binary) implements Search {}

        /** @param reason why there is none, for operators and authors of flows */
        record Absent(String reason) implements Search {}
    }

    /**
     * Looks for Node.js and asks it for its version; blocks.
     *
     * @param named path by setting; empty to search the PATH
     */
    public static Search find(Optional<Path> named, String searchPath) {
        var executable = named.or(() -> onPath(searchPath));
        if (executable.isEmpty()) {
            return new Search.Absent(NOWHERE);
        }
        try {
            return judged(executable.get(), versionOf(executable.get()));
        } catch (IOException unusable) {
            return new Search.Absent(executable.get() + " cannot be run: " + unusable.getMessage());
        }
    }

    /** True if there is an executable; does not check that it is Node.js. */
    public static boolean isThere(Optional<Path> named, String searchPath) {
        return named.map(Files::isExecutable).orElseGet(() -> onPath(searchPath).isPresent());
    }

    private static Optional<Path> onPath(String searchPath) {
        return Stream.of(searchPath.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "node").toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Search judged(Path executable, String answer) {
        var version = VERSION.matcher(answer);
        if (!version.matches()) {
            return new Search.Absent(executable + " does not report its version");
        }
        var major = Integer.parseInt(version.group(1));
        return major < MAJOR_MIN
                ? new Search.Absent(
                        executable + " is Node.js " + answer.strip() + "; npm pieces need release 20 or newer")
                : new Search.Match(new NodeBinary(executable, major, Integer.parseInt(version.group(2))));
    }

    private static String versionOf(Path executable) throws IOException {
        var builder = new ProcessBuilder(executable.toString(), "--version")
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().clear();
        var process = builder.start();
        try {
            var answer = process.getInputStream().readNBytes(ANSWER_BYTES_MAX);
            if (!process.waitFor(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("it did not respond in time");
            }
            return new String(answer, StandardCharsets.UTF_8);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopping);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The option that turns the permission mode on; its name changed with 22.13. */
    public String permissionOption() {
        return major > 22 || major == 22 && minor >= 13 ? "--permission" : "--experimental-permission";
    }

    public boolean asksForNetworkPermission() {
        return major >= MAJOR_WITH_NETWORK_PERMISSION;
    }

    public Path packageManager() {
        return executable.resolveSibling("npm");
    }
}
