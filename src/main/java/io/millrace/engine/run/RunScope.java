package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.Secrets;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.StepView;
import java.time.InstantSource;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Scope of the expressions of one step: the steps of every enclosing iteration, innermost first, then those outside any
 * loop (contract flows-and-engine 7.5).
 *
 * @param maps maps of step records, outermost first
 * @param secrets connections and variables that were loaded for the input
 * @param evaluated values of the tokens that were evaluated in the sandbox beforehand, by their source
 * @param outputs outputs stored apart from their records, keyed by the identity of the record
 */
public record RunScope(
        List<ObjectNode> maps,
        InstantSource clock,
        RandomGenerator random,
        Secrets secrets,
        Map<String, JsonNode> evaluated,
        Map<ObjectNode, JsonNode> outputs)
        implements ExpressionScope {
    public RunScope(List<ObjectNode> maps, InstantSource clock, RandomGenerator random) {
        this(maps, clock, random, Secrets.NONE, Map.of(), Map.of());
    }

    @Override
    public StepView step(String name) {
        var found = recordOf(name);
        return found == null ? null : new RecordView(found, outputs.getOrDefault(found, found.get("output")));
    }

    /** The visible record of that name; null when the step has not run. */
    public ObjectNode recordOf(String name) {
        for (var depth = maps.size() - 1; depth >= 0; depth--) {
            if (maps.get(depth).get(name) instanceof ObjectNode record) {
                return record;
            }
        }
        return null;
    }

    @Override
    public JsonNode connection(String name) {
        return secrets.connection(name);
    }

    @Override
    public JsonNode variable(String name) {
        return secrets.variable(name);
    }

    @Override
    public JsonNode beyondGrammar(String source) {
        return evaluated.get(source);
    }

    public RunScope withSecrets(Secrets loaded) {
        return new RunScope(maps, clock, random, loaded, evaluated, outputs);
    }

    public RunScope withEvaluated(Map<String, JsonNode> values) {
        return new RunScope(maps, clock, random, secrets, values, outputs);
    }

    public RunScope withOutputs(Map<ObjectNode, JsonNode> fetched) {
        return new RunScope(maps, clock, random, secrets, evaluated, fetched);
    }

    /** Every visible step as {@code {output, error}}, for an expression that is evaluated in the sandbox. */
    public ObjectNode globals() {
        var globals = Json.object();
        for (var map : maps) {
            for (var field : map.properties()) {
                var seen = globals.putObject(field.getKey());
                var output =
                        outputs.getOrDefault(field.getValue(), field.getValue().get("output"));
                if (output != null) {
                    seen.set("output", output);
                }
                if (field.getValue().get("errorMessage") != null) {
                    seen.putObject("error").set("message", field.getValue().get("errorMessage"));
                }
            }
        }
        return globals;
    }

    /**
     * The value, or a copy of it when it is or holds a part of the log that still grows: the record of an enclosing
     * loop. Such a value would become a part of itself.
     */
    public JsonNode detached(JsonNode value) {
        if (maps.size() == 1 || value == null || !value.isContainerNode()) {
            return value;
        }
        var growing = Collections.newSetFromMap(new IdentityHashMap<JsonNode, Boolean>());
        for (var map : maps.subList(0, maps.size() - 1)) {
            for (var record : map) {
                if (record.path("type").asText().equals("LOOP_ON_ITEMS")) {
                    growing.add(record.path("output"));
                    growing.add(record.path("output").path("iterations"));
                }
            }
        }
        growing.addAll(maps);
        return holdsAny(value, growing) ? value.deepCopy() : value;
    }

    private static boolean holdsAny(JsonNode value, Set<JsonNode> growing) {
        if (growing.contains(value)) {
            return true;
        }
        for (var child : value) {
            if (child.isContainerNode() && holdsAny(child, growing)) {
                return true;
            }
        }
        return false;
    }

    private record RecordView(ObjectNode stepRecord, JsonNode output) implements StepView {
        @Override
        public String errorMessage() {
            var message = stepRecord.get("errorMessage");
            return message == null ? null : message.textValue();
        }
    }
}
