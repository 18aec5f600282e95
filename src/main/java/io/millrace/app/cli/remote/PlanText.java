package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

final class PlanText {
    private static final String STEP = "    ";
    private static final String FIELD = "        ";

    private PlanText() {}

    static String of(JsonNode plan) {
        var text = new StringBuilder();
        for (var item : plan.path("items")) {
            line(text, signOf(item), item.path("kind").asText().toLowerCase(Locale.ROOT) + " " + named(item, "key"));
            fields(text, STEP, item);
            for (var step : item.path("steps")) {
                line(
                        text,
                        STEP + signOf(step),
                        named(step, "step") + " " + step.path("place").asText());
                fields(text, FIELD, step);
            }
        }
        for (var problem : plan.path("problems")) {
            line(
                    text,
                    "! ",
                    problem.path("kind").asText().toLowerCase(Locale.ROOT) + " "
                            + problem.path("key").asText() + ": "
                            + problem.path("message").asText());
        }
        return text.append(count(plan, "CREATE"))
                .append(" created, ")
                .append(count(plan, "UPDATE"))
                .append(" changed, ")
                .append(count(plan, "DELETE"))
                .append(" deleted\n")
                .toString();
    }

    private static void line(StringBuilder text, String begin, String rest) {
        text.append(begin).append(rest).append('\n');
    }

    private static String named(JsonNode item, String key) {
        return item.path(key).asText() + " \"" + item.path("displayName").asText() + "\"";
    }

    private static void fields(StringBuilder text, String indent, JsonNode item) {
        for (var field : item.path("fields")) {
            line(
                    text,
                    indent,
                    field.path("path").asText() + ": " + shown(field.path("before")) + " -> "
                            + shown(field.path("after")));
        }
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "(none)" : value.toString();
    }

    private static String signOf(JsonNode change) {
        return switch (change.path("action").asText()) {
            case "CREATE", "ADD" -> "+ ";
            case "DELETE", "REMOVE" -> "- ";
            case "MOVE" -> "> ";
            default -> "~ ";
        };
    }

    private static int count(JsonNode plan, String action) {
        var count = 0;
        for (var item : plan.path("items")) {
            count += item.path("action").asText().equals(action) ? 1 : 0;
        }
        return count;
    }
}
