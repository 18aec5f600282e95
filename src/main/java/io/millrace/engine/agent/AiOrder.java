package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.agent.AgentConfigReader;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Request for an action of the AI piece (contract agents 3.1).
 *
 * @param waitpointId waitpoint that is completed with the result; empty when the caller waits for it
 * @param props properties of the action, without its files
 * @param conversation so far; empty when none is kept
 */
record AiOrder(
        String action,
        String flowId,
        String flowRunId,
        Optional<String> waitpointId,
        ObjectNode props,
        Optional<ArrayNode> conversation,
        List<GivenFile> files) {
    static final List<String> ACTIONS =
            List.of("askAi", "summarizeText", "classifyText", "extractStructuredData", "generateImage");

    private static final int FILES_MAX = 20;
    private static final int CONVERSATION_MAX = 1_000;
    private static final int OUTPUT_TOKENS_MAX = 1_000_000;
    private static final double TEMPERATURE_MAX = 2;
    private static final double CREATIVITY_PER_TEMPERATURE = 100;
    private static final Pattern MODE = Pattern.compile("simple|advanced");
    private static final Pattern ROLE = Pattern.compile("user|assistant");

    record GivenFile(String fileId, Optional<String> fileName) {}

    static AiOrder read(Input input) {
        var body = input.body();
        var action = body.text("action");
        if (body.raw("action").isTextual() && !ACTIONS.contains(action)) {
            body.refuse("action", "Invalid option: expected one of \"" + String.join("\"|\"", ACTIONS) + '"');
        }
        var props = Json.object();
        readModel(body, props);
        body.optionalText("prompt").ifPresent(text -> props.put("prompt", text));
        body.optionalText("text").ifPresent(text -> props.put("text", text));
        body.optionalTexts("categories").ifPresent(texts -> texts.forEach(props.putArray("categories")::add));
        body.optionalObject("advancedOptions").ifPresent(options -> props.set("advancedOptions", options));
        readSchema(body, props);
        readSearch(body, props);
        return new AiOrder(
                action,
                body.text("flowId"),
                body.text("flowRunId"),
                body.optionalText("waitpointId"),
                props,
                conversation(body),
                files(body));
    }

    private static void readModel(Fields body, ObjectNode props) {
        var provider = props.putObject("provider");
        AgentConfigReader.provider(body, "provider").ifPresent(name -> provider.put("provider", name));
        body.optionalText("providerConfigId").ifPresent(id -> provider.put("configId", id));
        body.optionalText("modelId").ifPresent(id -> props.put("model", id));
        body.optionalInteger("maxOutputTokens", 1, OUTPUT_TOKENS_MAX)
                .ifPresent(most -> props.put("maxOutputTokens", most));
        if (!body.isAbsent("temperature")) {
            var temperature = body.raw("temperature");
            if (!temperature.isNumber() || temperature.asDouble() < 0 || temperature.asDouble() > TEMPERATURE_MAX) {
                body.refuse("temperature", "Invalid input: expected a number from 0 to 2");
            }
            props.put("creativity", temperature.asDouble() * CREATIVITY_PER_TEMPERATURE);
        }
    }

    private static void readSchema(Fields body, ObjectNode props) {
        if (!body.isAbsent("schema")) {
            var schema = body.inner("schema");
            props.put("mode", schema.text("mode", MODE));
            props.putObject("schema").set("fields", schema.raw("fields"));
        }
    }

    private static void readSearch(Fields body, ObjectNode props) {
        if (!body.isAbsent("webSearch")) {
            var search = body.inner("webSearch");
            props.put("webSearch", search.flag("enabled"));
            search.optionalObject("options").ifPresent(options -> props.set("webSearchOptions", options));
        }
    }

    private static Optional<ArrayNode> conversation(Fields body) {
        if (body.isAbsent("conversation")) {
            return Optional.empty();
        }
        var messages = list(body, "conversation", CONVERSATION_MAX);
        for (var index = 0; index < messages.size(); index++) {
            var message = body.element("conversation", index, messages.get(index));
            message.text("role", ROLE);
            message.text("content");
        }
        return Optional.of(messages);
    }

    private static List<GivenFile> files(Fields body) {
        var files = new ArrayList<GivenFile>();
        if (!body.isAbsent("files")) {
            var given = list(body, "files", FILES_MAX);
            for (var index = 0; index < given.size(); index++) {
                var file = body.element("files", index, given.get(index)).orNull();
                file.optionalText("mimeType");
                files.add(new GivenFile(file.text("fileId"), file.optionalText("filename")));
            }
        }
        return files;
    }

    private static ArrayNode list(Fields body, String name, int max) {
        var items = body.array(name);
        if (items.size() > max) {
            body.refuse(name, "Too big: expected array to have <=" + max + " items");
            return Json.array();
        }
        return items;
    }
}
