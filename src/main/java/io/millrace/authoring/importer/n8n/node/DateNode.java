package io.millrace.authoring.importer.n8n.node;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;

/** Date and Time, versions 1 and 2, as code over the dates of the prelude. */
final class DateNode implements NodeMapping {
    @Override
    public Level level(WorkflowNode node) {
        return Level.LIST;
    }

    @Override
    public void translate(NodeContext context) {
        if (context.node().version() < 2) {
            first(context);
        } else {
            second(context);
        }
    }

    private static String target(WorkflowNode node, String parameter, String usual) {
        var name = node.text(parameter);
        return ScriptTexts.quoted(name.isEmpty() || name.startsWith("=") ? usual : name);
    }

    private static void put(NodeContext context, String target, String value) {
        var node = context.node();
        // Version 2 leaves out the fields of the input unless an option includes them.
        var isIncluded = node.version() < 2
                || node.parameter("options.includeInputFields").asBoolean(false);
        context.mapItems("$set(" + (isIncluded ? "$copy($json)" : "{}") + ", " + target + ", " + value + ")");
    }

    private static void first(NodeContext context) {
        var node = context.node();
        var value = "$date(" + context.parameters().script("value") + ")";
        var target = target(node, "dataPropertyName", "data");
        if (node.text("action").equals("calculate")) {
            var unit = node.text("timeUnit").isEmpty() ? "days" : node.text("timeUnit");
            var way = node.text("operation").equals("subtract") ? "minus" : "plus";
            put(
                    context,
                    target,
                    value + "." + way + "({ [" + ScriptTexts.quoted(unit) + "]: Number("
                            + context.parameters().script("duration") + ") }).toISO()");
            return;
        }
        context.entry().near("the format is written with the letters of Luxon");
        put(
                context,
                target,
                value + ".toFormat($momentFormat("
                        + (node.text("toFormat").isEmpty()
                                ? "'YYYY-MM-DD'"
                                : context.parameters().script("toFormat")) + "))");
    }

    private static void second(NodeContext context) {
        var node = context.node();
        var operation = node.text("operation").isEmpty() ? "getCurrentDate" : node.text("operation");
        var value = "$date("
                + context.parameters()
                        .script(
                                operation.equals("addToDate") || operation.equals("subtractFromDate")
                                        ? "magnitude"
                                        : "date")
                + ")";
        switch (operation) {
            case "getCurrentDate" ->
                put(
                        context,
                        target(node, "outputFieldName", "currentDate"),
                        node.parameter("includeTime").asBoolean(true) ? "$now.toISO()" : "$today.toISO()");
            case "addToDate", "subtractFromDate" ->
                put(
                        context,
                        target(node, "outputFieldName", "newDate"),
                        value + (operation.equals("addToDate") ? ".plus" : ".minus") + "({ ["
                                + (node.text("timeUnit").isEmpty()
                                        ? "'days'"
                                        : context.parameters().script("timeUnit"))
                                + "]: Number(" + context.parameters().script("duration") + ") }).toISO()");
            case "formatDate" -> {
                var format = node.text("format").isEmpty() ? "MM/dd/yyyy" : node.text("format");
                put(
                        context,
                        target(node, "outputFieldName", "formattedDate"),
                        "$date(" + context.parameters().script("date")
                                + (node.text("options.fromFormat").isEmpty()
                                        ? ""
                                        : ", " + context.parameters().script("options.fromFormat"))
                                + ").toFormat("
                                + (format.equals("custom")
                                        ? context.parameters().script("customFormat")
                                        : ScriptTexts.quoted(format))
                                + ")");
            }
            case "getTimeBetweenDates" -> {
                var units =
                        node.parameter("units").isArray() ? context.parameters().script("units") : "['day']";
                put(
                        context,
                        target(node, "outputFieldName", "timeDifference"),
                        "$date(" + context.parameters().script("endDate") + ").diff($date("
                                + context.parameters().script("startDate") + "), " + units + ").toObject()");
            }
            case "extractDate" ->
                put(
                        context,
                        target(node, "outputFieldName", "datePart"),
                        "$date(" + context.parameters().script("date")
                                + ")[{ week: 'weekNumber', dayOfWeek: 'weekday' }["
                                + ScriptTexts.quoted(node.text("part").isEmpty() ? "month" : node.text("part"))
                                + "] ?? "
                                + ScriptTexts.quoted(node.text("part").isEmpty() ? "month" : node.text("part")) + "]");
            case "roundDate" -> {
                var to = ScriptTexts.quoted(node.text("to").isEmpty() ? "month" : node.text("to"));
                put(
                        context,
                        target(node, "outputFieldName", "roundedDate"),
                        value
                                + (node.text("mode").equals("roundUp")
                                        ? ".endOf(" + to + ").plus({ milliseconds: 1 })"
                                        : ".startOf(" + to + ")")
                                + ".toISO()");
            }
            default -> GapStep.add(context, "the operation \"" + operation + "\" of Date & Time has no equivalent");
        }
    }
}
