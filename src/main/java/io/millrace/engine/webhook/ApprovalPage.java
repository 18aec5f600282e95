package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.http.page.Html;
import io.millrace.engine.run.Approvals;

/**
 * Content of the page of a personal link: the message, the data that the author chose, the decisions so far, and the form.
 *
 * @param email approver of the link
 * @param project name of the flow's project; may be empty
 */
record ApprovalPage(Approvals.Task task, String email, String project) {
    /** Prefix of the names of form fields, which separates them from the names of the page. */
    static final String FIELD = "field.";

    private static final int MESSAGE_LENGTH_MAX = 20_000;
    private static final int NAME_LENGTH_MAX = 200;
    private static final int VALUE_LENGTH_MAX = 5_000;

    /** @param problem refusal of the last attempt; may be empty */
    String html(String problem) {
        var page = new StringBuilder("<p class=\"message\">")
                .append(shown(task.shown().path("message"), MESSAGE_LENGTH_MAX))
                .append("</p>")
                .append(data());
        page.append("<p>You decide as <strong>").append(Html.escape(email)).append("</strong>");
        if (!project.isEmpty()) {
            page.append(" for the project <strong>")
                    .append(Html.escape(project))
                    .append("</strong>");
        }
        page.append(". ").append(progress()).append("</p>");
        if (!problem.isEmpty()) {
            page.append("<p class=\"refused\" role=\"alert\">")
                    .append(Html.escape(problem))
                    .append("</p>");
        }
        return page.append("<form class=\"approval\" method=\"post\">")
                .append(fields())
                .append("<label>Comment<textarea name=\"comment\" rows=\"3\" maxlength=\"2000\"></textarea></label>")
                .append(
                        "<div class=\"decisions\"><button class=\"primary\" name=\"decision\" value=\"APPROVED\">Approve")
                .append(
                        "</button><button name=\"decision\" value=\"DECLINED\" formnovalidate>Decline</button></div></form>")
                .toString();
    }

    private String progress() {
        var approved = task.count(Approvals.Verdict.APPROVED);
        var declined = task.count(Approvals.Verdict.DECLINED);
        return approved + " of " + task.approvalsNeeded() + " approvals, " + declined + " of " + task.declinesNeeded()
                + " declines so far.";
    }

    private String data() {
        var rows = new StringBuilder();
        task.shown()
                .path("data")
                .properties()
                .forEach(field -> rows.append("<dt>")
                        .append(Html.escape(ShownText.of(field.getKey(), NAME_LENGTH_MAX)))
                        .append("</dt><dd>")
                        .append(shown(field.getValue(), VALUE_LENGTH_MAX))
                        .append("</dd>"));
        return rows.isEmpty() ? "" : "<dl>" + rows + "</dl>";
    }

    private static String shown(JsonNode value, int lengthMax) {
        var text = value.isContainerNode() ? Json.text(value) : value.asText();
        return Html.escape(ShownText.of(text, lengthMax));
    }

    private String fields() {
        var html = new StringBuilder();
        for (var field : task.shown().path("fields")) {
            var label = Html.escape(field.path("displayName").asText());
            var name = " name=\"" + Html.escape(FIELD + field.path("name").asText()) + "\"";
            var required = field.path("required").asBoolean() ? " required" : "";
            html.append(
                    switch (field.path("type").asText()) {
                        case "toggle" ->
                            "<label class=\"toggle\"><input type=\"checkbox\" value=\"true\"" + name + ">" + label
                                    + "</label>";
                        case "text_area" ->
                            "<label>" + label + "<textarea rows=\"4\"" + name + required + "></textarea></label>";
                        case "number" ->
                            "<label>" + label + "<input type=\"number\" step=\"any\"" + name + required + "></label>";
                        case "date" -> "<label>" + label + "<input type=\"date\"" + name + required + "></label>";
                        default -> "<label>" + label + "<input type=\"text\"" + name + required + "></label>";
                    });
        }
        return html.toString();
    }
}
