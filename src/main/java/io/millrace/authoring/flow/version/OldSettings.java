package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.regex.Pattern;

/** Migrates the settings of one step to the current form (contract flows-and-engine 2.14, "earlier steps"). */
final class OldSettings {
    private static final int CONNECTIONS_ARE_INDEXED = 2;
    private static final int WEBHOOK_ANSWERS = 6;
    private static final int PROPERTY_SETTINGS = 7;

    private static final String PIECE_NAME = "pieceName";
    private static final String PIECE_VERSION = "pieceVersion";
    private static final String PROPERTIES = "propertySettings";
    private static final String UI_INFO = "inputUiInfo";
    private static final String AUTH = "auth";

    private static final Pattern DOTTED_CONNECTION =
            Pattern.compile("\\{\\{\\s*+connections\\.([^\\s{}\\[\\]'\".]++)\\s*+}}");

    private OldSettings() {}

    /** A copy; unchanged parts are shared. */
    static ObjectNode upgraded(ObjectNode old, int schemaVersion) {
        var settings = Json.object();
        old.properties().forEach(field -> settings.set(field.getKey(), field.getValue()));
        if (schemaVersion < CONNECTIONS_ARE_INDEXED) {
            indexConnection(settings);
        }
        if (schemaVersion < WEBHOOK_ANSWERS) {
            answerByWebhook(settings);
        }
        if (schemaVersion < PROPERTY_SETTINGS) {
            splitUiInfo(settings);
        }
        var version = settings.path(PIECE_VERSION).asText("");
        if (version.startsWith("~") || version.startsWith("^")) {
            settings.put(PIECE_VERSION, version.substring(1));
        }
        return settings;
    }

    /**
     * Older versions indexed a connection in the dotted form too; the current index contains the bracket form only
     * (2.13).
     */
    private static void indexConnection(ObjectNode settings) {
        var dotted = DOTTED_CONNECTION.matcher(settings.path("input").path(AUTH).asText(""));
        if (dotted.matches()) {
            var input = copy(settings.get("input"));
            input.put(AUTH, "{{connections['" + dotted.group(1) + "']}}");
            settings.set("input", input);
        }
    }

    /** Migrates the former response action of the HTTP piece to that of the webhook piece. */
    private static void answerByWebhook(ObjectNode settings) {
        if (!settings.path(PIECE_NAME).asText().equals("@activepieces/piece-http")
                || !settings.path("actionName").asText().equals("return_response")) {
            return;
        }
        var old = settings.path("input");
        var fields = Json.object();
        var body = old.path("body");
        if (body.isContainerNode()) {
            fields.set("body", body.has("data") ? body.get("data") : body);
        }
        for (var name : List.of("status", "headers")) {
            if (old.hasNonNull(name)) {
                fields.set(name, old.get(name));
            }
        }
        var input = Json.object()
                .put("respond", "stop")
                .put("responseType", old.path("body_type").asText("json"));
        input.set("fields", fields);
        settings.put(PIECE_NAME, "@activepieces/piece-webhook").put(PIECE_VERSION, "0.1.20");
        settings.set("input", input);
    }

    /** Splits the editor's combined field into property settings, logo and samples. */
    private static void splitUiInfo(ObjectNode settings) {
        var uiInfo = settings.path(UI_INFO);
        var customized = uiInfo.path("customizedInputs");
        if (settings.has(PIECE_NAME) && !settings.has(PROPERTIES)) {
            var properties = settings.putObject(PROPERTIES);
            settings.path("input").fieldNames().forEachRemaining(name -> {
                var isDynamic = isTrue(customized.path(name));
                var property = properties.putObject(name).put("type", isDynamic ? "DYNAMIC" : "MANUAL");
                if (settings.path("schema").has(name)) {
                    property.set("schema", settings.get("schema").get(name));
                }
            });
        }
        if (customized.path("logoUrl").isTextual() && !settings.hasNonNull("customLogoUrl")) {
            settings.set("customLogoUrl", customized.get("logoUrl"));
        }
        var samples = Json.object();
        for (var name : List.of("sampleDataFileId", "sampleDataInputFileId", "lastTestDate")) {
            if (uiInfo.path(name).isTextual()) {
                samples.set(name, uiInfo.get(name));
            }
        }
        if (!samples.isEmpty() && !settings.has("sampleData")) {
            settings.set("sampleData", samples);
        }
        settings.remove(List.of(UI_INFO, "schema"));
    }

    /** Returns whether JavaScript treats the value as true. */
    private static boolean isTrue(JsonNode value) {
        return value.isContainerNode()
                || value.asBoolean(value.isTextual() && !value.textValue().isEmpty());
    }

    private static ObjectNode copy(JsonNode object) {
        var copy = Json.object();
        object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        return copy;
    }
}
