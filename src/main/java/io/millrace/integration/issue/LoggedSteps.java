package io.millrace.integration.issue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.log.RecordText;
import io.millrace.integration.failure.FailureFacts;
import io.millrace.integration.failure.RecordedStep;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/**
 * Logs of ended runs, parsed on a worker, one at a time. Larger logs than the limit are not parsed: a tree takes ten times the
 * memory of its text.
 */
public final class LoggedSteps {
    private static final long DEADLINE_MS = 30_000;

    private final Vertx vertx;
    private final Bus bus;
    private final int bytesMax;

    /** @param bytesMax longest text of a log that is parsed */
    public LoggedSteps(Vertx vertx, Bus bus, int bytesMax) {
        this.vertx = vertx;
        this.bus = bus;
        this.bytesMax = bytesMax;
    }

    /** Steps of an ended run by name; empty when the log has been removed or is too large. */
    public Future<Optional<JsonNode>> of(String runId) {
        return bus.ask(new RunQueries.FindLog(runId), DEADLINE_MS)
                .compose(log -> log.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : vertx.executeBlocking(() -> parsed(log.get().getBytes()), true));
    }

    private Optional<JsonNode> parsed(byte[] packed) {
        if (packed.length > bytesMax) {
            return Optional.empty();
        }
        var text = CompressedText.text(packed);
        return text.length > bytesMax ? Optional.empty() : Optional.of(RecordText.read(text));
    }

    /**
     * Facts of a failure: those of the log if it has the failed step, else those of the row.
     *
     * @param message error text of the row, truncated
     */
    public static FailureFacts facts(RunStatus status, String stepName, String message, Optional<JsonNode> steps) {
        var failed = steps.flatMap(log -> RecordedStep.failed(log, stepName));
        var text = failed.map(RecordedStep::errorMessage)
                .filter(own -> !own.isEmpty() && status == RunStatus.FAILED)
                .orElse(message);
        return FailureFacts.of(status, failed.map(RecordedStep::type).orElse(""), text);
    }
}
