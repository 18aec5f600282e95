package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.vertx.core.Future;
import java.util.function.Function;

/** A tool that clients can call. A call is executed after the authorization for the project and the validation of its arguments. */
public record Tool(ToolSpec spec, Function<Use, Future<ToolResult>> action) {
    /**
     * One call.
     *
     * @param serverId MCP server of the project
     * @param arguments as the tool's input describes them
     * @param cancellation request of the client to end the call
     */
    public record Use(
            Principal by, String projectId, String serverId, ObjectNode arguments, CallCancellation cancellation) {
        /** A text argument; empty when it was not given. */
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

    public String name() {
        return spec.name();
    }
}
