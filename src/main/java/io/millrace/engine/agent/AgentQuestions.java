package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.agent.machine.AgentEffect.Offer;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelRequest.ToolUse;
import io.millrace.piece.model.ModelTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Builds the model request of each turn. Pure: the same after a restart.
 *
 * @param tools tools of the run, once they are opened
 * @param leftOut unavailable tools of the run
 * @param entries all records of the run; the list grows
 */
record AgentQuestions(
        AgentWork work,
        Map<String, AgentTool> tools,
        List<AgentToolbox.LeftOut> leftOut,
        List<AgentRun.Entry> entries) {
    private static final int LEFT_OUT_MAX = 20;

    /**
     * Builds a request.
     *
     * @param webSearch options of the provider's own search; empty for none
     * @param model the fallback model that is asked; empty text for the first model
     */
    ModelRequest of(Offer offer, Optional<ObjectNode> webSearch, String model) {
        return new ModelRequest(
                system(),
                AgentEntries.conversation(
                        work.prompt(), entries, ToolSchemas.ofStructuredOutput(work.structuredOutput()), model),
                offered(offer),
                useOf(offer),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                offer == Offer.ALL ? webSearch : Optional.empty());
    }

    private String system() {
        if (leftOut.isEmpty()) {
            return work.system();
        }
        var missing = leftOut.stream()
                .limit(LEFT_OUT_MAX)
                .map(one -> "- " + one.tool() + ": " + one.reason())
                .collect(Collectors.joining("\n"));
        return (work.system().isBlank() ? "" : work.system() + "\n\n")
                + "These tools are not available in this run; do not count on them:\n" + missing;
    }

    private List<ModelTool> offered(Offer offer) {
        var offered = new ArrayList<ModelTool>();
        if (offer != Offer.COMPLETION) {
            tools.values().forEach(tool -> offered.add(tool.forModel()));
        }
        if (!work.structuredOutput().isEmpty()) {
            offered.add(new ModelTool(
                    AgentEntries.COMPLETION_TOOL,
                    "Call this with the final values when the task is done.",
                    ToolSchemas.ofCompletion(work.structuredOutput()).schema()));
        }
        return offered;
    }

    private static ToolUse useOf(Offer offer) {
        return switch (offer) {
            case ALL -> new ToolUse.Free();
            case NONE -> new ToolUse.Barred();
            case COMPLETION -> new ToolUse.Forced(AgentEntries.COMPLETION_TOOL);
        };
    }
}
