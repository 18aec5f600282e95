package io.millrace.fault;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Outcome of the events of a storm by three witnesses: the callers know the accepted events, the server lists its runs,
 * and the sink saw every call of a step.
 *
 * @param accepted events that were answered with a 2xx
 * @param ended accepted events whose run succeeded
 * @param lost accepted events without a run
 * @param setAside accepted events whose run ends its server, and was set aside
 * @param failed accepted events whose run ended otherwise
 * @param doubled events with two runs, or with a recorded step that was executed again; with the reason
 * @param stuck runs that have not ended
 * @param repeated calls that were permissibly repeated for the one step in flight
 */
record Reckoning(
        int accepted,
        int ended,
        int setAside,
        Set<Integer> lost,
        Set<Integer> failed,
        Map<Integer, String> doubled,
        int stuck,
        int repeated) {
    private static final String SET_ASIDE = "INTERNAL_ERROR";
    private static final int SHOWN_MAX = 5;

    /** Combines the witnesses of a storm without poisoned events. */
    static Reckoning of(
            Collection<Integer> accepted, Map<Integer, List<String>> statuses, List<Sink.Call> calls, int stuck) {
        return of(accepted, Set.of(), statuses, calls, stuck);
    }

    /**
     * Combines the witnesses.
     *
     * @param poisoned events whose run ends the server and has to be set aside
     * @param statuses statuses of the runs of each event
     * @param stuck runs that have not ended within the deadline
     */
    static Reckoning of(
            Collection<Integer> accepted,
            Set<Integer> poisoned,
            Map<Integer, List<String>> statuses,
            List<Sink.Call> calls,
            int stuck) {
        var lost = new HashSet<Integer>();
        var failed = new HashSet<Integer>();
        var ended = 0;
        var setAside = 0;
        for (var number : accepted) {
            var found = statuses.getOrDefault(number, List.of());
            if (found.isEmpty()) {
                lost.add(number);
            } else if (poisoned.contains(number) && found.contains(SET_ASIDE)) {
                setAside++;
            } else if (!poisoned.contains(number) && found.contains("SUCCEEDED")) {
                ended++;
            } else if (!found.contains("QUEUED") && !found.contains("RUNNING") && !found.contains("PAUSED")) {
                failed.add(number);
            }
        }
        var doubled = new TreeMap<Integer, String>();
        statuses.forEach((number, runs) -> {
            if (runs.size() > 1) {
                doubled.put(number, runs.size() + " runs");
            }
        });
        var repeated = judge(calls, doubled);
        return new Reckoning(accepted.size(), ended, setAside, lost, failed, doubled, stuck, repeated);
    }

    /** Checks the order of the calls of each event; returns the number of repeated calls of steps in flight. */
    private static int judge(List<Sink.Call> calls, Map<Integer, String> doubled) {
        var keys = new HashMap<String, String>();
        var beyond = new HashSet<Integer>();
        var repeated = 0;
        for (var call : calls) {
            var place = call.step() + "/" + call.number();
            var before = keys.putIfAbsent(place, String.valueOf(call.key()));
            if (before != null && !before.equals(call.key())) {
                doubled.put(call.number(), place + " was called with the keys " + before + " and " + call.key());
            } else if (before != null && call.step().equals(EventKind.FIRST) && beyond.contains(call.number())) {
                // The second step begins after the first one is recorded.
                doubled.put(call.number(), place + " was called again after it had been recorded");
            } else if (before != null) {
                repeated++;
            }
            if (call.step().equals(EventKind.SECOND)) {
                beyond.add(call.number());
            }
        }
        return repeated;
    }

    /** True if every guarantee was kept. */
    boolean isClean() {
        return lost.isEmpty() && failed.isEmpty() && doubled.isEmpty() && stuck == 0;
    }

    /** One line of figures, and the first deviations. */
    String text() {
        var lines = new ArrayList<String>();
        lines.add("accepted %d, ended %d, lost %d, doubled %d, stuck %d, failed %d; set aside %d, repeated in flight %d"
                .formatted(accepted, ended, lost.size(), doubled.size(), stuck, failed.size(), setAside, repeated));
        lost.stream().sorted().limit(SHOWN_MAX).forEach(number -> lines.add("  lost: event " + number));
        failed.stream().sorted().limit(SHOWN_MAX).forEach(number -> lines.add("  failed: event " + number));
        doubled.entrySet().stream()
                .limit(SHOWN_MAX)
                .forEach(entry -> lines.add("  doubled: event " + entry.getKey() + ", " + entry.getValue()));
        return String.join("\n", lines);
    }
}
