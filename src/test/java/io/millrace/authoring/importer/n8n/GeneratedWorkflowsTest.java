package io.millrace.authoring.importer.n8n;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.importer.n8n.expression.Fidelity;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Generated workflows in the shapes of public collections: no failure, acceptable templates, and the required shares of
 * translated nodes.
 */
class GeneratedWorkflowsTest {
    private static final int WORKFLOWS = Integer.getInteger("n8n.generated", 400);
    private static final List<NodeEntry> ENTRIES = new ArrayList<>();
    private static final List<FlowImport> FLOWS = new ArrayList<>();

    @BeforeAll
    static void translate() {
        for (var seed = 0; seed < WORKFLOWS; seed++) {
            var translated = ImportSamples.translate(GeneratedWorkflow.of(seed));
            assertThat(translated.flows()).as("seed " + seed).isNotEmpty();
            FLOWS.addAll(translated.flows());
            translated.flows().forEach(flow -> ENTRIES.addAll(flow.entries()));
        }
    }

    @Test
    void makesTemplatesThatTheServerAccepts() {
        for (var flow : FLOWS) {
            var request = Json.object().put("type", "IMPORT_FLOW");
            request.set("request", flow.template());
            assertThat(FlowOperation.parse(request)).isNotNull();
            assertThat(stepNames(flow.template().path("trigger"))).doesNotHaveDuplicates();
        }
    }

    @Test
    void namesAGap_forEachNodeThatIsNotExact() {
        assertThat(ENTRIES)
                .allSatisfy(entry -> assertThat(entry.result() == Fidelity.EXACT
                                || !entry.differences().isEmpty())
                        .as(entry.node().type())
                        .isTrue());
    }

    @Test
    void mapsAtLeast87PercentOfNodes() {
        var counts = shares();
        if (Boolean.getBoolean("n8n.print")) {
            print();
        }
        assertThat(counts.get(Fidelity.BY_HAND) * 100.0 / ENTRIES.size())
                .as(counts + ", by hand " + byHand())
                .isLessThanOrEqualTo(13);
    }

    @Test
    void translatesAtLeast60PercentOfExpressionsExactly() {
        var figures = ImportFigures.of(ENTRIES).ofExpressions();
        var all = figures.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(figures.get(Fidelity.EXACT) * 100.0 / all)
                .as(figures.toString())
                .isGreaterThanOrEqualTo(60);
    }

    private static Map<Fidelity, Integer> shares() {
        var counts = new TreeMap<Fidelity, Integer>();
        ENTRIES.forEach(entry -> counts.merge(entry.result(), 1, Integer::sum));
        return counts;
    }

    private static Map<String, Integer> byHand() {
        var counts = new TreeMap<String, Integer>();
        ENTRIES.stream()
                .filter(entry -> entry.result() == Fidelity.BY_HAND)
                .forEach(entry -> counts.merge(entry.node().kind(), 1, Integer::sum));
        return counts;
    }

    private static void print() {
        System.out.println(shares() + " " + ImportFigures.of(ENTRIES).ofExpressions());
        var reasons = new TreeMap<String, Integer>();
        ENTRIES.forEach(entry -> {
            if (entry.result() == Fidelity.BY_HAND) {
                entry.differences()
                        .forEach(text ->
                                reasons.merge("hand " + entry.node().kind() + ": " + shortened(text), 1, Integer::sum));
            }
            entry.differences().stream()
                    .filter(text -> text.startsWith("expression"))
                    .forEach(text ->
                            reasons.merge("expr " + shortened(text.replaceAll("(?s)^.*\": ", "")), 1, Integer::sum));
        });
        reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(90)
                .forEach(reason -> System.out.println(reason.getValue() + " " + reason.getKey()));
    }

    private static String shortened(String text) {
        var line = text.replaceAll("\\s+", " ");
        return line.length() > 150 ? line.substring(0, 150) : line;
    }

    private static List<String> stepNames(JsonNode step) {
        var names = new ArrayList<String>();
        var pending = new ArrayList<JsonNode>(List.of(step));
        while (!pending.isEmpty()) {
            var next = pending.removeLast();
            if (next.isObject() && next.has("name")) {
                names.add(next.path("name").asText());
            }
            for (var field : List.of("nextAction", "firstLoopAction")) {
                if (next.path(field).isObject()) {
                    pending.add(next.path(field));
                }
            }
            next.path("children").forEach(pending::add);
            next.path("continueOnFailureBranches").forEach(pending::add);
        }
        return names;
    }
}
