package io.millrace.sandbox.node;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPriority;
import io.millrace.sandbox.isolation.ProcessPurpose;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to start a process.
 *
 * @param purpose what it is for, by which the kernel's fences are chosen
 * @param scratch the folder that its calls write to, where that has a quota
 * @param suspected whether it is started for a program whose processes had to be ended lately
 */
record NodeLaunch(
        ProcessPurpose purpose,
        List<String> command,
        FileGrants grants,
        Isolation isolation,
        Map<String, String> environment,
        Path exchange,
        NodeSettings.Network network,
        long keptBytesMax,
        Optional<ScratchFolder> scratch,
        boolean suspected) {

    /** Code of users: anybody's, and often a computation. */
    boolean runsCode() {
        return scratch.isPresent();
    }

    /** Blocks. */
    Process begin() throws IOException {
        isolation.lend(purpose, exchange);
        var words = new ArrayList<>(runsCode() ? ProcessPriority.prefix() : List.of());
        words.addAll(command);
        var builder = new ProcessBuilder(isolation.command(purpose, grants, words)).directory(exchange.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return runsCode() ? isolation.start(builder) : builder.start();
    }
}
