package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunScope;
import io.millrace.sandbox.expression.InputTemplate;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fetches the outputs stored apart from the log that the templates of a step refer to: expressions always see the real
 * value (contract flows-and-engine 15.2). For a loop that is read beyond its current item, the outputs of its
 * iterations are fetched too.
 */
public final class SlicedOutputs {
    private SlicedOutputs() {}

    /** Outputs by their records, without those that are in memory. */
    public static Future<Map<ObjectNode, JsonNode>> load(
            RunSlices slices, RunScope scope, List<InputTemplate> templates) {
        var direct = new ArrayList<ObjectNode>();
        var loops = new ArrayList<ObjectNode>();
        var inside = new ArrayList<JsonNode>();
        for (var name : names(scope, templates)) {
            var found = scope.recordOf(name);
            if (found == null) {
                continue;
            }
            if (RunSlices.isIn(found)) {
                direct.add(found);
            } else if (isLoop(found) && templates.stream().anyMatch(template -> readsWhole(template, name))) {
                loops.add(found);
                collect(found.path("output"), inside);
            }
        }
        inside.addAll(direct);
        return slices.load(inside).map(values -> {
            var outputs = new IdentityHashMap<ObjectNode, JsonNode>();
            direct.forEach(found -> outputs.put(found, values.get(RunSlices.fileIdOf(found))));
            loops.forEach(found -> outputs.put(found, whole(found.get("output"), values)));
            return Collections.unmodifiableMap(outputs);
        });
    }

    /**
     * Names of the steps that templates refer to. A token for the sandbox is not parsed here, so every word in it may
     * be a name.
     */
    private static Iterable<String> names(RunScope scope, List<InputTemplate> templates) {
        var names = new LinkedHashSet<String>();
        for (var template : templates) {
            names.addAll(template.references());
            for (var map : scope.maps()) {
                map.fieldNames().forEachRemaining(name -> {
                    if (isNamed(template.needs().beyondGrammar(), name)) {
                        names.add(name);
                    }
                });
            }
        }
        return names;
    }

    private static boolean isNamed(Set<String> sources, String name) {
        return sources.stream().anyMatch(source -> source.contains(name));
    }

    private static boolean readsWhole(InputTemplate template, String name) {
        return template.readBeyondItem().contains(name)
                || isNamed(template.needs().beyondGrammar(), name);
    }

    private static boolean isLoop(ObjectNode stepRecord) {
        return stepRecord.path("type").asText().equals("LOOP_ON_ITEMS");
    }

    private static void collect(JsonNode loopOutput, List<JsonNode> found) {
        for (var iteration : loopOutput.path("iterations")) {
            for (var stepRecord : iteration) {
                if (RunSlices.isIn(stepRecord)) {
                    found.add(stepRecord);
                } else if (stepRecord.path("output").has("iterations")) {
                    collect(stepRecord.path("output"), found);
                }
            }
        }
    }

    private static ObjectNode whole(JsonNode loopOutput, Map<String, JsonNode> values) {
        var copy = Json.object();
        copy.setAll((ObjectNode) loopOutput);
        var iterations = copy.putArray("iterations");
        for (var iteration : loopOutput.path("iterations")) {
            var steps = iterations.addObject();
            for (var step : iteration.properties()) {
                steps.set(step.getKey(), wholeRecord((ObjectNode) step.getValue(), values));
            }
        }
        return copy;
    }

    private static ObjectNode wholeRecord(ObjectNode stepRecord, Map<String, JsonNode> values) {
        var copy = Json.object();
        copy.setAll(stepRecord);
        if (RunSlices.isIn(stepRecord)) {
            copy.remove("outputType");
            copy.set("output", values.get(RunSlices.fileIdOf(stepRecord)));
        } else if (isLoop(stepRecord) && stepRecord.path("output").has("iterations")) {
            copy.set("output", whole(stepRecord.get("output"), values));
        }
        return copy;
    }
}
