package io.millrace.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Results, printed as they arrive and kept for a page. */
final class BenchReport {
    private final PrintStream out;
    private final List<String> facts = new ArrayList<>();
    private final List<Judgement> judgements = new ArrayList<>();
    private final List<ReportTable> tables = new ArrayList<>();
    private final List<Plot> plots = new ArrayList<>();

    BenchReport(PrintStream out) {
        this.out = out;
    }

    /** Result with a limit. */
    private record Judgement(String name, double value, String unit, double bound, boolean atLeast) {
        boolean isKept() {
            return atLeast ? value >= bound : value <= bound;
        }

        String boundText() {
            return "%s %s %s"
                    .formatted(
                            atLeast ? "at least" : "at most",
                            bound == Math.rint(bound) ? "" + (long) bound : "" + bound,
                            unit);
        }
    }

    private record ReportTable(String caption, List<String> head, List<List<String>> rows) {
        String html() {
            return "<p>" + escaped(caption) + "<table>" + row("th", head)
                    + rows.stream().map(row -> row("td", row)).collect(Collectors.joining()) + "</table>";
        }

        private static String row(String cell, List<String> values) {
            return values.stream()
                    .map(value -> "<" + cell + ">" + escaped(value))
                    .collect(Collectors.joining("", "<tr>", ""));
        }
    }

    /** Adds a line without a limit. */
    void say(String format, Object... values) {
        var fact = String.format(Locale.ROOT, format, values);
        facts.add(fact.strip());
        out.println(fact);
    }

    /** Prints a figure with its limit, and whether it is met. */
    void judge(String name, double value, String unit, double bound, boolean atLeast) {
        var judgement = new Judgement(name, value, unit, bound, atLeast);
        judgements.add(judgement);
        out.printf(
                Locale.ROOT,
                "%s: %.2f %s (%s: %s)%n",
                name,
                value,
                unit,
                judgement.boundText(),
                judgement.isKept() ? "kept" : "MISSED");
    }

    /** Prints rows under a header; the first column holds names, and the caption describes them. */
    void table(String caption, List<String> head, List<List<String>> rows) {
        tables.add(new ReportTable(caption, head, rows));
        out.println(caption);
        out.println("| " + String.join(" | ", head) + " |");
        out.println("|" + "---|".repeat(head.size()));
        rows.forEach(row -> out.println("| " + String.join(" | ", row) + " |"));
    }

    void plot(Plot plot) {
        plots.add(plot);
        plot.lines().forEach(line -> out.println(plot.title() + ", " + line.text()));
    }

    /** Writes a self-contained HTML page. */
    void write(Path file) {
        var page = new StringBuilder("""
                <!doctype html><html lang="en"><meta charset="utf-8"><title>Millrace: measurements</title>
                <style>
                body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2530}
                table{border-collapse:collapse;width:100%}td,th{padding:.35rem .6rem;border-bottom:1px solid #d9dee5;text-align:left}
                td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.kept{color:#146c43}.missed{color:#b02a37;font-weight:600}
                figure{margin:2rem 0}figcaption{font-weight:600}svg{width:100%;height:auto}
                </style><h1>Millrace: measurements</h1>
                <p>Default settings, access log and all; every answer follows its commit, fsync is on. The bare server is Vert.x
                with no database; grouped inserts make one row durable for each call. Same load, in turn, in one run. Latencies
                over the number of connections are corrected for coordinated omission.</p>
                """);
        page.append("<p>")
                .append(escaped(facts.isEmpty() ? "" : facts.getFirst()))
                .append("</p>")
                .append("""
                <table><tr><th>Figure<th class=n>Found<th>Asked<th></tr>
                """);
        for (var judgement : judgements) {
            page.append("<tr><td>")
                    .append(escaped(judgement.name()))
                    .append(String.format(Locale.ROOT, "<td class=n>%.2f %s<td>", judgement.value(), judgement.unit()))
                    .append(escaped(judgement.boundText()))
                    .append(judgement.isKept() ? "<td class=kept>kept" : "<td class=missed>missed");
        }
        page.append("</table>");
        tables.forEach(table -> page.append(table.html()));
        plots.forEach(plot -> page.append(plot.html()));
        page.append("<h2>Further</h2><ul>");
        facts.stream().skip(1).forEach(fact -> page.append("<li>").append(escaped(fact)));
        try {
            Files.writeString(file, page.append("</ul></html>\n"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        out.println("The page: " + file);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
