package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;

/** Schedule Trigger, Cron and Interval as cron expressions of five fields. */
final class ScheduleNodes implements TriggerNodes.Trigger {
    private static final String OUTPUT = "trigger['output']";

    @Override
    public void translate(NodeContext context) {
        var schedules = schedules(context);
        var input = Json.object()
                .put("cronExpression", schedules.getFirst())
                .put("timezone", context.plan().timezone());
        context.trigger("schedule", "0.1.17", "cron_expression", input);
        if (schedules.size() > 1) {
            context.entry()
                    .byHand("a flow has one schedule: add flows for "
                            + String.join(", ", schedules.subList(1, schedules.size())));
        }
        context.output(View.one(OUTPUT).with("timestamp", "new Date().toISOString()"));
    }

    private static List<String> schedules(NodeContext context) {
        var node = context.node();
        var schedules = new ArrayList<String>();
        for (var rule : node.parameter("rule.interval")) {
            schedules.add(current(context, rule));
        }
        for (var item : node.parameter("triggerTimes.item")) {
            schedules.add(old(context, item));
        }
        if (node.kind().equals("interval")) {
            schedules.add(
                    every(context, node.text("unit"), node.parameter("interval").asInt(1), node.parameters()));
        }
        if (schedules.isEmpty()) {
            schedules.add(node.kind().equals("scheduletrigger") ? "0 0 * * *" : "0 * * * *");
        }
        return schedules;
    }

    private static String current(NodeContext context, JsonNode rule) {
        var field = rule.path("field").asText("days");
        if (field.equals("cronExpression")) {
            return fiveFields(context, rule.path("expression").asText(""));
        }
        return every(context, field, rule.path(field + "Interval").asInt(1), rule);
    }

    private static String every(NodeContext context, String unit, int given, JsonNode rule) {
        var count = Math.clamp(given, 1, 10_000);
        var minute = number(rule, "triggerAtMinute", 0, 59);
        var hour = number(rule, "triggerAtHour", 0, 23);
        return switch (unit) {
            case "seconds" -> {
                context.entry().near("a schedule has steps of minutes instead of seconds");
                yield "* * * * *";
            }
            case "minutes" -> step(context, count, 60, "minutes") + " * * * *";
            case "hours" -> minute + " " + step(context, count, 24, "hours") + " * * *";
            case "weeks" -> {
                if (count > 1) {
                    context.entry().near("runs every week instead of every " + count + " weeks");
                }
                yield minute + " " + hour + " * * " + weekdays(rule);
            }
            case "months" ->
                minute + " " + hour + " " + Math.max(1, number(rule, "triggerAtDayOfMonth", 1, 31)) + " "
                        + step(context, count, 12, "months") + " *";
            default -> minute + " " + hour + " " + step(context, count, 31, "days") + " * *";
        };
    }

    private static String step(NodeContext context, int count, int period, String unit) {
        if (count == 1) {
            return "*";
        }
        if (count >= period) {
            context.entry().near("a schedule repeats at the latest after " + period + " " + unit);
            return unit.equals("minutes") || unit.equals("hours") ? "0" : "1";
        }
        if (period % count != 0) {
            context.entry().near("every " + count + " " + unit + " is counted from the beginning of each period");
        }
        return "*/" + count;
    }

    private static String weekdays(JsonNode rule) {
        var days = new ArrayList<String>();
        rule.path("triggerAtDay").forEach(day -> days.add(String.valueOf(Math.clamp(day.asInt(0), 0, 6))));
        return days.isEmpty() ? "0" : String.join(",", days);
    }

    private static int number(JsonNode rule, String field, int least, int most) {
        return Math.clamp(rule.path(field).asInt(least), least, most);
    }

    private static String old(NodeContext context, JsonNode item) {
        var minute = number(item, "minute", 0, 59);
        var hour = item.path("hour").isMissingNode() ? 14 : number(item, "hour", 0, 23);
        return switch (item.path("mode").asText("everyDay")) {
            case "everyMinute" -> "* * * * *";
            case "everyHour" -> minute + " * * * *";
            case "everyWeek" ->
                minute + " " + hour + " * * " + Math.clamp(item.path("weekday").asInt(1), 0, 6);
            case "everyMonth" ->
                minute + " " + hour + " " + Math.clamp(item.path("dayOfMonth").asInt(1), 1, 31) + " * *";
            case "everyX" ->
                every(
                        context,
                        item.path("unit").asText("hours"),
                        item.path("value").asInt(2),
                        Json.object());
            case "custom" -> fiveFields(context, item.path("cronExpression").asText(""));
            default -> minute + " " + hour + " * * *";
        };
    }

    private static String fiveFields(NodeContext context, String given) {
        var expression = given.startsWith("=") ? given.substring(1).strip() : given.strip();
        var fields = expression.split("\\s+");
        if (fields.length == 6) {
            context.entry().near("the field of seconds of the cron expression was left out");
            return String.join(" ", List.of(fields).subList(1, 6));
        }
        if (fields.length != 5 || !expression.matches("[0-9*/,\\-A-Za-z#? ]+")) {
            context.entry().byHand("the cron expression \"" + given + "\" cannot be read: the schedule is daily");
            return "0 0 * * *";
        }
        return expression;
    }
}
