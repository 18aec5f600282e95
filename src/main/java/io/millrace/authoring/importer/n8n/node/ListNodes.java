package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import java.util.ArrayList;
import java.util.List;

/** Nodes that change the list of items: each becomes one code step. */
record ListNodes(String operation) implements NodeMapping {
    @Override
    public Level level(WorkflowNode node) {
        return Level.LIST;
    }

    @Override
    public void translate(NodeContext context) {
        var node = context.node();
        var chosen = operation.equals("itemLists") ? itemLists(node) : operation;
        switch (chosen) {
            case "splitOut" -> splitOut(context);
            case "aggregate" -> aggregate(context);
            case "sort" -> sort(context);
            case "limit" -> limit(context);
            case "removeDuplicates" -> removeDuplicates(context);
            case "summarize" -> summarize(context);
            case "renameKeys" -> renameKeys(context);
            default -> GapStep.add(context, "the operation \"" + chosen + "\" has no equivalent");
        }
    }

    private static String itemLists(WorkflowNode node) {
        var operation = node.text("operation").isEmpty() ? "splitOutItems" : node.text("operation");
        return switch (operation) {
            case "splitOutItems" -> "splitOut";
            case "aggregateItems", "concatenateItems" -> "aggregate";
            default -> operation;
        };
    }

    /** Names in a text with commas, or in a list of entries with a name. */
    private static List<String> names(NodeContext context, JsonNode raw, String entryName) {
        var names = new ArrayList<String>();
        if (raw.isTextual() && raw.textValue().startsWith("=")) {
            return List.of("...String(" + context.parameters().script(raw) + ").split(',').map((name) => name.trim())");
        }
        if (raw.isTextual()) {
            for (var name : raw.textValue().split(",")) {
                if (!name.isBlank()) {
                    names.add(ScriptTexts.quoted(name.strip()));
                }
            }
        }
        for (var entry : raw) {
            names.add(context.parameters().script(entryName.isEmpty() ? entry : entry.path(entryName)));
        }
        return names;
    }

    private static String list(List<String> names) {
        return "[" + String.join(", ", names) + "]";
    }

    private static void splitOut(NodeContext context) {
        var node = context.node();
        var fields = list(names(context, node.parameter("fieldToSplitOut"), ""));
        var target = list(names(context, node.parameter("options.destinationFieldName"), ""));
        var include = node.text("include");
        var others = switch (include) {
            case "allOtherFields" -> "$omit(json, fields)";
            case "selectedOtherFields" ->
                "Object.fromEntries("
                        + list(names(
                                context,
                                node.parameter("fieldsToInclude.fields").isArray()
                                        ? node.parameter("fieldsToInclude.fields")
                                        : node.parameter("fieldsToInclude"),
                                node.parameter("fieldsToInclude.fields").isArray() ? "fieldName" : ""))
                        + ".map((field) => [field, $get(json, field)]))";
            default -> "{}";
        };
        context.mapList(
                "const names = " + target + ";\n"
                        + (fields.contains("$json") ? "const { $json } = $scope(inputs).at(0);\n" : "")
                        + "const fields = " + fields + ";\n" + """
                return list.flatMap((json) => {
                  const columns = fields.map((field) => {
                    const value = $get(json, field);
                    return value === undefined || value === null ? [] : Array.isArray(value) ? value : typeof value === 'object' ? Object.values(value) : [value];
                  });
                  const length = Math.max(0, ...columns.map((column) => column.length));
                  return Array.from({ length }, (_, index) => {
                """ + "    const out = " + others + ";\n"
                        + """
                    columns.forEach((column, number) => {
                      const value = column[index];
                      const isSpread = fields.length === 1 && names.length === 0 && value !== null && typeof value === 'object' && !Array.isArray(value) && IS_ALONE;
                      if (isSpread) Object.assign(out, value);
                      else if (value !== undefined) Object.defineProperty(out, names[number] ?? fields[number], { value, writable: true, enumerable: true, configurable: true });
                    });
                    return out;
                  });
                });""".replace("IS_ALONE", String.valueOf(include.isEmpty() || include.equals("noOtherFields"))),
                true);
    }

    private static void aggregate(NodeContext context) {
        var node = context.node();
        if (node.text("aggregate").equals("aggregateAllItemData")) {
            var target = node.text("destinationFieldName").isEmpty() ? "data" : node.text("destinationFieldName");
            var shown = switch (node.text("include")) {
                case "specifiedFields" ->
                    "list.map((json) => $pick(json, " + list(names(context, node.parameter("fieldsToInclude"), ""))
                            + "))";
                case "allFieldsExcept" ->
                    "list.map((json) => $omit(json, " + list(names(context, node.parameter("fieldsToExclude"), ""))
                            + "))";
                default -> "list";
            };
            context.mapList("return $set({}, " + ScriptTexts.quoted(target) + ", " + shown + ");", false);
            return;
        }
        var statements = new StringBuilder("const out = {};\n");
        var keepsMissing = node.parameter("options.keepMissing").asBoolean(false);
        for (var field : node.parameter("fieldsToAggregate.fieldToAggregate")) {
            var from = context.parameters().script(field.path("fieldToAggregate"));
            var to = field.path("renameField").asBoolean(false)
                    ? context.parameters().script(field.path("outputFieldName"))
                    : "String(" + from + ").split('.').at(-1)";
            statements
                    .append("$set(out, ")
                    .append(to)
                    .append(", list.map((json) => $get(json, ")
                    .append(from)
                    .append("))")
                    .append(node.parameter("options.mergeLists").asBoolean(false) ? ".flat()" : "")
                    .append(
                            keepsMissing
                                    ? ".map((value) => value ?? null)"
                                    : ".filter((value) => value !== undefined && value !== null)")
                    .append(");\n");
        }
        context.mapList(statements.append("return out;").toString(), false);
    }

    private static void sort(NodeContext context) {
        var node = context.node();
        switch (node.text("type")) {
            case "random" -> {
                context.mapList(
                        "return list.map((json) => [Math.random(), json]).sort((one, other) => one[0] - other[0]).map((pair) => pair[1]);",
                        true);
                return;
            }
            case "code" -> {
                context.mapList(
                        "const items = $scope(inputs).items;\nconst compare = (a, b) => {\n" + node.text("code")
                                + "\n};\nreturn items.sort(compare).map((item) => item.json);",
                        true);
                return;
            }
            default -> {}
        }
        var keys = new ArrayList<String>();
        for (var field : node.parameter("sortFieldsUi.sortField")) {
            keys.add("[" + context.parameters().script(field.path("fieldName")) + ", "
                    + (field.path("order").asText("ascending").equals("descending") ? -1 : 1) + "]");
        }
        context.mapList("const keys = " + list(keys) + ";\n" + """
                return [...list].sort((one, other) => {
                  for (const [key, sign] of keys) {
                    const order = sign * $compare($get(one, key), $get(other, key));
                    if (order !== 0) return order;
                  }
                  return 0;
                });""", true);
    }

    private static void limit(NodeContext context) {
        var node = context.node();
        var count = node.parameter("maxItems").isMissingNode()
                ? "1"
                : "Number(" + context.parameters().script("maxItems") + ")";
        context.mapList(
                node.text("keep").equals("lastItems")
                        ? "const count = " + count + ";\nreturn count > 0 ? list.slice(-count) : [];"
                        : "return list.slice(0, " + count + ");",
                true);
    }

    private static void removeDuplicates(NodeContext context) {
        var node = context.node();
        if (node.text("operation").equals("removeItemsSeenInPreviousExecutions")
                || node.text("operation").equals("clearDeduplicationHistory")) {
            GapStep.add(context, "items of earlier executions are not remembered: use steps of the piece Storage");
            return;
        }
        var except = node.text("compare").equals("allFieldsExcept");
        var selected = node.text("compare").equals("selectedFields");
        var fields = list(names(
                context,
                except ? node.parameter("fieldsToExclude") : node.parameter("fieldsToCompare"),
                node.parameter("fieldsToCompare").isArray() ? "fieldName" : ""));
        var key = selected ? "fields.map((field) => $get(json, field))" : except ? "$omit(json, fields)" : "json";
        context.mapList(
                "const fields = " + fields
                        + ";\nconst seen = new Set();\nreturn list.filter((json) => {\n  const key = JSON.stringify("
                        + key + ");\n  return seen.has(key) ? false : Boolean(seen.add(key));\n})"
                        + (node.parameter("options.removeOtherFields").asBoolean(false) && selected
                                ? ".map((json) => $pick(json, fields))"
                                : "")
                        + ";",
                true);
    }

    private static void summarize(NodeContext context) {
        var node = context.node();
        var fields = new ArrayList<String>();
        for (var field : node.parameter("fieldsToSummarize.values")) {
            var way = field.path("aggregation").asText("count");
            fields.add(
                    "[" + ScriptTexts.quoted(way) + ", " + context.parameters().script(field.path("field")) + ", "
                            + ScriptTexts.quoted(
                                    field.path("separateBy").asText(",").equals("other")
                                            ? field.path("customSeparator").asText(",")
                                            : field.path("separateBy").asText(","))
                            + "]");
        }
        var groups = names(context, node.parameter("fieldsToSplitBy"), "");
        var isSingle = node.text("options.outputFormat").equals("singleItem");
        if (isSingle && !groups.isEmpty()) {
            context.entry()
                    .byHand(
                            "the output format \"All in a Single Item\" has no equivalent: there is an item for each group");
        }
        context.mapList(
                "const fields = " + list(fields) + ";\nconst groupBy = " + list(groups) + ";\n" + """
                const names = { average: 'average', concatenate: 'concatenated', count: 'count', countUnique: 'unique_count', max: 'max', min: 'min', sum: 'sum', append: 'appended' };
                const present = (values) => values.filter((value) => value !== undefined && value !== null && value !== '');
                const ways = {
                  append: (values) => present(values),
                  average: (values) => values.reduce((sum, value) => sum + Number(value), 0) / values.length,
                  concatenate: (values, glue) => present(values).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value)).join(glue),
                  count: (values) => present(values).length,
                  countUnique: (values) => new Set(present(values)).size,
                  max: (values) => values.reduce((best, value) => (best === undefined || value > best ? value : best), undefined),
                  min: (values) => values.reduce((best, value) => (best === undefined || value < best ? value : best), undefined),
                  sum: (values) => values.reduce((sum, value) => sum + Number(value ?? 0), 0),
                };
                const groups = new Map();
                for (const json of list) {
                  const key = JSON.stringify(groupBy.map((field) => $get(json, field) ?? null));
                  groups.set(key, [...(groups.get(key) ?? []), json]);
                }
                if (groupBy.length === 0 && groups.size === 0) groups.set('[]', []);
                return [...groups].map(([key, rows]) => {
                  const out = Object.fromEntries(groupBy.map((field, index) => [field, JSON.parse(key)[index]]));
                  for (const [way, field, glue] of fields) out[names[way] + '_' + field.replaceAll('.', '_')] = ways[way](rows.map((json) => $get(json, field)), glue);
                  return out;
                })"""
                        + (groups.isEmpty() ? "[0];" : ";"),
                !groups.isEmpty());
    }

    private static void renameKeys(NodeContext context) {
        var node = context.node();
        var pairs = new ArrayList<String>();
        for (var key : node.parameter("keys.key")) {
            pairs.add("[" + context.parameters().script(key.path("currentKey")) + ", "
                    + context.parameters().script(key.path("newKey")) + "]");
        }
        if (node.parameter("additionalOptions.regexReplacement").isObject()) {
            context.entry().byHand("renaming by a regular expression has no equivalent");
        }
        var more = "(() => { const out = $copy($json); for (const [from, to] of " + list(pairs)
                + ") { const value = $get(out, from); if (value !== undefined && from !== to) { $unset(out, from); $set(out, to, value); } } return out; })()";
        context.mapItems(more);
    }
}
