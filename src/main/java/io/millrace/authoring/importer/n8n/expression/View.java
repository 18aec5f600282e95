package io.millrace.authoring.importer.n8n.expression;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Output of a node of n8n as an expression over the steps of the flow.
 *
 * @param json expression of the JSON of one item, or of the list of the JSON of all items
 * @param fields expressions of top-level fields that are not in {@code json}; only for one item
 */
public record View(String json, boolean isList, Map<String, String> fields) {
    private static final Pattern STEP_PATH = Pattern.compile("\\b(step_\\d+)\\['output'\\](?:\\['[^']*'\\])*+");
    private static final Pattern STEP = Pattern.compile("\\b(step_\\d+)\\['output'\\]");

    public View {
        fields = Map.copyOf(fields);
    }

    public static View one(String json) {
        return new View(json, false, Map.of());
    }

    public static View list(String json) {
        return new View(json, true, Map.of());
    }

    /** The entries of a value that may be a list, or the value as the only item. */
    public static View itemsOf(String json) {
        return list("(Array.isArray(" + json + ") ? " + json + " : [" + json + "])");
    }

    public static View ofStep(String step, boolean isList) {
        return new View(step + "['output']", isList, Map.of());
    }

    public View with(String field, String expression) {
        var more = new TreeMap<>(fields);
        more.put(field, expression);
        return new View(json, isList, more);
    }

    /** JSON of the item with all its fields, or of the first of a list. */
    public String item() {
        return isList ? json + "[0]" : whole();
    }

    /** JSON of the item with all its fields, or the complete list. */
    public String whole() {
        if (fields.isEmpty()) {
            return json;
        }
        return fields.entrySet().stream()
                .map(field -> ScriptTexts.quoted(field.getKey()) + ": " + field.getValue())
                .collect(Collectors.joining(", ", "({ ..." + json + ", ", " })"));
    }

    public String items() {
        return isList ? json : "[" + whole() + "]";
    }

    /** The same view, without a value if its steps were not executed: the name of such a step is unknown. */
    public View orNothing() {
        var others = new TreeMap<String, String>();
        fields.forEach((name, script) -> others.put(name, orNothing(script)));
        return new View(orNothing(json), isList, others);
    }

    private static String orNothing(String script) {
        return STEP_PATH.matcher(script).replaceAll("(typeof $1 === 'undefined' ? undefined : $0)");
    }

    /** The view of a step inside a loop, from after the loop: one entry for each iteration in which it has a value. */
    public View gathered(String loop) {
        var inIteration = STEP.matcher(whole()).replaceAll("i['$1']?.['output']");
        var iterations = loop + "['output']['iterations']";
        return list(
                isList
                        ? iterations + ".flatMap(i => " + inIteration + " ?? [])"
                        : iterations + ".map(i => (" + inIteration + ")).filter(v => v != null)");
    }
}
