package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Nodes and expressions from public collections of workflows, weighted by their frequency there. Each line of the files
 * has a weight, a type, its versions and its parameters; EXPR in a parameter is replaced by an expression.
 */
final class GeneratedNodes {
    private static final Path FOLDER = Path.of("src/test/resources/n8n-generator");
    private static final List<Row> NODES = nodes();
    private static final List<Weighted> EXPRESSIONS = expressions();

    private GeneratedNodes() {}

    /** A kind of node with its weight. */
    record Row(int weight, String type, List<Double> versions, String parameters) {
        boolean isTrigger() {
            var lower = type.toLowerCase(java.util.Locale.ROOT);
            return lower.endsWith("trigger")
                    || lower.endsWith(".webhook")
                    || lower.endsWith(".cron")
                    || lower.endsWith(".start")
                    || lower.endsWith(".interval");
        }

        boolean isPart() {
            return type.matches(
                            ".*\\.(lm|memory|outputParser|tool|embeddings|document|textSplitter|vectorStore|retriever).*")
                    || type.endsWith("Tool");
        }
    }

    private record Weighted(int weight, String text) {}

    static List<Row> all() {
        return NODES;
    }

    static List<String> allExpressions() {
        return EXPRESSIONS.stream().map(Weighted::text).toList();
    }

    static Row choose(Random random, List<Row> rows) {
        var rest = random.nextInt(rows.stream().mapToInt(Row::weight).sum());
        for (var row : rows) {
            rest -= row.weight();
            if (rest < 0) {
                return row;
            }
        }
        throw new IllegalStateException("expected a row");
    }

    static String expression(Random random, String node) {
        var rest =
                random.nextInt(EXPRESSIONS.stream().mapToInt(Weighted::weight).sum());
        for (var expression : EXPRESSIONS) {
            rest -= expression.weight();
            if (rest < 0) {
                return expression
                        .text()
                        .replace(
                                "NODE",
                                node.replace("\\", "\\\\")
                                        .replace("\"", "\\\"")
                                        .replace("'", "\\'")
                                        .replace("\n", "\\n"));
            }
        }
        throw new IllegalStateException("expected an expression");
    }

    /** Parameters of a row, with expressions that read an earlier node. */
    static ObjectNode parameters(Row row, Random random, String node) {
        var text = new StringBuilder();
        var escaped = node.replace("\\", "\\\\\\\\")
                .replace("\"", "\\\\\\\"")
                .replace("'", "\\\\'")
                .replace("\n", "\\\\n");
        var parts = row.parameters().replace("NODE", escaped).split("EXPR", -1);
        for (var index = 0; index < parts.length; index++) {
            text.append(parts[index]);
            if (index < parts.length - 1) {
                var quoted = Json.text(Json.mapper().getNodeFactory().textNode(expression(random, node)));
                text.append(quoted, 1, quoted.length() - 1);
            }
        }
        try {
            return (ObjectNode) Json.parse(text.toString());
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException(row.type() + ": " + text, malformed);
        }
    }

    private static List<Row> nodes() {
        var rows = new ArrayList<Row>();
        for (var line : lines("nodes.txt")) {
            var columns = line.split("\\s+", 4);
            var versions = new ArrayList<Double>();
            for (var version : columns[2].split(",")) {
                versions.add(Double.valueOf(version));
            }
            var type = columns[1].startsWith("ai.")
                    ? "@n8n/n8n-nodes-langchain" + columns[1].substring(2)
                    : columns[1].contains(".") ? columns[1] : "n8n-nodes-base." + columns[1];
            rows.add(new Row(Integer.parseInt(columns[0]), type, versions, columns.length < 4 ? "{}" : columns[3]));
        }
        return List.copyOf(rows);
    }

    private static List<Weighted> expressions() {
        return lines("expressions.txt").stream()
                .map(line -> line.split("\\s+", 2))
                .map(columns -> new Weighted(Integer.parseInt(columns[0]), columns[1]))
                .toList();
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(FOLDER.resolve(file)).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
