package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.net.Fence;
import io.millrace.engine.agent.machine.AgentEffect;
import io.millrace.engine.agent.machine.AgentEnding;
import io.millrace.engine.agent.machine.AgentEvent;
import io.millrace.engine.agent.machine.AgentSpending;
import io.millrace.piece.model.AnswerListener;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelSpender;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of an agent run to its model: pauses before retries, the fallback model, and the events that result from responses and
 * failures. Runs on the event loop of its {@link AgentActor}.
 */
final class ModelTurns {
    private static final Logger LOG = LoggerFactory.getLogger(ModelTurns.class);

    private static final Duration TURN_MAX = Duration.ofMinutes(10);
    private static final long RETRY_MS = 1_000;

    /** Longest pause before a retry; a longer pause that a provider requests is shortened, because the run waits. */
    private static final long PAUSE_MS_MAX = 60_000;

    /** A thousand credits of the platform are a dollar. */
    private static final double MICROS_OF_CREDIT = 1_000;

    private static final String UNAVAILABLE = "The AI provider is temporarily unavailable; try again in a few minutes";

    interface Host {
        /** Returns true if the run still waits for the response to this request. */
        boolean isCurrent(AgentEffect.AskModel ask);

        /** Returns true, and leaves the run, if the node's lease has ended since the request was sent. */
        boolean isFenced(Fence begunUnder);

        /** Lease under which the node confirmed last that the run is its own. */
        Fence lease();

        /** Completes when requests in flight are to be aborted. */
        Future<Void> aborted();

        /** Runs a callback; an exception ends the run. */
        void guarded(Runnable callback);

        void tell(AgentEvent event, Optional<AgentRun.Entry> entry);
    }

    private final AgentActor.Parts parts;
    private final AgentRun run;
    private final AgentWork work;
    private final Map<String, AgentTool> tools;
    private final List<AgentToolbox.LeftOut> leftOut;
    private final List<AgentRun.Entry> entries;
    private final Host host;
    private final AgentQuestions questions;
    private ModelChoice current;
    private Optional<ObjectNode> webSearch = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private Optional<String> budgetReason = Optional.empty();
    private long pauseMs = RETRY_MS;

    /**
     * @param tools the tools of the run by name, once they are open
     * @param entries all records of the run, as they grow
     */
    ModelTurns(
            AgentActor.Parts parts,
            AgentRun run,
            AgentWork work,
            Map<String, AgentTool> tools,
            List<AgentToolbox.LeftOut> leftOut,
            List<AgentRun.Entry> entries,
            Host host) {
        this.parts = parts;
        this.run = run;
        this.work = work;
        this.tools = tools;
        this.leftOut = leftOut;
        this.entries = entries;
        this.host = host;
        this.questions = new AgentQuestions(work, tools, leftOut, entries);
        this.current = work.fallback()
                .filter(_ -> entries.stream().anyMatch(entry -> entry.content().has(AgentEntries.MODEL)))
                .orElse(work.model());
    }

    void offerWebSearch(Optional<ObjectNode> options) {
        webSearch = options;
    }

    Optional<String> reason(AgentEnding ending) {
        return ending == AgentEnding.USAGE_LIMIT ? budgetReason : failure;
    }

    void end(AgentEffect.AskModel ask, String reason) {
        failure = Optional.of(reason);
        host.tell(new AgentEvent.TurnFailed(ask.turn(), false), Optional.empty());
    }

    void ask(AgentEffect.AskModel ask) {
        var wait = ask.attempt() > 1 ? parts.time().timer().apply(pauseMs) : Future.<Void>succeededFuture();
        wait.onComplete(_ -> host.guarded(() -> askNow(ask)));
    }

    private void askNow(AgentEffect.AskModel ask) {
        if (!host.isCurrent(ask)) {
            return;
        }
        var hasText = new AtomicBoolean();
        var listener = new AnswerListener(
                text -> {
                    hasText.set(true);
                    AgentPartialText.tell(parts.bus(), run.id(), new AgentPartialText(ask.turn(), text));
                },
                host.aborted());
        var begunUnder = host.lease();
        if (host.isFenced(begunUnder)) {
            return;
        }
        parts.models()
                .chargedTo(new ModelSpender(Optional.ofNullable(run.flowId()), Optional.ofNullable(run.agentId())))
                .askAloud(
                        run.projectId(),
                        current,
                        questions.of(ask.offer(), webSearch, current.equals(work.model()) ? "" : modelName(current)),
                        TURN_MAX.toMillis(),
                        listener)
                .onComplete((answer, cause) -> host.guarded(() -> {
                    if (cause == null || !host.isFenced(begunUnder)) {
                        asked(ask, answer, cause, hasText.get());
                    }
                }));
    }

    private static String modelName(ModelChoice model) {
        return model.provider() + "/" + model.configId() + "/" + model.model();
    }

    private void asked(AgentEffect.AskModel ask, ModelResponse answer, Throwable cause, boolean hasText) {
        if (!host.isCurrent(ask)) {
            LOG.debug("agent run {}: ignoring the late answer of turn {}", run.id(), ask.turn());
        } else if (cause == null && answer.calls().size() > AgentEntries.CALLS_MAX) {
            end(
                    ask,
                    "The model requested " + answer.calls().size() + " tool calls in one answer; expected at most "
                            + AgentEntries.CALLS_MAX);
        } else if (cause == null && answer.ending() == ModelResponse.Ending.REFUSED) {
            answered(ask, answer, AgentEvent.Shape.WHOLE);
        } else if (cause == null) {
            answered(ask, answer, shapeOf(answer));
        } else if (ApiException.isUnavailable(cause)) {
            // Not a failure of the model: the request is repeated once the server is available.
            parts.time().timer().apply(RETRY_MS).onComplete(_ -> host.guarded(() -> askNow(ask)));
        } else {
            failed(ask, cause, hasText);
        }
    }

    private static AgentEvent.Shape shapeOf(ModelResponse answer) {
        if (answer.ending() == ModelResponse.Ending.CUT_OFF) {
            return AgentEvent.Shape.CUT_OFF;
        }
        return answer.isEmpty() ? AgentEvent.Shape.EMPTY : AgentEvent.Shape.WHOLE;
    }

    private void answered(AgentEffect.AskModel ask, ModelResponse answer, AgentEvent.Shape shape) {
        var wanted = ToolSchemas.ofStructuredOutput(work.structuredOutput());
        var entry = AgentEntries.ofAnswer(
                ask.turn(), answer, tools, wanted, parts.time().clock().instant());
        if (!current.equals(work.model())) {
            entry.content().put(AgentEntries.MODEL, modelName(current));
        }
        AgentEntries.addLeftOut(entry.content(), leftOut, entries);
        var calls = AgentEntries.callsOf(entry.content()).size();
        var isMisfit = calls == 0 && entry.content().has(AgentEntries.MISFIT);
        host.tell(
                new AgentEvent.Answered(
                        ask.turn(),
                        isMisfit ? AgentEvent.Shape.MISFIT : shape,
                        calls,
                        entry.content().has(AgentEntries.COMPLETION),
                        spendingOf(answer)),
                Optional.of(entry));
    }

    /** The next turn sends all of this conversation again. */
    private AgentSpending spendingOf(ModelResponse answer) {
        var tokens = answer.consumption().inputTokens() + answer.consumption().outputTokens();
        var byTable = parts.models()
                .costMicros(
                        current,
                        answer.consumption().inputTokens(),
                        answer.consumption().outputTokens());
        var cost = answer.consumption().credits().isPresent()
                ? (long) Math.ceil(answer.consumption().credits().getAsDouble() * MICROS_OF_CREDIT)
                : byTable.orElse(0);
        return new AgentSpending(
                tokens,
                cost,
                tokens,
                parts.models().costMicros(current, tokens, 0).orElse(0));
    }

    /** @param hasText true if part of the answer had arrived: such a turn is not requested again (contract agents 2.2) */
    private void failed(AgentEffect.AskModel ask, Throwable cause, boolean hasText) {
        var isFinal = cause instanceof ModelFailure refusal && !refusal.isRetriable() || ask.attempt() > 1;
        var isOfBudget = cause instanceof ModelFailure refusal && refusal.isOfBudget();
        if (isFinal
                && !hasText
                && !isOfBudget
                && work.fallback().filter(other -> !other.equals(current)).isPresent()) {
            LOG.info("agent run {} continues with its fallback model: {}", run.id(), cause.getMessage());
            current = work.fallback().get();
            askNow(ask);
            return;
        }
        failedFinally(ask, cause, hasText);
    }

    private void failedFinally(AgentEffect.AskModel ask, Throwable cause, boolean hasText) {
        if (cause instanceof ModelFailure known && known.isOfBudget()) {
            budgetReason = Optional.of(known.getMessage());
            host.tell(new AgentEvent.BudgetUsed(ask.turn()), Optional.empty());
            return;
        }
        if (cause instanceof ModelFailure refusal && !refusal.isRetriable()) {
            failure = Optional.ofNullable(refusal.getMessage());
            host.tell(new AgentEvent.TurnFailed(ask.turn(), false), Optional.empty());
            return;
        }
        LOG.info("agent run {}: the request to the model failed: {}", run.id(), cause.getMessage());
        failure = Optional.of(
                cause instanceof ModelFailure
                        ? UNAVAILABLE
                        : current.provider() + " (" + current.model() + "): " + cause.getMessage());
        pauseMs = cause instanceof ModelFailure refusal
                ? Math.clamp(refusal.retryAfterMs(), RETRY_MS, PAUSE_MS_MAX)
                : RETRY_MS;
        host.tell(new AgentEvent.TurnFailed(ask.turn(), !hasText), Optional.empty());
    }
}
