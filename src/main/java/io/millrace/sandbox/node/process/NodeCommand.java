package io.millrace.sandbox.node.process;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.node.call.HostScript;
import io.millrace.sandbox.node.call.NodeBinary;
import io.millrace.sandbox.node.call.NodeCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Command line and environment of a process: a bounded heap, the permission mode, and few inherited variables. */
public final class NodeCommand {
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final Path NICE = Path.of("/usr/bin/nice");

    /** Variables that a process inherits; all others may hold secrets of the server. */
    private static final List<String> PASSED_ON = List.of(
            "TZ",
            "LANG",
            "NODE_EXTRA_CA_CERTS",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "http_proxy",
            "https_proxy",
            "no_proxy");

    private NodeCommand() {}

    /**
     * Command line of a process.
     *
     * @param script folder of the host's script
     * @param call first call of the process
     * @param exchange the process's own folder
     */
    public static List<String> of(NodeBinary node, long heapBytesMax, Path script, NodeCall call, Path exchange) {
        var command = new ArrayList<String>();
        if (Files.isExecutable(NICE)) {
            // Pieces yield to the server when processors are scarce.
            command.addAll(List.of(NICE.toString(), "-n", "5"));
        }
        command.add(node.executable().toString());
        command.add("--no-warnings");
        command.add("--max-old-space-size=" + (heapBytesMax >> 20));
        if (!call.loadsNativeCode()) {
            command.add("--no-addons");
            command.addAll(permissions(node, List.of(script, call.folders().root(), exchange), exchange));
        }
        command.add(script.resolve(HostScript.MAIN).toString());
        return command;
    }

    /** Permissions of Node.js itself: the limits that the kernel also enforces, and native code. */
    private static List<String> permissions(NodeBinary node, List<Path> read, Path written) {
        var options = new ArrayList<String>();
        options.add(node.permissionOption());
        read.forEach(folder -> options.add("--allow-fs-read=" + folder + "/*"));
        options.add("--allow-fs-write=" + written + "/*");
        if (node.asksForNetworkPermission()) {
            options.add("--allow-net");
        }
        return options;
    }

    public static FileGrants grants(NodeBinary node, Path script, Path root, Path exchange) {
        var read = new ArrayList<>(List.of(script, root));
        Optional.ofNullable(System.getenv("NODE_EXTRA_CA_CERTS")).map(Path::of).ifPresent(read::add);
        return new FileGrants(read, List.of(node.executable()), List.of(exchange));
    }

    public static Map<String, String> environment(Map<String, String> inherited, Path temporary) {
        var environment = new LinkedHashMap<String, String>();
        for (var name : PASSED_ON) {
            if (inherited.containsKey(name)) {
                environment.put(name, inherited.get(name));
            }
        }
        // The server's variable may name folders of the host, and differs between hosts.
        environment.put("PATH", PATH);
        environment.put("HOME", temporary.toString());
        environment.put("TMPDIR", temporary.toString());
        environment.put("NODE_ENV", "production");
        return environment;
    }
}
