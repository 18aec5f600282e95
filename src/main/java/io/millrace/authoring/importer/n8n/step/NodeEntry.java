package io.millrace.authoring.importer.n8n.step;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.Fidelity;
import io.millrace.authoring.importer.n8n.expression.TranslatedExpression;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Report about one node. */
public final class NodeEntry {
    private static final int DIFFERENCES_MAX = 50;

    private final WorkflowNode node;
    private final Set<String> differences = new LinkedHashSet<>();
    private final Map<Fidelity, Integer> expressions = new EnumMap<>(Fidelity.class);
    private Fidelity result = Fidelity.EXACT;
    private String step = "";

    public NodeEntry(WorkflowNode node) {
        this.node = node;
    }

    public void near(String difference) {
        add(Fidelity.NEAR, difference);
    }

    public void byHand(String gap) {
        add(Fidelity.BY_HAND, gap);
    }

    private void add(Fidelity fidelity, String difference) {
        result = result.and(fidelity);
        if (differences.size() < DIFFERENCES_MAX) {
            differences.add(difference);
        }
    }

    /** A gap in an expression leaves its node usable. */
    public void count(TranslatedExpression value) {
        value.counts().forEach(fidelity -> expressions.merge(fidelity, 1, Integer::sum));
        value.notes().forEach(this::near);
    }

    public void countGap() {
        expressions.merge(Fidelity.BY_HAND, 1, Integer::sum);
    }

    public void setStep(String name) {
        step = name;
    }

    public String step() {
        return step;
    }

    public WorkflowNode node() {
        return node;
    }

    public Fidelity result() {
        return result;
    }

    public List<String> differences() {
        return List.copyOf(differences);
    }

    public int expressions(Fidelity fidelity) {
        return expressions.getOrDefault(fidelity, 0);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("node", node.name())
                .put("type", node.type())
                .put("result", result.word())
                .put("step", step);
        differences.forEach(json.putArray("differences")::add);
        var counts = json.putObject("expressions");
        for (var fidelity : Fidelity.values()) {
            counts.put(fidelity.word(), expressions(fidelity));
        }
        return json;
    }
}
