package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * A tool that clients can call. A call is executed after the authorization for the project and the validation of its
 * arguments.
 */
public record Tool(ToolSpec spec, Origin origin, Function<Use, Future<ToolResult>> action) {
    /** Group of a tool, by which servers choose their tools. */
    public sealed interface Origin {
        record FlowOrigin(String flowId) implements Origin {}

        record TablesOrigin() implements Origin {}

        record PlatformOrigin() implements Origin {}
    }

    Tool(ToolSpec spec, Function<Use, Future<ToolResult>> action) {
        this(spec, new Origin.PlatformOrigin(), action);
    }

    /**
     * One call.
     *
     * @param serverId MCP server of the project
     * @param arguments as the tool's input describes them
     * @param cancellation request of the client to end the call
     */
    public record Use(
            Principal by, String projectId, String serverId, ObjectNode arguments, CallCancellation cancellation) {
        String text(String name) {
            return arguments.path(name).asText("");
        }
    }

    static Tool of(
            Permission permission,
            String name,
            String title,
            String description,
            ToolInput input,
            ToolSpec.Effect effect,
            Function<Use, Future<ToolResult>> action) {
        return new Tool(new ToolSpec(name, title, description, input, permission, effect), action);
    }

    Tool in(Origin other) {
        return new Tool(spec, other, action);
    }

    public String name() {
        return spec.name();
    }

    public ObjectNode toListing(boolean enabled) {
        var json = Json.object()
                .put("name", spec.name())
                .put("title", spec.title())
                .put("description", spec.description())
                .put("effect", spec.effect().name())
                .put("enabled", enabled);
        return switch (origin) {
            case Origin.FlowOrigin(var flowId) -> json.put("origin", "FLOW").put("flowId", flowId);
            case Origin.TablesOrigin _ -> json.put("origin", "TABLES");
            case Origin.PlatformOrigin _ -> json.put("origin", "PLATFORM");
        };
    }
}
