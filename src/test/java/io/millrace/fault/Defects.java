package io.millrace.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of defects that the {@link Reckoning} of a storm does not cover. */
final class Defects {
    private final Map<String, Integer> counts = new TreeMap<>();

    synchronized void add(String defect) {
        counts.merge(defect, 1, Integer::sum);
    }

    synchronized boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Report with one line per defect. */
    synchronized List<String> lines() {
        var lines = new ArrayList<String>();
        counts.forEach((defect, count) -> lines.add("  defect: " + defect + " (" + count + " times)"));
        return lines;
    }
}
