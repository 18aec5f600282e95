package io.millrace.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * SVG chart of lines over a common axis. Points have equal distances along the axis, above their labels.
 *
 * @param axis labels of the points
 */
record Plot(String title, String unit, List<String> axis, List<Line> lines) {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 300;
    private static final int LEFT = 80;
    private static final int BOTTOM = 40;
    private static final int TOP = 15;
    private static final int RIGHT = 170;
    private static final int MARKS = 4;
    private static final List<String> COLOURS = List.of("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df");

    /** One line, with as many values as the axis has labels. */
    record Line(String name, List<Double> values) {
        static <T> Line of(String name, List<T> points, ToDoubleFunction<T> value) {
            return new Line(name, points.stream().map(value::applyAsDouble).toList());
        }

        String text() {
            return name + ": " + values.stream().map(Plot::number).collect(Collectors.joining(", "));
        }
    }

    String html() {
        var highest = lines.stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(value -> value)
                .max()
                .orElse(1);
        var top = MARKS * roundStep(highest / MARKS);
        var svg = new StringBuilder("<figure><figcaption>%s (%s)</figcaption><svg viewBox=\"0 0 %d %d\" role=img>"
                .formatted(BenchReport.escaped(title), BenchReport.escaped(unit), WIDTH, HEIGHT));
        for (var mark = 0; mark <= MARKS; mark++) {
            var y = y(top * mark / MARKS, top);
            svg.append("<line x1=%d x2=%d y1=%s y2=%s stroke=\"#d9dee5\"/>"
                            .formatted(LEFT, WIDTH - RIGHT, number(y), number(y)))
                    .append(text(LEFT - 8, y + 4, "end", "#57606a", number(top * mark / MARKS)));
        }
        for (var point = 0; point < axis.size(); point++) {
            svg.append(text(x(point), HEIGHT - BOTTOM + 20, "middle", "#57606a", axis.get(point)));
        }
        for (var index = 0; index < lines.size(); index++) {
            line(svg, lines.get(index), COLOURS.get(index % COLOURS.size()), index, top);
        }
        return svg.append("</svg></figure>").toString();
    }

    /** The least of 1, 2, 2.5, 5 and their multiples by ten that is not below a step: readable marks. */
    private static double roundStep(double step) {
        var scale = Math.pow(10, Math.floor(Math.log10(Math.max(step, 1e-6))));
        for (var factor : new double[] {1, 2, 2.5, 5}) {
            if (factor * scale >= step) {
                return factor * scale;
            }
        }
        return 10 * scale;
    }

    private void line(StringBuilder svg, Line line, String colour, int index, double top) {
        svg.append("<polyline fill=none stroke-width=2 stroke=\"")
                .append(colour)
                .append("\" points=\"");
        for (var point = 0; point < line.values().size(); point++) {
            svg.append("%s,%s "
                    .formatted(number(x(point)), number(y(line.values().get(point), top))));
        }
        svg.append("\"/>").append(text(WIDTH - RIGHT + 12, TOP + 12 + 18 * index, "start", colour, line.name()));
    }

    private static String text(double x, double y, String anchor, String colour, String text) {
        return "<text x=%s y=%s text-anchor=%s font-size=12 fill=\"%s\">%s</text>"
                .formatted(number(x), number(y), anchor, colour, BenchReport.escaped(text));
    }

    private double x(int point) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (double) point / Math.max(1, axis.size() - 1);
    }

    private static double y(double value, double top) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / Math.max(top, 1e-9);
    }

    /** The significant digits of a value. */
    static String number(double value) {
        var isWhole = value == Math.rint(value);
        return String.format(Locale.ROOT, isWhole || value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }
}
