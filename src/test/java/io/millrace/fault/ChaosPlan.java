package io.millrace.fault;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a storm is to be like.
 *
 * @param events accepted events that end it
 * @param kills how often harm is done meanwhile
 * @param nodes servers; more than one share an external database
 * @param powerCut whether the machine loses its power in the end
 * @param breach what the server is made to do wrong, so that the harness has to report a loss; empty for nothing
 * @param memory of the machine that each server is told it runs on: on a large one, it would never be short
 * @param seed of everything that chance decides
 */
record ChaosPlan(
        int events, int kills, int nodes, boolean powerCut, Optional<String> breach, String memory, long seed) {
    static final String USAGE = """
            usage: scripts/chaos [--events N] [--kills K] [--nodes N] [--memory 1g] [--power-cut] [--seed S]
                   scripts/chaos --control ack-before-commit|no-fsync""";

    /** Reads the command line. */
    static ChaosPlan parse(List<String> words) {
        var plan = new ChaosPlan(2_000, 10, 1, false, Optional.empty(), "1g", System.nanoTime());
        for (var word = 0; word < words.size(); word++) {
            if (words.get(word).equals("--power-cut")) {
                plan = new ChaosPlan(plan.events, 0, 1, true, plan.breach, plan.memory, plan.seed);
                continue;
            }
            if (word + 1 == words.size()) {
                throw new IllegalArgumentException(USAGE);
            }
            plan = plan.with(words.get(word), words.get(++word));
        }
        return plan;
    }

    private ChaosPlan with(String option, String value) {
        return switch (option) {
            case "--events" -> new ChaosPlan(Integer.parseInt(value), kills, nodes, powerCut, breach, memory, seed);
            case "--kills" -> new ChaosPlan(events, Integer.parseInt(value), nodes, powerCut, breach, memory, seed);
            case "--nodes" -> new ChaosPlan(events, kills, Integer.parseInt(value), powerCut, breach, memory, seed);
            case "--seed" -> new ChaosPlan(events, kills, nodes, powerCut, breach, memory, Long.parseLong(value));
            case "--memory" -> new ChaosPlan(events, kills, nodes, powerCut, breach, size(value), seed);
            case "--control" -> control(value);
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    private static String size(String value) {
        if (!value.matches("\\d{1,5}[gm]")) {
            throw new IllegalArgumentException(USAGE);
        }
        return value;
    }

    private ChaosPlan control(String name) {
        return switch (name) {
            case "ack-before-commit" ->
                new ChaosPlan(events, kills, 1, false, Optional.of("acknowledge-early"), memory, seed);
            case "no-fsync" -> new ChaosPlan(events, 0, 1, true, Optional.of("no-fsync"), memory, seed);
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    /** Settings of each server. */
    Map<String, String> settings() {
        return Map.of(
                "AP_LOG_LEVEL", "warn",
                "AP_SSRF_ALLOW_LIST", "127.0.0.1",
                "AP_JWT_SECRET", "a secret that all nodes know",
                "AP_ENCRYPTION_KEY", "0123456789abcdef0123456789abcdef",
                "MILLRACE_JAVA_OPTIONS", "-XX:MaxRAM=" + memory);
    }

    /** Whether all kinds of harm are done. The other storms ask about one promise, and end in one way. */
    boolean isMixed() {
        return breach.isEmpty() && !powerCut;
    }
}
