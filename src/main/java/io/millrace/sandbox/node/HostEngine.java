package io.millrace.sandbox.node;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.network.ConnectionGateway;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Engine of the processes of a pool: Node.js, or another program with the protocol of its host. */
public interface HostEngine {
    ProcessPurpose purpose();

    /**
     * Finds the program and writes the host's script into the folder; blocks.
     *
     * @param script folder of the script
     * @throws IOException with the reason why there is none, for operators and authors of flows
     */
    Launcher prepare(NodeSettings settings, Path script) throws IOException;

    /** Reason why the engine cannot start, found by an examination of the host; empty if none is found. Blocks. */
    Optional<String> missing(NodeSettings settings);

    /** Connects for the processes; empty for those without network. */
    default Optional<ConnectionGateway> gateway() {
        return Optional.empty();
    }

    interface Launcher {
        /**
         * The words of the command.
         *
         * @param exchange the process's own folder
         */
        List<String> command(NodeCall call, Path exchange);

        FileGrants grants(NodeCall call, Path exchange);

        /** Complete environment of the process. */
        Map<String, String> environment(Path exchange);
    }
}
