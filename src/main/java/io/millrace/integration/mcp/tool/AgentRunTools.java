package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Permission;
import io.millrace.engine.agent.AgentRunAccess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/** Tools that run agents and read the results. */
final class AgentRunTools {
    static final String TOOLS =
            "What it may use, as the API has it: objects with type PIECE, FLOW, MCP or KNOWLEDGE_BASE, and a toolName.";
    static final String STRUCTURED_OUTPUT =
            "Values that it shall end with: objects with displayName and type text, number or boolean.";

    private static final long LOOK_FIRST_MS = 50;
    private static final long LOOK_MS_MAX = 2_000;

    private final AgentRunAccess runs;
    private final long waitMs;

    /** @param waitMs longest wait for a run, in milliseconds */
    AgentRunTools(AgentRunAccess runs, long waitMs) {
        this.runs = runs;
        this.waitMs = waitMs;
    }

    List<Tool> all() {
        return List.of(
                Tool.of(
                        Permission.WRITE_AGENT,
                        "ap_run_agent",
                        "Run an agent",
                        "Gives an agent a task and waits for its result: a published one of the project, or one that exists"
                                + " for this task only. It really does what its tools do.",
                        ToolInput.none()
                                .text("instruction", "The task.")
                                .text("agentId", "External id of a published agent, as ap_list_agents shows it.")
                                .text("provider", "AI provider; the platform's chat provider without it.")
                                .text("providerConfigId", "One key of the provider.")
                                .text("modelName", "Model of the provider; its usual one without it.")
                                .whole("maxSteps", "Turns that it may take, 20 without it, 50 at most.")
                                .list("tools", TOOLS)
                                .list("structuredOutput", STRUCTURED_OUTPUT)
                                .requiring("instruction"),
                        ToolSpec.Effect.DESTROYS,
                        this::run),
                Tool.of(
                        Permission.READ_AGENT,
                        "ap_get_agent_run",
                        "Read an agent run",
                        "How a run of an agent stands, with what it has done so far.",
                        ToolInput.none()
                                .text("runId", "Id of the run, as ap_run_agent answers it.")
                                .requiring("runId"),
                        ToolSpec.Effect.READS,
                        use -> runs.find(use.projectId(), use.text("runId")).map(ToolResult::json)));
    }

    private Future<ToolResult> run(Tool.Use use) {
        return runs.start(use.projectId(), use.by().actingUser(), use.arguments())
                .compose(id -> ended(use, id, LOOK_FIRST_MS, System.nanoTime()).map(run -> told(id, run)));
    }

    private static ToolResult told(String id, JsonNode run) {
        if (!isOver(run)) {
            return ToolResult.done("The agent is still at work: ap_get_agent_run shows how run " + id + " stands.");
        }
        var result = run.path("result");
        return result.path("status").asText().equals("COMPLETED")
                ? ToolResult.done("The agent is done (run " + id + ").", result)
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
