package io.millrace.hostile;

import java.util.Map;
import java.util.TreeMap;

/** Result of scripts/hostile: one line per kind of attack. */
final class KindTable {
    private static final String ROW = "%-36s %6s %6s %6s%s%n";

    private final Map<String, KindTally> kinds = new TreeMap<>();

    synchronized KindTally of(String kind) {
        return kinds.computeIfAbsent(kind, _ -> new KindTally());
    }

    /** True when at least one case was tried and none fell. */
    synchronized boolean hasHeld() {
        return kinds.values().stream().noneMatch(tally -> tally.fell() > 0)
                && kinds.values().stream().anyMatch(tally -> tally.tried() > 0);
    }

    synchronized String text() {
        var text = new StringBuilder(ROW.formatted("kind", "tried", "held", "fell", ""));
        var sum = new int[3];
        kinds.forEach((kind, tally) -> {
            sum[0] += tally.tried();
            sum[1] += tally.held();
            sum[2] += tally.fell();
            var untried = tally.untried() == 0
                    ? ""
                    : "  %d not tried: %s".formatted(tally.untried(), String.join("; ", tally.reasons()));
            text.append(ROW.formatted(kind, tally.tried(), tally.held(), tally.fell(), untried));
        });
        text.append(ROW.formatted("all", sum[0], sum[1], sum[2], ""));
        kinds.forEach((kind, tally) -> tally.falls()
                .forEach(fall -> text.append("FELL: ")
                        .append(kind)
                        .append(": ")
                        .append(fall)
                        .append('\n')));
        return text.toString();
    }
}
