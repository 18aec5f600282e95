package io.millrace.fault;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Parameters of a storm.
 *
 * @param events accepted events after which the storm ends
 * @param kills number of faults injected meanwhile
 * @param nodes number of servers; several share an external database
 * @param powerCut true to cut the power of the machine at the end
 * @param breach fault injected into the server, so that the harness has to report a loss; empty for none
 * @param memory memory of the simulated machine of each server; a large machine would never run short
 * @param byEngine true if several nodes are connected by Hazelcast, so that they can be partitioned; otherwise they
 *     communicate through their database
 * @param from program of the previous release, which all nodes run at first and which is then replaced node by node;
 *     empty for none
 * @param isProxied true if callers reach the nodes through a {@link FrontProxy}
 * @param seed seed of all random decisions
 */
record ChaosPlan(
        int events,
        int kills,
        int nodes,
        boolean powerCut,
        Optional<String> breach,
        String memory,
        boolean byEngine,
        Optional<Path> from,
        boolean isProxied,
        long seed) {
    static final String USAGE = """
            usage: scripts/chaos [--events N] [--kills K] [--nodes N] [--messages hazelcast|postgres] [--from PROGRAM]
                                [--proxy] [--memory 1g] [--power-cut] [--seed S]
                   scripts/chaos --control ack-before-commit|no-fsync""";

    private static final String POWER_CUT = "--power-cut";
    private static final String PROXY = "--proxy";
    private static final Set<String> OPTIONS =
            Set.of("--events", "--kills", "--nodes", "--messages", "--from", "--memory", "--seed", "--control");

    /** Parses the command line. */
    static ChaosPlan parse(List<String> words) {
        var options = options(words);
        var breach = Optional.ofNullable(options.get("--control")).map(ChaosPlan::breachOf);
        var from = Optional.ofNullable(options.get("--from"))
                .map(program -> Path.of(program).toAbsolutePath());
        var powerCut = options.containsKey(POWER_CUT)
                || breach.filter("no-fsync"::equals).isPresent();
        var nodes = Integer.parseInt(options.getOrDefault("--nodes", from.isPresent() ? "3" : "1"));
        var kills = from.isPresent() ? nodes : Integer.parseInt(options.getOrDefault("--kills", "10"));
        return new ChaosPlan(
                Integer.parseInt(options.getOrDefault("--events", "2000")),
                powerCut ? 0 : kills,
                powerCut || breach.isPresent() ? 1 : nodes,
                powerCut,
                breach,
                size(options.getOrDefault("--memory", "1g")),
                from.isEmpty() && isEngine(options.getOrDefault("--messages", "hazelcast")),
                from,
                options.containsKey(PROXY) && !powerCut && breach.isEmpty(),
                options.containsKey("--seed") ? Long.parseLong(options.get("--seed")) : System.nanoTime());
    }

    private static Map<String, String> options(List<String> words) {
        var options = new HashMap<String, String>();
        for (var word = words.iterator(); word.hasNext(); ) {
            var option = word.next();
            if (option.equals(POWER_CUT) || option.equals(PROXY)) {
                options.put(option, "");
            } else if (OPTIONS.contains(option) && word.hasNext()) {
                options.put(option, word.next());
            } else {
                throw new IllegalArgumentException(USAGE);
            }
        }
        return options;
    }

    private static boolean isEngine(String value) {
        return switch (value) {
            case "hazelcast" -> true;
            case "postgres" -> false;
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    private static String size(String value) {
        if (!value.matches("\\d{1,5}[gm]")) {
            throw new IllegalArgumentException(USAGE);
        }
        return value;
    }

    private static String breachOf(String control) {
        return switch (control) {
            case "ack-before-commit" -> "acknowledge-early";
            case "no-fsync" -> control;
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

    /** True for storms with all kinds of faults. Other storms test one guarantee each, with one end. */
    boolean isMixed() {
        return breach.isEmpty() && !powerCut;
    }
}
