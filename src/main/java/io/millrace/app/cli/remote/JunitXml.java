package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.app.cli.remote.FlowTestCommand.TestedFlow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Results of tests in the XML format of JUnit that build servers read: a failed test is a failure, a stale one an error. */
final class JunitXml {
    private JunitXml() {}

    static void write(Path file, List<TestedFlow> flows) {
        try {
            Files.writeString(file, text(flows));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + file, failed);
        }
    }

    static String text(List<TestedFlow> flows) {
        var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        for (var flow : flows) {
            var report = flow.report();
            xml.append("  <testsuite name=\"")
                    .append(escaped(flow.name()))
                    .append("\" tests=\"")
                    .append(report.path("results").size())
                    .append("\" failures=\"")
                    .append(report.path("failed").asInt())
                    .append("\" errors=\"")
                    .append(report.path("stale").asInt())
                    .append("\">\n");
            report.path("results").forEach(result -> append(xml, flow.name(), result));
            xml.append("  </testsuite>\n");
        }
        return xml.append("</testsuites>\n").toString();
    }

    private static void append(StringBuilder xml, String flowName, JsonNode result) {
        xml.append("    <testcase classname=\"")
                .append(escaped(flowName))
                .append("\" name=\"")
                .append(escaped(result.path("name").asText()))
                .append('"');
        var reason = FlowTestCommand.reason(result);
        if (reason.isEmpty()) {
            xml.append("/>\n");
            return;
        }
        var element = result.path("stale").isObject() ? "error" : "failure";
        xml.append(">\n      <")
                .append(element)
                .append(" message=\"")
                .append(escaped(reason.lines().findFirst().orElse("")))
                .append("\">")
                .append(escaped(reason))
                .append("</")
                .append(element)
                .append(">\n    </testcase>\n");
    }

    /** Characters that XML 1.0 does not have, also as references, are replaced. */
    private static String escaped(String text) {
        var xml = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            switch (character) {
                case '&' -> xml.append("&amp;");
                case '<' -> xml.append("&lt;");
                case '>' -> xml.append("&gt;");
                case '"' -> xml.append("&quot;");
                case '\t', '\n', '\r' -> xml.append("&#").append(character).append(';');
                default -> xml.appendCodePoint(isAllowed(character) ? character : '\ufffd');
            }
        });
        return xml.toString();
    }

    private static boolean isAllowed(int character) {
        return character >= 0x20 && character <= 0xd7ff
                || character >= 0xe000 && character <= 0xfffd
                || character >= 0x10000;
    }
}
