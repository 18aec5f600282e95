package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Cost of waiting runs to other runs: paused runs, runs of a project with a long queue, and more nodes. */
final class Backlog {
    static final Duration DEADLINE = Duration.ofMinutes(2);

    private Backlog() {}

    /** @param part {@code paused}, {@code heavy} or {@code nodes}; empty for all */
    static void measure(Path program, JsonNode flow, String part, BenchReport report) {
        switch (part) {
            case "paused" -> PausedMillion.measure(program, flow, report);
            case "heavy" -> HeavyTenant.measure(program, flow, report);
            case "nodes" -> ClusterSizes.measure(program, report);
            case "" -> {
                PausedMillion.measure(program, flow, report);
                HeavyTenant.measure(program, flow, report);
                ClusterSizes.measure(program, report);
            }
            default -> throw new IllegalArgumentException("expected paused, heavy or nodes, found " + part);
        }
    }

    static Target call(ServerProcess server, PublishedFlow flow, String kind) {
        return Target.post(server.port(DEADLINE), "/api/v1/webhooks/" + flow.flowId() + kind, Bench.ORDER);
    }

    static void stop(ServerProcess server) {
        server.terminate();
        server.exitStatus(DEADLINE);
    }

    static <T> double middle(List<T> found, ToDoubleFunction<T> value) {
        return found.stream().mapToDouble(value).sorted().toArray()[found.size() / 2];
    }
}
