package io.millrace.authoring.importer.n8n;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.importer.n8n.expression.Fidelity;
import io.millrace.authoring.importer.n8n.node.NodeMappings;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The collection of workflows by node type: each type of the table is used, and the documentation has its results. */
class NodeTypesTest {
    private static final Path PAGE = Path.of("src/site/markdown/import-n8n.md");

    private static List<NodeEntry> entries() {
        var entries = new ArrayList<NodeEntry>();
        for (var file : ImportSamples.files()) {
            ImportSamples.translate(ImportSamples.read(file)).flows().forEach(flow -> entries.addAll(flow.entries()));
        }
        return entries;
    }

    @Test
    void usesEachTypeOfTheTable() {
        var used = new TreeSet<String>();
        entries().forEach(entry -> used.add(entry.node().kind()));

        assertThat(used).containsAll(NodeMappings.kinds());
    }

    @Test
    void translatesMostNodesAndExpressions() {
        var figures = ImportFigures.of(entries());
        var nodes = figures.ofNodes();
        var expressions = figures.ofExpressions();

        // Public collections need 87 % of nodes and 60 % of expressions; ours also has the types without an
        // equivalent.
        assertThat(nodes.get(Fidelity.BY_HAND) * 100 / sum(nodes)).isLessThanOrEqualTo(13);
        assertThat(expressions.get(Fidelity.EXACT) * 100 / sum(expressions)).isGreaterThanOrEqualTo(60);
    }

    private static int sum(Map<Fidelity, Integer> figures) {
        return figures.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void hasTheResultsInTheDocumentation() throws IOException {
        var page = Files.readString(PAGE);

        assertThat(rows()).allSatisfy(row -> assertThat(page).contains(row));
    }

    /** A row of the documentation for each known type: numbers of results in the collection. */
    private static List<String> rows() {
        var counts = new TreeMap<String, Map<Fidelity, Integer>>();
        for (var entry : entries()) {
            if (NodeMappings.kinds().contains(entry.node().kind())) {
                counts.computeIfAbsent(entry.node().type(), _ -> new EnumMap<>(Fidelity.class))
                        .merge(entry.result(), 1, Integer::sum);
            }
        }
        return counts.entrySet().stream()
                .sorted(Comparator.comparing(row -> row.getKey().toLowerCase(Locale.ROOT)))
                .map(row -> "| `" + row.getKey() + "` | "
                        + Stream.of(Fidelity.values())
                                .map(result -> String.valueOf(row.getValue().getOrDefault(result, 0)))
                                .collect(Collectors.joining(" | "))
                        + " |")
                .toList();
    }
}
