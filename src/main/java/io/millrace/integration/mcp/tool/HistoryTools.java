package io.millrace.integration.mcp.tool;

import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunCommands;
import io.vertx.core.Future;
import java.util.List;

/** Tool that compares a version of a flow with its recorded runs, and sends nothing to the outside. */
final class HistoryTools {
    private static final long DEADLINE_MS = 60_000;
    private static final int RUNS = 1_000;
    private static final String DRAFT = "draft";
    private static final String VERSION = "version";

    private final Bus bus;
    private final FlowAccess flows;

    HistoryTools(Bus bus, FlowAccess flows) {
        this.bus = bus;
        this.flows = flows;
    }

    List<Tool> all() {
        return List.of(new Tool(
                new ToolSpec(
                        "ap_redecide_runs",
                        "Compare a version with recorded runs",
                        "Decides the newest " + RUNS
                                + " runs of a flow again with another version of it, with the recorded"
                                + " results in place of outside effects: nothing is sent. Returns groups of runs by the"
                                + " first difference, with examples.",
                        FlowBuildingTools.ofFlow().text(VERSION, "draft (default), published, or the id of a version."),
                        Permission.READ_RUN,
                        ToolSpec.Effect.READS),
                this::redecide));
    }

    private Future<ToolResult> redecide(Tool.Use use) {
        var version = use.text(VERSION).isEmpty() ? DRAFT : use.text(VERSION);
        return flows.get(use)
                .compose(flow -> bus.ask(new RunCommands.Redecide(flow.flow().id(), version, RUNS), DEADLINE_MS))
                .map(result -> ToolResult.done(
                        result.path("otherBranch").asInt() + " of "
                                + result.path("runs").asInt() + " recorded runs would take another branch.",
                        result));
    }
}
