package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelTool;
import io.millrace.piece.model.ToolRequest;
import io.millrace.piece.model.ToolSchema;
import io.millrace.workspace.web.WebTool;
import java.util.Locale;

/**
 * A tool as one run has it.
 *
 * @param name by which the model calls it
 * @param source as the author configured it
 * @param remoteName name at its MCP server; null for other tools
 */
record AgentTool(String name, String description, ToolSchema schema, Kind kind, ObjectNode source, String remoteName) {
    enum Kind {
        PIECE,
        FLOW,
        MCP,
        KNOWLEDGE_BASE,
        /** Web tool of the platform: searches and reads pages. */
        WEB
    }

    /** Kind of an unknown tool in results (contract flows-and-engine 27.3). */
    private static final String UNKNOWN = "UNKNOWN";

    private static final int NAME_LENGTH_MAX = 53;
    private static final int HASH_LENGTH = 6;
    private static final int HASH_START = 5381;
    private static final int HASH_FACTOR = 33;

    ModelTool forModel() {
        return new ModelTool(name, description, schema.schema());
    }

    /** A call under the original keys of its arguments. */
    ToolRequest restored(ToolRequest call) {
        return new ToolRequest(call.id(), call.name(), schema.restored(call.arguments()), call.problem());
    }

    /** Converts any text into a tool name that models accept (contract flows-and-engine 27.2). */
    static String nameOf(String wanted) {
        var plain = wanted.toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9_-]", "_")
                .replaceAll("_+", "_")
                .replaceAll("^_|_$", "");
        return plain.substring(0, Math.min(plain.length(), NAME_LENGTH_MAX)) + "_" + hash(plain) + "_mcp";
    }

    String shownName() {
        var given = source.path("toolName").asText(name);
        return remoteName == null ? given : given + "/" + remoteName;
    }

    /** Renames a tool of a server to include the position of the server (contract agents 5); other tools are unchanged. */
    AgentTool at(int place) {
        return kind != Kind.MCP
                ? this
                : new AgentTool(
                        nameOf(source.path("toolName").asText() + "_" + place + "_" + remoteName),
                        description,
                        schema,
                        kind,
                        source,
                        remoteName);
    }

    private static String hash(String text) {
        var hash = HASH_START;
        for (var index = 0; index < text.length(); index++) {
            hash = hash * HASH_FACTOR ^ text.charAt(index);
        }
        var digits = "0".repeat(HASH_LENGTH) + Integer.toUnsignedString(hash, Character.MAX_RADIX);
        return digits.substring(digits.length() - HASH_LENGTH);
    }

    static AgentTool of(WebTool tool) {
        var schema = ToolSchemas.object();
        schema.withObjectProperty("properties").putObject(tool.parameter()).put("type", "string");
        schema.withArrayProperty("required").add(tool.parameter());
        return new AgentTool(
                tool.word(),
                tool.description(),
                ToolSchema.of(schema),
                Kind.WEB,
                Json.object().put("displayName", tool.displayName()),
                null);
    }

    /** Returns true if calls of both tools count as calls of one kind (contract agents 5.2). */
    boolean isCountedWith(AgentTool other) {
        return kind == other.kind && (kind != Kind.WEB || name.equals(other.name));
    }

    /** A block of a call, as results show it (contract flows-and-engine 27.3). */
    ObjectNode block() {
        var block = Json.object()
                .put("type", "TOOL_CALL")
                .put("toolCallType", kind.name())
                .put("toolName", name);
        switch (kind) {
            case PIECE -> {
                var piece = source.path("pieceMetadata");
                block.put("pieceName", piece.path("pieceName").asText())
                        .put("pieceVersion", piece.path("pieceVersion").asText())
                        .put("actionName", piece.path("actionName").asText());
            }
            case FLOW ->
                block.put("displayName", source.path("flowDisplayName").asText(name))
                        .put("externalFlowId", source.path("externalFlowId").asText());
            case MCP ->
                block.put("displayName", remoteName)
                        .put("serverUrl", source.path("serverUrl").asText());
            case KNOWLEDGE_BASE ->
                block.put("displayName", source.path("sourceName").asText())
                        .put("sourceType", source.path("sourceType").asText());
            case WEB ->
                block.put("toolCallType", UNKNOWN)
                        .put("displayName", source.path("displayName").asText());
        }
        return block;
    }

    static ObjectNode unknown(String name) {
        return Json.object()
                .put("type", "TOOL_CALL")
                .put("toolCallType", UNKNOWN)
                .put("toolName", name)
                .put("displayName", name);
    }
}
