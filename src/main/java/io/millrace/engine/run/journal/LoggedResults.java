package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.RunLog;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Converts between the two stored forms of step results: one record for each path while a run lives, and the nested log
 * when it has ended (contract flows-and-engine 6.4).
 */
public final class LoggedResults {
    private static final Set<String> EXECUTED = Set.of("CODE", "PIECE");
    private static final Set<String> RESTORED = Set.of("SUCCEEDED", "PAUSED");
    private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED");

    private LoggedResults() {}

    /**
     * Results that a retry restores from a log, by path: steps that succeeded or paused, inside loops as well. Failed
     * ones are dropped, and so are loops and routers, which are evaluated again in any case.
     */
    public static Map<String, ObjectNode> restored(JsonNode steps) {
        var results = new LinkedHashMap<String, ObjectNode>();
        collect(steps, "", RESTORED, results);
        return results;
    }

    /** Results of a log that a replay can repeat, by path: of steps that succeeded or failed, inside loops as well. */
    public static Map<String, ObjectNode> ended(JsonNode steps) {
        var results = new LinkedHashMap<String, ObjectNode>();
        collect(steps, "", ENDED, results);
        return results;
    }

    /** Recursion as deep as loops are nested, which the flow's editor bounds. */
    private static void collect(JsonNode steps, String prefix, Set<String> statuses, Map<String, ObjectNode> results) {
        for (var step : steps.properties()) {
            var path = prefix + step.getKey();
            if (!(step.getValue() instanceof ObjectNode record)) {
                continue;
            }
            var type = record.path("type").asText();
            if (type.equals("LOOP_ON_ITEMS")) {
                var iteration = 0;
                for (var inner : record.path("output").path("iterations")) {
                    collect(inner, path + "[" + iteration + "].", statuses, results);
                    iteration++;
                }
            } else if (EXECUTED.contains(type)
                    && statuses.contains(record.path("status").asText())) {
                results.put(path, record);
            }
        }
    }

    /**
     * Log of a run that ends without an actor: its trigger and its recorded results. Their paths show the iterations of
     * the loops around them; the items are not recorded.
     */
    public static ObjectNode log(JsonNode payload, Map<String, JsonNode> records) {
        var steps = Json.object();
        steps.set("trigger", RunLog.record("PIECE_TRIGGER", "SUCCEEDED", Json.object(), payload, 0));
        records.forEach((path, record) -> {
            var map = steps;
            var names = path.split("\\.", -1);
            for (var depth = 0; depth < names.length - 1; depth++) {
                map = iteration(map, names[depth]);
            }
            map.set(names[names.length - 1], record);
        });
        return steps;
    }

    /** The map of an iteration written as {@code loop[0]}; created if absent. */
    private static ObjectNode iteration(ObjectNode map, String text) {
        var bracket = text.indexOf('[');
        var loopName = text.substring(0, bracket);
        var iteration = Integer.parseInt(text.substring(bracket + 1, text.length() - 1));
        if (!map.has(loopName)) {
            map.set(loopName, RunLog.record("LOOP_ON_ITEMS", "SUCCEEDED", Json.object(), loopOutput(), 0));
        }
        var output = (ObjectNode) map.get(loopName).get("output");
        var iterations = output.withArray("/iterations");
        while (iterations.size() <= iteration) {
            iterations.addObject();
        }
        output.put("index", iterations.size());
        return (ObjectNode) iterations.get(iteration);
    }

    private static ObjectNode loopOutput() {
        var output = Json.object().put("index", 0);
        output.putArray("iterations");
        return output;
    }
}
