package io.millrace.sandbox.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.FolderTree;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.isolation.ProcessUser;
import io.millrace.sandbox.node.call.HostScript;
import io.millrace.sandbox.node.call.NodeBinary;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.sandbox.node.watch.ResourceWatch;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The package manager of Node.js, isolated like the pieces that it fetches: it works in one folder, reads only the settings given
 * here, runs no script, no git and no other program, and may connect to the registry and to the addresses that pieces may use.
 * Blocks.
 */
public final class PackageManager {
    private static final Logger LOG = LoggerFactory.getLogger(PackageManager.class);

    /** The registry of the package manager when no setting names one. */
    private static final String OWN_REGISTRY = "https://registry.npmjs.org/";

    /** A program that does nothing, in place of programs that a package could choose. */
    private static final String NO_PROGRAM = "/bin/false";

    /**
     * Options of the command line, which take precedence over all files and variables. By default the package manager retries 10 s
     * after a lost connection, then after 60 s; the callers here have shorter deadlines.
     */
    private static final List<String> PINNED = List.of(
            "--ignore-scripts",
            "--git=" + NO_PROGRAM,
            "--script-shell=" + NO_PROGRAM,
            "--shell=" + NO_PROGRAM,
            "--editor=" + NO_PROGRAM,
            "--node-options=",
            "--no-bin-links",
            "--no-workspaces",
            "--no-global",
            "--install-strategy=hoisted",
            "--no-install-links",
            "--no-offline",
            "--loglevel=error",
            "--no-update-notifier",
            "--fetch-retries=3",
            "--fetch-retry-mintimeout=200",
            "--fetch-retry-maxtimeout=2000",
            "--fetch-timeout=20000",
            // Nodes of a cluster may use mirrors; the integrity of each package is in the lock file.
            "--replace-registry-host=always");

    private static final List<String> PROXIES = List.of("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy");

    private static final List<String> PASSED_ON = List.of("LANG", "NODE_EXTRA_CA_CERTS", "NO_PROXY", "no_proxy");

    private static final String MANIFEST = "package.json";
    private static final String LOCK = "package-lock.json";

    /** The output describes the files of an archive, whose number and names the registry chooses. */
    private static final int OUTPUT_BYTES_MAX = 16 << 20;

    private final Parts parts;

    /**
     * Dependencies of the package manager.
     *
     * @param executable Node.js by setting; empty to search the PATH
     * @param registry address of the registry; empty for the one that the package manager is set up for
     * @param directory of the host's script; created if missing
     * @param network addresses that pieces may connect to
     * @param gateway connects for the package manager
     * @param bounds memory and files of the package manager
     */
    public record Parts(
            Optional<Path> executable,
            Optional<String> registry,
            Path directory,
            Supplier<NodeSettings.Network> network,
            ConnectionGateway gateway,
            Isolation isolation,
            ResourceWatch.Bounds bounds) {}

    public PackageManager(Parts parts) {
        this.parts = parts;
    }

    /**
     * Installs dependencies into {@code node_modules} of a folder.
     *
     * @param installed packages of an earlier installation, which are installed again; empty to resolve versions now
     * @throws IOException with the end of the error output
     */
    public void install(Dependencies wanted, Optional<JsonNode> installed, Path folder, long timeLimitMs)
            throws IOException {
        var files = new LinkedHashMap<String, ObjectNode>();
        files.put(MANIFEST, wanted.manifest());
        installed.ifPresent(known -> files.put(LOCK, wanted.lockFile(known)));
        var arguments = new ArrayList<>(List.of(installed.isPresent() ? "ci" : "install"));
        arguments.addAll(List.of("--omit=dev", "--no-audit", "--no-fund", "--no-progress"));
        run(files, arguments, folder, timeLimitMs);
    }

    /**
     * Downloads the archive of a package into a folder.
     *
     * @param id name and version
     * @return description of the archive by the package manager
     * @throws IOException with the end of the error output
     */
    public String pack(String id, Path folder, long timeLimitMs) throws IOException {
        return run(Map.of(MANIFEST, Json.object()), List.of("pack", id, "--json"), folder, timeLimitMs);
    }

    /**
     * Newest version of a package, as the registry states it.
     *
     * @return JSON of the package manager
     * @throws IOException with the end of the error output
     */
    public String newest(String name, Path folder, long timeLimitMs) throws IOException {
        return run(Map.of(MANIFEST, Json.object()), List.of("view", name, "version", "--json"), folder, timeLimitMs);
    }

    /**
     * Runs a command in a folder of its own, which is empty before. The package manager fills it; the result is untrusted.
     *
     * @param files written before, by name
     * @return output of the command
     */
    private String run(Map<String, ObjectNode> files, List<String> arguments, Path folder, long timeLimitMs)
            throws IOException {
        var searchPath = Optional.ofNullable(System.getenv("PATH")).orElse("");
        var search = NodeBinary.find(parts.executable(), searchPath);
        if (!(search instanceof NodeBinary.Search.Match(var node))) {
            throw new IOException(((NodeBinary.Search.Absent) search).reason());
        }
        var refusal = parts.gateway().refusal(parts.isolation());
        if (refusal.isPresent()) {
            throw new IOException(refusal.get());
        }
        var settings = RegistrySettings.read(parts.registry());
        var script = parts.directory().toAbsolutePath().resolve("script");
        parts.isolation().open(ProcessPurpose.PIECE, parts.directory());
        HostScript.unpack(script);
        var npm = npm(node, searchPath);
        var grants = new FileGrants(readable(npm, script), List.of(node.executable()), List.of(folder));
        var network = network(settings);
        var command = new NpmCommand(
                grants,
                words(npm, settings, arguments, folder),
                environment(node, network, script, folder),
                folder,
                Duration.ofMillis(timeLimitMs));
        var user = parts.isolation().userFor(ProcessPurpose.INSTALL);
        try {
            prepare(files, settings, folder, user);
            return output(command, network, user);
        } finally {
            user.release();
        }
    }

    /**
     * Command of the package manager.
     *
     * @param time after which it is ended
     */
    private record NpmCommand(
            FileGrants grants, List<String> words, Map<String, String> environment, Path folder, Duration time) {}

    private String output(NpmCommand command, NodeSettings.Network network, ProcessUser user) throws IOException {
        var errors = Files.createTempFile("millrace-npm", ".err");
        var process = new AtomicReference<Process>();
        var admitted = parts.isolation().inForce().isNothing()
                ? Optional.<ConnectionGateway.Admission>empty()
                : parts.gateway().admit(network, reason -> end(Optional.ofNullable(process.get()), reason));
        try {
            var words = parts.isolation()
                    .command(
                            ProcessPurpose.INSTALL,
                            user,
                            command.grants(),
                            parts.bounds().byKernel(command.time()),
                            admitted.map(ConnectionGateway.Admission::channel),
                            command.words());
            var builder = new ProcessBuilder(words)
                    .directory(command.folder().toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(command.environment());
            admitted.ifPresent(admission -> builder.environment().putAll(admission.environment()));
            process.set(builder.start());
            var watch = new ResourceWatch(process.get(), command.folder(), parts.bounds(), command.time());
            return output(process.get(), errors, List.of(command.folder(), parts.directory()), watch);
        } finally {
            admitted.ifPresent(ConnectionGateway.Admission::close);
            Files.deleteIfExists(errors);
        }
    }

    private static void end(Optional<Process> process, String reason) {
        LOG.warn("stopping the package manager: {}", reason);
        process.ifPresent(Process::destroyForcibly);
    }

    /** Prepares the folder, which belongs to the package manager afterwards. */
    private void prepare(Map<String, ObjectNode> files, RegistrySettings settings, Path folder, ProcessUser user)
            throws IOException {
        if (Files.exists(folder)) {
            FolderTree.discard(folder);
        }
        Files.createDirectories(folder);
        for (var file : files.entrySet()) {
            Files.write(folder.resolve(file.getKey()), Json.bytes(file.getValue()));
        }
        Files.writeString(folder.resolve("settings"), settings.text());
        Files.createDirectory(folder.resolve("home"));
        for (var name : Stream.concat(files.keySet().stream(), Stream.of("settings", "home"))
                .toList()) {
            parts.isolation().give(user, folder.resolve(name));
        }
        parts.isolation().lend(user, folder);
    }

    private static Path npm(NodeBinary node, String searchPath) throws IOException {
        return Stream.concat(
                        Stream.of(node.packageManager()),
                        Stream.of(searchPath.split(File.pathSeparator)).map(entry -> Path.of(entry, "npm")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("npm was found neither next to Node.js nor on the PATH"));
    }

    /** Readable paths besides the operating system's files: the package manager's own files around its program. */
    private static List<Path> readable(Path npm, Path script) throws IOException {
        var readable = new ArrayList<>(List.of(npm, script));
        var program = npm.toRealPath();
        readable.add(program.getParent().endsWith("bin") ? program.getParent().getParent() : program);
        Optional.ofNullable(System.getenv("NODE_EXTRA_CA_CERTS")).map(Path::of).ifPresent(readable::add);
        return readable;
    }

    private static List<String> words(Path npm, RegistrySettings settings, List<String> arguments, Path folder) {
        var words = new ArrayList<String>();
        words.add(npm.toString());
        words.addAll(arguments);
        words.addAll(PINNED);
        words.add("--prefix=" + folder);
        words.add("--cache=" + folder.resolve("home").resolve("cache"));
        words.add("--userconfig=" + folder.resolve("settings"));
        words.add("--globalconfig=" + folder.resolve("home").resolve("none"));
        settings.registry().ifPresent(address -> words.add("--registry=" + address));
        return words;
    }

    private Map<String, String> environment(NodeBinary node, NodeSettings.Network network, Path script, Path folder) {
        var environment = new LinkedHashMap<String, String>();
        Stream.concat(PASSED_ON.stream(), PROXIES.stream())
                .forEach(name ->
                        Optional.ofNullable(System.getenv(name)).ifPresent(value -> environment.put(name, value)));
        environment.put(
                "PATH", node.executable().getParent() + File.pathSeparator + "/usr/bin" + File.pathSeparator + "/bin");
        environment.put("HOME", folder.resolve("home").toString());
        environment.put("TMPDIR", folder.resolve("home").toString());
        environment.put("NODE_OPTIONS", "--require=" + script.resolve(HostScript.INSTALL));
        environment.put("MILLRACE_NETWORK", Json.text(Json.mapper().valueToTree(network)));
        return environment;
    }

    /** Addresses for pieces, plus the registry and the proxies that lead to it. */
    private NodeSettings.Network network(RegistrySettings settings) {
        var network = parts.network().get();
        var exempt = new ArrayList<>(network.exempt());
        var addresses = new ArrayList<>(settings.addresses());
        if (settings.registry().isEmpty()) {
            addresses.add(OWN_REGISTRY);
        }
        PROXIES.stream().map(System::getenv).filter(value -> value != null).forEach(addresses::add);
        for (var address : addresses) {
            hostAndPort(address).ifPresent(exempt::add);
        }
        return new NodeSettings.Network(network.refused(), network.allowed(), List.copyOf(exempt));
    }

    private static Optional<String> hostAndPort(String address) {
        try {
            var uri = URI.create(address);
            var port = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
            return Optional.ofNullable(uri.getHost()).map(host -> host + ":" + port);
        } catch (IllegalArgumentException malformed) {
            // The package manager itself reports this, in more detail.
            return Optional.empty();
        }
    }

    private static String output(Process process, Path errors, List<Path> folders, ResourceWatch watch)
            throws IOException {
        var watching = Thread.startVirtualThread(watch::watch);
        try {
            var output = process.getInputStream().readNBytes(OUTPUT_BYTES_MAX + 1);
            if (output.length > OUTPUT_BYTES_MAX) {
                throw new IOException("npm wrote more than " + (OUTPUT_BYTES_MAX >> 20) + " MB of output");
            }
            var exit = process.waitFor();
            watching.join();
            watch.check();
            if (exit != 0) {
                throw new IOException(Complaint.reason(exit, errors, folders));
            }
            return new String(output, StandardCharsets.UTF_8);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while npm was running", stopping);
        } finally {
            watching.interrupt();
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
    }
}
