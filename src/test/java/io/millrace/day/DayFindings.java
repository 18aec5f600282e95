package io.millrace.day;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Findings of a day: a line for each check, with its figure and result. */
final class DayFindings {
    private record Line(String what, String figure, boolean isWell) {
        String text() {
            return "%-4s  %-52s  %s".formatted(isWell ? "pass" : "FAIL", what, figure);
        }
    }

    private final PrintStream out;
    private final List<Line> lines = new ArrayList<>();

    DayFindings(PrintStream out) {
        this.out = out;
    }

    void add(String what, boolean isWell, String figure) {
        var line = new Line(what, figure, isWell);
        lines.add(line);
        out.println(line.text());
    }

    boolean areWell() {
        return lines.stream().allMatch(Line::isWell);
    }

    /** All findings, one per line. */
    void print() {
        out.println();
        lines.forEach(line -> out.println(line.text()));
        var failed = lines.stream().filter(line -> !line.isWell()).count();
        out.println(lines.size() + " looked at, " + failed + " failed");
    }
}
