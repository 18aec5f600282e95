package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.base.core.Json;
import java.util.List;

final class NetworkNodes {
    private NetworkNodes() {}

    /** A request with the inputs that the piece always needs. */
    static ObjectNode request(String method, JsonNode url) {
        var input = Json.object().put("method", method);
        input.set("url", url);
        input.putObject("headers");
        input.putObject("queryParams");
        input.put("authType", "NONE");
        input.putObject("authFields");
        input.put("body_type", "none");
        input.putObject("body");
        return input;
    }

    static final class GraphQl implements NodeMapping {
        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var input = Json.object().put("method", node.text("requestMethod").equals("GET") ? "GET" : "POST");
            input.set("url", context.parameters().value("endpoint"));
            var headers = input.putObject("headers");
            for (var pair : node.parameter("headerParametersUi.parameter")) {
                headers.set(
                        context.parameters().value(pair.path("name")).asText("name"),
                        context.parameters().value(pair.path("value")));
            }
            if (!node.text("authentication").isEmpty()
                    && !node.text("authentication").equals("none")) {
                headers.put("Authorization", CredentialNames.secret(context, "httpHeaderAuth"));
            }
            input.putObject("queryParams");
            input.set("query", context.parameters().value("query"));
            if (!node.text("variables").isEmpty()) {
                input.set("variables", context.parameters().value("variables"));
            }
            var step = context.piece("graphql", "0.1.0", "send_request", input);
            context.output(View.one(step.name() + "['output']['body']"));
        }
    }

    static final class Rss implements NodeMapping {
        @Override
        public void translate(NodeContext context) {
            var request = context.piece(
                    "http",
                    "0.11.10",
                    "send_request",
                    request("GET", context.parameters().value("url")));
            var xml = context.piece(
                    "xml",
                    "0.2.0",
                    "convert-xml-to-json",
                    Json.object()
                            .put("xml", "{{" + request.name() + "['output']['body']}}")
                            .put("ignoreAttributes", false));
            context.entry()
                    .near(
                            "the entries have the fields of the feed; isoDate, contentSnippet and author variants are not added");
            var output = xml.name() + "['output']";
            context.output(
                    View.list("[" + output + "?.rss?.channel?.item ?? " + output + "?.feed?.entry ?? []].flat()"));
        }
    }

    static final class Email implements NodeMapping {
        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            if (node.text("operation").equals("sendAndWait")) {
                context.entry().byHand("the mail is sent without waiting for a response");
            }
            var isHtml = node.text("emailFormat").equals("html")
                    || node.text("emailFormat").isEmpty() && !node.text("html").isEmpty();
            var input = Json.object();
            CredentialNames.put(context, input);
            input.set("from", context.parameters().value("fromEmail"));
            input.putArray("to").add(context.parameters().text("toEmail"));
            for (var name : List.of("cc", "bcc")) {
                var holder =
                        node.text("options." + name + "Email").isEmpty() ? name + "Email" : "options." + name + "Email";
                if (!node.text(holder).isEmpty()) {
                    input.putArray(name).add(context.parameters().text(holder));
                }
            }
            if (!node.text("options.replyTo").isEmpty()) {
                input.set("replyTo", context.parameters().value("options.replyTo"));
            }
            input.set("subject", context.parameters().value("subject"));
            input.put("body_type", isHtml ? "html" : "plain_text");
            input.put(
                    "body",
                    context.parameters()
                            .text(isHtml ? "html" : node.text("message").isEmpty() ? "text" : "message"));
            if (!node.text("attachments").isEmpty()
                    || !node.text("options.attachments").isEmpty()) {
                context.entry().byHand("attachments of the item have to be chosen in the step");
            }
            var step = context.piece("smtp", "0.4.0", "send-email", input);
            context.output(View.ofStep(step.name(), false));
        }
    }
}
