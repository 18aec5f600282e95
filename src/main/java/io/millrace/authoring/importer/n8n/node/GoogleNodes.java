package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;

/** Google Sheets and the sending of Gmail, which need code around their requests. */
final class GoogleNodes {
    private static final String SHEETS = "https://sheets.googleapis.com/v4/spreadsheets/";

    private GoogleNodes() {}

    /** Rows of a sheet: read, appended and updated by the names of the first row. */
    static final class Sheets implements NodeMapping {
        private static final Set<String> READING = Set.of("read", "lookup", "getall", "readrows", "get");
        private static final Set<String> WRITING = Set.of("append", "update", "appendorupdate", "upsert");
        private static final NodeMapping OTHERS =
                new AppNodes("googlesheets", "googleSheetsOAuth2Api", "sheet", "read");

        @Override
        public void translate(NodeContext context) {
            var operation = context.node().text("operation").toLowerCase(Locale.ROOT);
            var chosen = operation.isEmpty() ? "read" : operation;
            var isSheet = !context.node().text("resource").equals("spreadsheet");
            if (isSheet && READING.contains(chosen)) {
                read(context);
            } else if (isSheet && WRITING.contains(chosen)) {
                write(context, chosen);
            } else {
                OTHERS.translate(context);
            }
        }

        private static String values(NodeContext context, String range) {
            return SHEETS + "{{encodeURIComponent("
                    + context.parameters().operand(AppNodes.parameter(context, "documentId,sheetId")) + ")}}/values/"
                    + range;
        }

        private static String range(NodeContext context) {
            var raw = AppNodes.parameter(context, "sheetName,range");
            var cached = context.node().parameter("sheetName.cachedResultName");
            var isId = context.node().text("sheetName.mode").equals("list") && cached.isTextual();
            return isId
                    ? context.parameters().operand(cached)
                    : context.parameters().operand(raw.isMissingNode() ? TextNode.valueOf("Sheet1") : raw);
        }

        private static String request(NodeContext context, String method, String url, JsonNode body, String token) {
            var input = NetworkNodes.request(method, TextNode.valueOf(url)).put("authType", "BEARER_TOKEN");
            input.withObject("/authFields").put("token", token);
            if (!body.isMissingNode()) {
                input.put("body_type", "json").putObject("body").set("data", body);
                input.withObject("/queryParams").put("valueInputOption", "USER_ENTERED");
            }
            return context.piece("http", "0.11.10", "send_request", input).name();
        }

        private static void read(NodeContext context) {
            var token = CredentialNames.secret(context, "googleSheetsOAuth2Api");
            var url = values(context, "{{encodeURIComponent(" + range(context) + ")}}");
            var rows = request(context, "GET", url, MissingNode.getInstance(), token);
            var filters = new ArrayList<String>();
            for (var filter : context.node().parameter("filtersUI.values")) {
                filters.add("[" + context.parameters().operand(filter.path("lookupColumn")) + ", "
                        + context.parameters().operand(filter.path("lookupValue")) + "]");
            }
            if (!context.node().text("lookupColumn").isEmpty()) {
                filters.add("[" + context.parameters().operand(context.node().parameter("lookupColumn")) + ", "
                        + context.parameters().operand(context.node().parameter("lookupValue")) + "]");
            }
            var more = Json.object().put("rows", "{{" + rows + "['output']['body']['values']}}");
            more.put("filters", NodeContext.token("[" + String.join(", ", filters) + "]"));
            var step = context.code("""
                    const [names = [], ...rows] = Array.isArray(inputs.rows) ? inputs.rows : [];
                    return rows
                      .map((row, index) => ({ row_number: index + 2, ...Object.fromEntries(names.map((name, column) => [name, row[column] ?? ''])) }))
                      .filter((row) => inputs.filters.every(([name, value]) => String(row[name]) === String(value)));""", more);
            context.entry()
                    .near("the first row of the sheet has the names; values are texts as the interface returns them");
            context.output(View.ofStep(step.name(), true));
        }

        /** Reads the sheet, finds the row and writes it as a whole. */
        private static void write(NodeContext context, String operation) {
            var token = CredentialNames.secret(context, "googleSheetsOAuth2Api");
            var sheet = range(context);
            var url = values(context, "{{encodeURIComponent(" + sheet + ")}}");
            var fields = Json.object();
            for (var field : context.node().parameter("fieldsUi.values").isArray()
                    ? context.node().parameter("fieldsUi.values")
                    : context.node().parameter("fieldsUi.fieldValues")) {
                fields.set(
                        field.path("column").asText(field.path("fieldId").asText()),
                        context.parameters().value(field.path("fieldValue")));
            }
            var columns = fields.isEmpty() ? AppFields.columns(context) : fields;
            var matching = Json.array();
            for (var name : context.node().parameter("columns.matchingColumns")) {
                matching.add(name.asText());
            }
            for (var name : new String[] {"columnToMatchOn", "key"}) {
                if (!context.node().text(name).isEmpty()) {
                    matching.add(context.parameters().text(name));
                }
            }
            var rows = request(context, "GET", url, MissingNode.getInstance(), token);
            var more = Json.object().put("rows", "{{" + rows + "['output']['body']['values'] ?? []}}");
            more.put("sheet", NodeContext.token(sheet)).put("operation", operation);
            more.set("columns", columns);
            more.set("matching", matching);
            var row = context.code("""
                    const rows = Array.isArray(inputs.rows) ? inputs.rows : [];
                    const names = rows[0] ?? Object.keys(inputs.columns);
                    const matching = inputs.operation === 'append' ? [] : inputs.matching;
                    const found = matching.length === 0 ? -1 : rows.findIndex((row, index) => index > 0
                      && matching.every((name) => String(row[names.indexOf(name)] ?? '') === String(inputs.columns[name] ?? '')));
                    if (inputs.operation === 'update' && found < 0) throw new Error('no row of the sheet matches the values of ' + matching.join(', '));
                    const old = found < 0 ? [] : rows[found];
                    const values = names.map((name, index) => (name in inputs.columns ? inputs.columns[name] : old[index] ?? ''));
                    const number = found < 0 ? Math.max(rows.length, 1) + 1 : found + 1;
                    return { range: inputs.sheet.split('!')[0] + '!A' + number, values: rows.length === 0 ? [names, values] : [values], columns: inputs.columns,
                      start: rows.length === 0 ? inputs.sheet.split('!')[0] + '!A1' : inputs.sheet.split('!')[0] + '!A' + number };""", more);
            var body = Json.object().put("values", "{{" + row.name() + "['output']['values']}}");
            request(
                    context,
                    "PUT",
                    values(context, "{{encodeURIComponent(" + row.name() + "['output']['start'])}}"),
                    body,
                    token);
            context.entry()
                    .near(
                            "the row is written as a whole after the sheet was read; two runs at the same time can write the same row");
            context.output(View.one(row.name() + "['output']['columns']"));
        }
    }

    static final class Gmail implements NodeMapping {
        private static final NodeMapping OTHERS = new AppNodes("gmail", "gmailOAuth2", "message", "send");
        private static final Set<String> SENDING = Set.of("send", "reply", "create", "sendandwait");

        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var operation = node.text("operation").isEmpty()
                    ? "send"
                    : node.text("operation").toLowerCase(Locale.ROOT);
            var resource = node.text("resource").isEmpty() ? "message" : node.text("resource");
            if (!SENDING.contains(operation) || resource.equals("label")) {
                OTHERS.translate(context);
                return;
            }
            var token = CredentialNames.secret(context, "gmailOAuth2");
            var more = Json.object();
            more.put("to", context.parameters().text(node.text("sendTo").isEmpty() ? "toList" : "sendTo"));
            more.put("subject", context.parameters().text("subject"));
            more.put("body", context.parameters().text("message"));
            more.put(
                    "cc",
                    context.parameters()
                            .text(
                                    node.text("options.ccList").isEmpty()
                                            ? "additionalFields.ccList"
                                            : "options.ccList"));
            more.put(
                    "bcc",
                    context.parameters()
                            .text(
                                    node.text("options.bccList").isEmpty()
                                            ? "additionalFields.bccList"
                                            : "options.bccList"));
            more.put("type", node.text("emailType").equals("text") ? "text/plain" : "text/html");
            var raw = context.code("""
                    const header = (name, value) => (value ? [name + ': ' + String(value).replaceAll(/[\\r\\n]+/g, ' ')] : []);
                    const encoded = (text) => '=?UTF-8?B?' + $ext(text, 'base64Encode') + '?=';
                    const lines = [
                      ...header('To', inputs.to), ...header('Cc', inputs.cc), ...header('Bcc', inputs.bcc),
                      ...header('Subject', encoded(String(inputs.subject ?? ''))), 'MIME-Version: 1.0',
                      'Content-Type: ' + inputs.type + '; charset=UTF-8', 'Content-Transfer-Encoding: base64', '', $ext(String(inputs.body ?? ''), 'base64Encode'),
                    ];
                    return { raw: $ext(lines.join('\\r\\n'), 'base64Encode').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') };""", more);
            var isDraft = resource.equals("draft");
            var message = Json.object().put("raw", "{{" + raw.name() + "['output']['raw']}}");
            if (operation.equals("reply") && !isDraft) {
                message.put(
                        "threadId",
                        context.parameters().text(node.text("threadId").isEmpty() ? "messageId" : "threadId"));
            }
            var input = NetworkNodes.request(
                            "POST",
                            TextNode.valueOf("https://gmail.googleapis.com/gmail/v1/users/me/"
                                    + (isDraft ? "drafts" : "messages/send")))
                    .put("authType", "BEARER_TOKEN")
                    .put("body_type", "json");
            input.withObject("/authFields").put("token", token);
            input.withObject("/body").set("data", isDraft ? Json.object().set("message", message) : message);
            context.piece("http", "0.11.10", "send_request", input);
            context.entry().near("attachments and the signature of n8n are not sent");
            if (operation.equals("sendandwait")) {
                context.entry().byHand("the mail is sent without waiting for a response");
            }
            context.output(View.one(context.outcome().main().name() + "['output']['body']"));
        }
    }
}
