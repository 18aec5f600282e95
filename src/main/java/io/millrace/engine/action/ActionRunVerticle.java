package io.millrace.engine.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes runs of single actions, including those of dead nodes, up to the configured concurrency. A run left
 * unfinished at the stop of a server is claimed by another node, or after the next start.
 */
public final class ActionRunVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ActionRunVerticle.class);

    private static final long ASK_DEADLINE_MS = 30_000;
    private static final long ROUND_MS = 2_000;
    private static final long DROP_MS = 60 * 60_000;

    private final Parts parts;
    private final Set<String> underWay = new HashSet<>();
    private OutageRetry retry;
    private boolean claiming;
    private boolean claimAgain;
    private boolean stopped;

    /**
     * Dependencies and limits.
     *
     * @param atOnce runs that this node executes concurrently (AP_ACTION_RUN_CONCURRENCY)
     * @param outputBytesMax largest output that is recorded (AP_MAX_FLOW_RUN_LOG_SIZE_MB)
     * @param crashRecoveriesMax executions after a stop of the node (AP_RUN_CRASH_RECOVERIES_MAX)
     * @param leases makes the fence of the lease's present term
     */
    public record Parts(
            Bus bus,
            SingleActions actions,
            int atOnce,
            long outputBytesMax,
            int crashRecoveriesMax,
            Supplier<Fence> leases) {}

    /** End of a run; a null output means none, a null message success, an empty log no line. */
    private record Outcome(RunStatus status, JsonNode output, String errorMessage, ObjectNode log) {
        Outcome(RunStatus status, JsonNode output, String errorMessage) {
            this(status, output, errorMessage, Json.object());
        }

        static Outcome failed(RunStatus status, String message) {
            return new Outcome(status, null, ErrorMessage.of(message));
        }

        Outcome with(ObjectNode lines) {
            return new Outcome(status, output, errorMessage, lines);
        }

        Optional<String> logText() {
            return log.isEmpty() ? Optional.empty() : Optional.of(Json.text(log));
        }
    }

    public ActionRunVerticle(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Future<?> start() {
        retry = new OutageRetry(delayMs -> vertx.timer(delayMs).mapEmpty());
        parts.bus().on(ActionRuns.Accepted.class, _ -> claim());
        vertx.setPeriodic(ROUND_MS, _ -> claim());
        vertx.setPeriodic(ROUND_MS, DROP_MS, _ -> dropExpired());
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        return Future.succeededFuture();
    }

    private void dropExpired() {
        parts.bus()
                .ask(new ActionRuns.DropExpired(), ASK_DEADLINE_MS)
                .onFailure(cause -> LOG.warn("cannot drop expired action runs, retrying: {}", cause.getMessage()))
                .onSuccess(dropped -> {
                    if (dropped > 0 && !stopped) {
                        dropExpired();
                    }
                });
    }

    private void claim() {
        if (stopped) {
            return;
        }
        if (claiming) {
            claimAgain = true;
            return;
        }
        var room = parts.atOnce() - underWay.size();
        if (room <= 0) {
            return;
        }
        claiming = true;
        parts.bus()
                .ask(new ActionRuns.Claim(room, List.copyOf(underWay)), ASK_DEADLINE_MS)
                .onSuccess(claimed -> claimed.forEach(this::begin))
                .onFailure(cause -> LOG.warn("cannot look for action runs, retrying: {}", cause.getMessage()))
                .onComplete(_ -> {
                    claiming = false;
                    if (claimAgain) {
                        claimAgain = false;
                        claim();
                    }
                });
    }

    private void begin(ActionRuns.ClaimedRun claimed) {
        if (stopped) {
            return;
        }
        var id = claimed.run().id();
        underWay.add(id);
        var fence = parts.leases().get();
        outcome(claimed, fence)
                .compose(outcome -> fence.isHeld() ? finish(claimed, outcome) : Future.succeededFuture(false))
                .onFailure(cause -> LOG.warn("action run {}: the end was not recorded: {}", id, cause.getMessage()))
                .onComplete(_ -> {
                    underWay.remove(id);
                    claim();
                });
    }

    private Future<Boolean> finish(ActionRuns.ClaimedRun claimed, Outcome outcome) {
        var end = new ActionRuns.Finish(
                claimed.run().id(),
                claimed.fence(),
                outcome.status(),
                outcome.output(),
                outcome.errorMessage(),
                outcome.logText());
        return retry.perform(
                OutageRetry.UNLIMITED, () -> stopped, () -> parts.bus().ask(end, ASK_DEADLINE_MS));
    }

    private Future<Outcome> outcome(ActionRuns.ClaimedRun claimed, Fence fence) {
        var run = claimed.run();
        var isRepeated = claimed.fence() > 1;
        if (isRepeated && run.onCrash() == ActionRun.OnCrash.FAIL) {
            return Future.succeededFuture(Outcome.failed(
                    RunStatus.INTERNAL_ERROR,
                    "The server stopped while the action was running: it may have been performed"));
        }
        if (claimed.fence() > 1L + parts.crashRecoveriesMax()) {
            return Future.succeededFuture(Outcome.failed(
                    RunStatus.INTERNAL_ERROR,
                    "The server stopped " + (claimed.fence() - 1)
                            + " times while the action was running: it may have been performed"));
        }
        return claimed.input()
                .map(input -> perform(claimed, input, fence))
                .orElseGet(() -> Future.succeededFuture(
                        Outcome.failed(RunStatus.INTERNAL_ERROR, "The stored input cannot be read")));
    }

    private Future<Outcome> perform(ActionRuns.ClaimedRun claimed, ObjectNode input, Fence fence) {
        var run = claimed.run();
        var request = new SingleActions.Parameters(
                PieceScope.of(claimed.platformId()),
                run.projectId(),
                run.pieceName(),
                run.pieceVersion(),
                run.actionName(),
                input);
        var log = Json.object();
        return Future.succeededFuture()
                .compose(_ -> parts.actions()
                        .runWithin(request, run.id(), fence, Duration.ofSeconds(run.timeoutSeconds()), log::setAll))
                .map(this::succeeded)
                .recover(cause -> Future.succeededFuture(failed(run, cause)))
                .map(outcome -> outcome.with(log));
    }

    private Outcome succeeded(JsonNode output) {
        return DeepJson.bytes(output).length > parts.outputBytesMax()
                ? Outcome.failed(
                        RunStatus.LOG_SIZE_EXCEEDED,
                        "The output is larger than " + parts.outputBytesMax() + " bytes (AP_MAX_FLOW_RUN_LOG_SIZE_MB)")
                : new Outcome(RunStatus.SUCCEEDED, output, null);
    }

    private static Outcome failed(ActionRun run, Throwable cause) {
        return switch (cause) {
            case TimeoutException _ ->
                Outcome.failed(
                        RunStatus.TIMEOUT, "The action exceeded its time limit of " + run.timeoutSeconds() + " s");
            case PieceCrash crash -> Outcome.failed(statusOf(crash.why()), crash.getMessage());
            default -> new Outcome(RunStatus.FAILED, null, ErrorMessage.of(cause));
        };
    }

    private static RunStatus statusOf(PieceCrash.Cause why) {
        return switch (why) {
            case TIME -> RunStatus.TIMEOUT;
            case MEMORY -> RunStatus.MEMORY_LIMIT_EXCEEDED;
            case INTERNAL -> RunStatus.INTERNAL_ERROR;
        };
    }
}
