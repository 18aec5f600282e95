package io.millrace.workspace.usage;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ToolRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts tool calls that cannot be performed because their arguments were not received. Thread-safe. */
final class UnreadableCalls {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableCalls.class);

    private final EventCounter malformed;
    private final EventCounter missing;

    UnreadableCalls(MeterSet meters) {
        malformed = meters.counter(ServerMeter.MODEL_CALLS_UNREADABLE, "malformed");
        missing = meters.counter(ServerMeter.MODEL_CALLS_UNREADABLE, "missing");
    }

    void count(String projectId, ModelChoice choice, ModelRequest request, ModelResponse answer) {
        for (var call : answer.calls()) {
            if (call.problem() != null) {
                malformed.increment();
                LOG.info("{} of {} called {}: {}", choice.model(), choice.provider(), call.name(), call.problem());
            } else if (lacksArguments(request, call)) {
                missing.increment();
                LOG.info(
                        "{} of {} called {} without arguments in project {}; the tool requires some",
                        choice.model(),
                        choice.provider(),
                        call.name(),
                        projectId);
            }
        }
    }

    private static boolean lacksArguments(ModelRequest request, ToolRequest call) {
        return call.arguments().isEmpty()
                && request.tools().stream()
                        .anyMatch(tool -> tool.name().equals(call.name())
                                && !tool.schema().path("required").isEmpty());
    }
}
