package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.expression.View;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import io.millrace.base.core.Json;
import io.millrace.piece.builtin.webhook.FormTrigger;
import java.util.Map;

final class TriggerNodes {
    private static final String OUTPUT = "trigger['output']";

    private TriggerNodes() {}

    interface Trigger extends NodeMapping {
        @Override
        default Level level(WorkflowNode node) {
            return Level.ANY;
        }

        @Override
        default boolean isTrigger() {
            return true;
        }
    }

    static void manual(NodeContext context) {
        context.trigger("manual-trigger", "0.1.0", "manual_trigger", Json.object());
        context.output(View.one(OUTPUT));
    }

    static void webhook(NodeContext context, View view) {
        var input = Json.object().put("authType", "none");
        input.putObject("authFields");
        context.trigger("webhook", "0.1.29", "catch_webhook", input);
        context.output(view);
    }

    /** {@code $json} of a webhook: names of n8n over the names of this server. */
    private static View request() {
        return new View(
                OUTPUT,
                false,
                Map.of("query", OUTPUT + "['queryParams']", "params", "({ })", "executionMode", "'production'"));
    }

    static final class Webhook implements Trigger {
        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            webhook(context, request());
            var entry = context.entry();
            var path = node.text("path");
            entry.near("the address is the one of the flow instead of the path \"" + path + "\"");
            if (path.contains(":")) {
                entry.byHand("parameters in the path are not read; use the query");
            }
            var authentication = node.text("authentication");
            if (!authentication.isEmpty() && !authentication.equals("none")) {
                entry.byHand("authentication \"" + authentication
                        + "\": enter the values of the credential in the trigger, which accepts every call until then");
            }
            var mode = node.text("responseMode");
            if (!mode.equals("responseNode") && !mode.equals("onReceived") && !mode.isEmpty()) {
                entry.near("the response of the last node needs a step Return Response at the end");
            }
            entry.near("a caller that waits for the response calls the address with /sync");
        }
    }

    static final class Manual implements Trigger {
        @Override
        public void translate(NodeContext context) {
            manual(context);
        }
    }

    static final class ErrorTrigger implements Trigger {
        @Override
        public void translate(NodeContext context) {
            webhook(context, View.one(OUTPUT + "['body']"));
            context.entry()
                    .near(
                            "a flow has no error workflow: send the event flow.run.failed to this flow's address by an event"
                                    + " destination, or use an alert");
        }
    }

    /** A call by another workflow. */
    static final class Called implements Trigger {
        @Override
        public void translate(NodeContext context) {
            var input = Json.object().put("mode", "simple");
            var sample = input.putObject("exampleData").putObject("sampleData");
            for (var field : context.node().parameter("workflowInputs.values")) {
                sample.put(field.path("name").asText("input"), "");
            }
            context.trigger("subflows", "0.6.3", "callableFlow", input);
            context.output(View.one(OUTPUT + "['data']"));
        }
    }

    static final class ModelCall implements Trigger {
        @Override
        public void translate(NodeContext context) {
            var input = context.node().parameterObject().deepCopy().put("returnsResponse", true);
            context.trigger("mcp", "0.1.0", "mcp_tool", input);
            context.output(View.one(OUTPUT));
        }
    }

    static final class Form implements Trigger {
        private static final Map<String, String> TYPES =
                Map.of("textarea", "text_area", "file", "file", "checkbox", "toggle");

        @Override
        public void translate(NodeContext context) {
            var node = context.node();
            var input = Json.object()
                    .put("waitForResponse", !node.text("responseMode").equals("onReceived"));
            var fields = input.putArray("inputs");
            for (var field : node.parameter("formFields.values")) {
                var type = field.path("fieldType").asText("text");
                if (type.equals("html") || type.equals("hiddenField")) {
                    context.entry().near("the form shows no field of the type " + type);
                    continue;
                }
                if (type.equals("dropdown") || type.equals("date") || type.equals("number") || type.equals("email")) {
                    context.entry().near("the field of the type " + type + " is a text field");
                }
                var label = field.path("fieldLabel").asText(field.path("label").asText("Field " + (fields.size() + 1)));
                fields.addObject()
                        .put("displayName", label)
                        .put("type", TYPES.getOrDefault(type, "text"))
                        .put("description", field.path("placeholder").asText(""))
                        .put("required", field.path("requiredField").asBoolean(false));
            }
            if (fields.isEmpty()) {
                fields.addObject()
                        .put("displayName", "Message")
                        .put("type", "text")
                        .put("description", "")
                        .put("required", false);
            }
            context.trigger("forms", "0.5.0", "form_submission", input);
            context.entry().near("names of fields in the output begin with a small letter and have no spaces");
            context.output(formView(fields));
        }

        private static View formView(JsonNode fields) {
            var view = View.one(OUTPUT);
            for (var field : fields) {
                var label = field.path("displayName").asText();
                view = view.with(
                        label,
                        OUTPUT + "['"
                                + FormTrigger.keyOf(label).replace("\\", "").replace("'", "") + "']");
            }
            return view;
        }
    }

    static final class Chat implements Trigger {
        @Override
        public void translate(NodeContext context) {
            var input = Json.object().put("botName", context.displayName(""));
            context.trigger("forms", "0.5.0", "chat_submission", input);
            context.output(
                    View.one(OUTPUT).with("chatInput", OUTPUT + "['message']").with("action", "'sendMessage'"));
        }
    }

    record CallingApp(String app, boolean isBody) implements Trigger {
        @Override
        public void translate(NodeContext context) {
            webhook(context, isBody ? View.one(OUTPUT + "['body']") : request());
            context.entry().near(app + " has to call the address of the flow: register it there; n8n did so by itself");
        }
    }

    record PolledApp(String piece, String version, String trigger) implements Trigger {
        @Override
        public void translate(NodeContext context) {
            var input = Json.object();
            CredentialNames.put(context, input);
            context.trigger(piece, version, trigger, input);
            context.entry()
                    .near("needs the package @activepieces/piece-" + piece
                            + " and its settings; its items have other fields");
            context.output(View.one(OUTPUT));
        }
    }

    static final class Unknown implements Trigger {
        @Override
        public void translate(NodeContext context) {
            manual(context);
            GapStep.add(
                    context,
                    "the trigger \"" + context.node().type() + "\" has no equivalent: the flow starts by hand");
            context.output(View.one(OUTPUT));
            context.entry().setStep("trigger");
        }
    }
}
