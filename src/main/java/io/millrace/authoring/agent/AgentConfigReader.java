package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.workspace.aiprovider.AiVendor;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses an agent's instructions and tools (contract agents 1.3, 5; flows-and-engine 27.2). */
public final class AgentConfigReader {
    public static final int INSTRUCTIONS_LENGTH_MAX = 51_200;
    public static final int TOOLS_MAX = 100;
    public static final int FIELDS_MAX = 50;
    public static final int STEPS_DEFAULT = 20;
    public static final int STEPS_MAX = 1_000;

    private static final int TEXT_LENGTH_MAX = 128_000;
    private static final int MODEL_LENGTH_MAX = 200;
    private static final Pattern SERVER_URL = Pattern.compile("https?://.{1,2000}");
    private static final Pattern FIELD_TYPE = Pattern.compile("text|number|boolean");
    private static final List<String> PROTOCOLS = List.of("sse", "streamable-http", "http");
    private static final List<String> AUTH_TYPES = List.of("none", "access_token", "api_key", "headers");
    private static final List<String> FIELD_MODES = List.of("agent-decide", "choose-yourself", "leave-empty");

    private AgentConfigReader() {}

    public static ObjectNode read(Fields config) {
        var named = config.orNull();
        var read = Json.object();
        read.put(
                "instructions",
                config.isAbsent("instructions") ? "" : config.text("instructions", 0, INSTRUCTIONS_LENGTH_MAX));
        read.put("provider", provider(named, "provider").orElse(null));
        read.put("providerConfigId", named.optionalText("providerConfigId").orElse(null));
        read.put("modelName", named.isAbsent("modelName") ? null : named.text("modelName", 1, MODEL_LENGTH_MAX));
        read.put("maxSteps", config.optionalInteger("maxSteps", 1, STEPS_MAX).orElse(STEPS_DEFAULT));
        read.set("tools", tools(config, "tools"));
        read.set("structuredOutput", structuredOutput(config, "structuredOutput"));
        read.setAll(AgentSpendingReader.read(config));
        if (Json.text(read).length() > TEXT_LENGTH_MAX) {
            config.refuse("tools", "Too big: expected a config of at most " + TEXT_LENGTH_MAX + " characters");
        }
        return read;
    }

    public static Optional<String> provider(Fields holder, String name) {
        var word = holder.optionalText(name);
        if (word.isPresent() && AiVendor.of(word.get()).isEmpty()) {
            holder.refuse(name, "Invalid option: expected one of " + AiVendor.options());
        }
        return word;
    }

    public static ArrayNode tools(Fields holder, String name) {
        var tools = list(holder, name, TOOLS_MAX);
        for (var index = 0; index < tools.size(); index++) {
            check(holder.element(name, index, tools.get(index)).orNull());
        }
        return tools;
    }

    public static ArrayNode structuredOutput(Fields holder, String name) {
        var fields = list(holder, name, FIELDS_MAX);
        for (var index = 0; index < fields.size(); index++) {
            var field = holder.element(name, index, fields.get(index)).orNull();
            field.text("displayName", 1, Fields.NAME_LENGTH_MAX);
            field.optionalText("description");
            field.text("type", FIELD_TYPE);
        }
        return fields;
    }

    private static ArrayNode list(Fields holder, String name, int max) {
        if (holder.isAbsent(name)) {
            return Json.array();
        }
        var items = holder.array(name);
        if (items.size() > max) {
            holder.refuse(name, "Too big: expected array to have <=" + max + " items");
            return Json.array();
        }
        return items;
    }

    private static void check(Fields tool) {
        tool.text("toolName", 1, Fields.NAME_LENGTH_MAX);
        switch (tool.text("type")) {
            case "PIECE" -> checkPiece(tool.inner("pieceMetadata"));
            case "FLOW" -> tool.text("externalFlowId", 1, Fields.NAME_LENGTH_MAX);
            case "MCP" -> checkServer(tool);
            case "KNOWLEDGE_BASE" -> {
                tool.text("sourceType", Pattern.compile("FILE|TABLE"));
                tool.text("sourceId", 1, Fields.NAME_LENGTH_MAX);
                tool.text("sourceName");
            }
            case String _ ->
                tool.refuse("type", "Invalid option: expected one of \"PIECE\"|\"FLOW\"|\"MCP\"|\"KNOWLEDGE_BASE\"");
        }
    }

    private static void checkPiece(Fields piece) {
        piece.text("pieceName", 1, Fields.NAME_LENGTH_MAX);
        piece.text("pieceVersion", 1, Fields.NAME_LENGTH_MAX);
        piece.text("actionName", 1, Fields.NAME_LENGTH_MAX);
        var fields = piece.raw("predefinedInput").path("fields");
        fields.properties().forEach(field -> {
            if (!FIELD_MODES.contains(field.getValue().path("mode").asText(""))) {
                piece.refuse(
                        "predefinedInput/fields/" + field.getKey() + "/mode",
                        "Invalid option: expected one of \"agent-decide\"|\"choose-yourself\"|\"leave-empty\"");
            }
        });
    }

    private static void checkServer(Fields tool) {
        tool.text("serverUrl", SERVER_URL);
        if (!PROTOCOLS.contains(tool.text("protocol"))) {
            tool.refuse("protocol", "Invalid option: expected one of \"sse\"|\"streamable-http\"|\"http\"");
        }
        var auth = tool.inner("auth");
        if (!AUTH_TYPES.contains(auth.text("type"))) {
            auth.refuse("type", "Invalid option: expected one of \"none\"|\"access_token\"|\"api_key\"|\"headers\"");
        }
    }

    /** The same config without the secrets of its tools (contract agents 1.3). */
    static ObjectNode withoutSecrets(ObjectNode config) {
        var shown = config.deepCopy();
        for (var tool : shown.path("tools")) {
            if (tool.path("auth") instanceof ObjectNode auth) {
                auth.retain("type");
            }
        }
        return shown;
    }

    /** Restores the secrets of tools that a client sends back masked. */
    static ObjectNode withSecretsOf(ObjectNode before, ObjectNode config) {
        for (var tool : config.path("tools")) {
            if (tool instanceof ObjectNode changed && isCut(tool.path("auth"))) {
                before.path("tools")
                        .valueStream()
                        .filter(old -> old.path("toolName").equals(tool.path("toolName"))
                                && old.path("serverUrl").equals(tool.path("serverUrl"))
                                && old.at("/auth/type").equals(tool.at("/auth/type")))
                        .findFirst()
                        .ifPresent(old -> changed.set("auth", old.get("auth")));
            }
        }
        return config;
    }

    private static boolean isCut(JsonNode auth) {
        return auth.size() == 1 && !auth.path("type").asText("none").equals("none");
    }
}
