package io.millrace.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Defects of a storm that its reckoning does not show, with the number of occurrences. */
final class Defects {
    private final Map<String, Integer> counts = new TreeMap<>();

    synchronized void add(String defect) {
        counts.merge(defect, 1, Integer::sum);
    }

    synchronized boolean isEmpty() {
        return counts.isEmpty();
    }

    /** One line each. */
    synchronized List<String> lines() {
        var lines = new ArrayList<String>();
        counts.forEach((defect, count) -> lines.add("  defect: " + defect + " (" + count + " times)"));
        return lines;
    }
}
