package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Permission;
import io.millrace.engine.agent.AgentRunAccess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

final class AgentRunTools {
    static final String TOOLS =
            "Tools, in the format of the API: objects with type PIECE, FLOW, MCP or KNOWLEDGE_BASE, and a toolName.";
    static final String STRUCTURED_OUTPUT =
            "Fields of the result: objects with displayName and type text, number or boolean.";

    private static final long LOOK_FIRST_MS = 50;
    private static final long LOOK_MS_MAX = 2_000;

    private final AgentRunAccess runs;
    private final long waitMs;
    private final RunCancels cancels;

    /** @param waitMs longest wait for a run, in milliseconds */
    AgentRunTools(AgentRunAccess runs, RunCancels cancels, long waitMs) {
        this.cancels = cancels;
        this.runs = runs;
        this.waitMs = waitMs;
    }

    List<Tool> all() {
        return List.of(
                Tool.of(
                        Permission.WRITE_AGENT,
                        "ap_run_agent",
                        "Run an agent",
                        "Runs a task with an agent and waits for the result. The agent is a published one of the project, or one"
                                + " that is defined in this call. Its tools have real effects.",
                        ToolInput.none()
                                .text("instruction", "The task.")
                                .text("agentId", "External id of a published agent, from ap_list_agents.")
                                .text("provider", "AI provider; default: the platform's chat provider.")
                                .text("providerConfigId", "Key of the provider.")
                                .text("modelName", "Model of the provider; default: its default model.")
                                .whole("maxSteps", "Maximum number of turns; default 20, at most 50.")
                                .list("tools", TOOLS)
                                .list("structuredOutput", STRUCTURED_OUTPUT)
                                .requiring("instruction"),
                        ToolSpec.Effect.DESTROYS,
                        this::run),
                Tool.of(
                        Permission.READ_AGENT,
                        "ap_get_agent_run",
                        "Read an agent run",
                        "Status of an agent run and its steps so far.",
                        ToolInput.none()
                                .text("runId", "Id of the run, from ap_run_agent.")
                                .requiring("runId"),
                        ToolSpec.Effect.READS,
                        use -> runs.find(use.projectId(), use.text("runId")).map(ToolResult::json)));
    }

    private Future<ToolResult> run(Tool.Use use) {
        return runs.start(use.projectId(), use.by().actingUser(), use.arguments())
                .compose(id -> cancels.of(
                                use.cancellation(),
                                id,
                                ended(use, id, LOOK_FIRST_MS, System.nanoTime()),
                                () -> runs.cancel(use.projectId(), id))
                        .map(run -> told(id, run)));
    }

    private static ToolResult told(String id, JsonNode run) {
        if (!isOver(run)) {
            return ToolResult.done(
                    "The agent is still running; call ap_get_agent_run for the status of run " + id + ".");
        }
        var result = run.path("result");
        return result.path("status").asText().equals("COMPLETED")
                ? ToolResult.done("The agent succeeded (run " + id + ").", result)
                : ToolResult.failed("The agent did not succeed (run " + id + ").\n\n"
                        + ToolResult.json(result).text());
    }

    private static boolean isOver(JsonNode run) {
        return !run.path("status").asText().equals("STREAMING");
    }

    /** Looks seldom after a while. */
    private Future<JsonNode> ended(Tool.Use use, String id, long pauseMs, long began) {
        return runs.find(use.projectId(), id).compose(run -> {
            var waitedMs = (System.nanoTime() - began) / 1_000_000;
            return isOver(run) || waitedMs > waitMs
                    ? Future.succeededFuture(run)
                    : Vertx.currentContext()
                            .owner()
                            .timer(pauseMs)
                            .compose(_ -> ended(use, id, Math.min(LOOK_MS_MAX, pauseMs * 2), began));
        });
    }
}
