package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.Fidelity;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.base.core.Json;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

public record ImportFigures(Map<Fidelity, Integer> ofNodes, Map<Fidelity, Integer> ofExpressions) {
    public ImportFigures {
        ofNodes = Map.copyOf(ofNodes);
        ofExpressions = Map.copyOf(ofExpressions);
    }

    public static ImportFigures of(Collection<NodeEntry> entries) {
        var nodes = new EnumMap<Fidelity, Integer>(Fidelity.class);
        var expressions = new EnumMap<Fidelity, Integer>(Fidelity.class);
        for (var entry : entries) {
            nodes.merge(entry.result(), 1, Integer::sum);
            for (var fidelity : Fidelity.values()) {
                expressions.merge(fidelity, entry.expressions(fidelity), Integer::sum);
            }
        }
        return new ImportFigures(nodes, expressions);
    }

    public ImportFigures plus(ImportFigures other) {
        return new ImportFigures(sum(ofNodes, other.ofNodes), sum(ofExpressions, other.ofExpressions));
    }

    private static Map<Fidelity, Integer> sum(Map<Fidelity, Integer> one, Map<Fidelity, Integer> other) {
        var sum = new EnumMap<Fidelity, Integer>(Fidelity.class);
        for (var fidelity : Fidelity.values()) {
            sum.put(fidelity, one.getOrDefault(fidelity, 0) + other.getOrDefault(fidelity, 0));
        }
        return sum;
    }

    public ObjectNode nodes() {
        return json(ofNodes);
    }

    public ObjectNode expressions() {
        return json(ofExpressions);
    }

    private static ObjectNode json(Map<Fidelity, Integer> figures) {
        var json = Json.object();
        for (var fidelity : Fidelity.values()) {
            json.put(fidelity.word(), figures.getOrDefault(fidelity, 0));
        }
        return json;
    }
}
