package io.millrace.sandbox.node.process;

import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessPriority;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.isolation.ProcessUser;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.sandbox.node.watch.ProcessBounds;
import io.millrace.sandbox.node.watch.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Launch parameters of a process.
 *
 * @param gateway connects for the process; empty for one without network
 * @param bounds resource limits
 * @param scratch folder that its calls write to
 * @param suspected true if it is started for a program whose processes were recently killed
 */
public record NodeLaunch(
        Program program,
        Isolation isolation,
        Path exchange,
        NodeSettings.Network network,
        Optional<ConnectionGateway> gateway,
        ProcessBounds bounds,
        ScratchFolder scratch,
        boolean suspected) {
    public record Program(
            ProcessPurpose purpose, List<String> command, FileGrants grants, Map<String, String> environment) {}

    /** True for code of users, which is untrusted and often computes for long. */
    boolean runsCode() {
        return bounds.runsCode();
    }

    /**
     * Prepares the channel of the process; empty where it has no network, or no launch program that could open one. Blocks.
     *
     * @param onViolation called with a reason when the process breaks the rules of the channel
     */
    Optional<ConnectionGateway.Admission> admit(Consumer<String> onViolation) throws IOException {
        return gateway.isEmpty() || isolation.inForce().isNothing()
                ? Optional.empty()
                : gateway.get().admit(network, onViolation);
    }

    /** Blocks. */
    Process begin(Optional<ConnectionGateway.Admission> admission) throws IOException {
        var user = isolation.userFor(program.purpose());
        Process started = null;
        try {
            started = begin(admission, user);
            return started;
        } finally {
            if (started == null) {
                user.release();
            } else {
                user.releaseAfter(started);
            }
        }
    }

    private Process begin(Optional<ConnectionGateway.Admission> admission, ProcessUser user) throws IOException {
        isolation.lend(user, exchange);
        var words = new ArrayList<>(runsCode() ? ProcessPriority.prefix() : List.of());
        words.addAll(program.command());
        var builder = new ProcessBuilder(isolation.command(
                        program.purpose(),
                        user,
                        program.grants(),
                        bounds.byKernel(scratch.bytesMax()),
                        admission.map(ConnectionGateway.Admission::channel),
                        words))
                .directory(exchange.toFile());
        builder.environment().clear();
        builder.environment().putAll(program.environment());
        admission.ifPresent(admitted -> builder.environment().putAll(admitted.environment()));
        return runsCode() ? isolation.start(builder) : builder.start();
    }
}
