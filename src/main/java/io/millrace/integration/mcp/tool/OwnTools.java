package io.millrace.integration.mcp.tool;

import io.millrace.base.bus.Bus;
import io.millrace.engine.agent.AgentRunAccess;
import java.util.List;
import java.util.stream.Stream;

/** The platform's own tools (contract flows-and-engine 28.2), in the order that lists show them. */
public final class OwnTools {
    private OwnTools() {}

    /**
     * @param savedAgents true if saved agents are enabled (AP_AGENTS_ENABLED)
     * @param waitMs longest wait for a run of an agent, in milliseconds
     */
    public static List<Tool> all(Bus bus, RunWait waits, AgentRunAccess agents, boolean savedAgents, long waitMs) {
        var flows = new FlowAccess(bus);
        return Stream.of(
                        new ReadingTools(bus, flows).all(),
                        new FlowBuildingTools(flows).all(),
                        new StepTools(flows).all(),
                        new BranchTools(flows).all(),
                        new TestingTools(bus, flows, waits).all(),
                        new FlowTestTools(bus, flows).all(),
                        new HistoryTools(bus, flows).all(),
                        new PublishingTools(flows).all(),
                        new TableTools(bus)
                                .all().stream()
                                        .map(tool -> tool.in(new Tool.Origin.TablesOrigin()))
                                        .toList(),
                        new ActionTools(bus, flows, waitMs).all(),
                        new PieceTools(bus).all(),
                        savedAgents ? new AgentTools(bus).all() : List.<Tool>of(),
                        new AgentRunTools(agents, new RunCancels(bus), waitMs).all())
                .flatMap(List::stream)
                .toList();
    }
}
