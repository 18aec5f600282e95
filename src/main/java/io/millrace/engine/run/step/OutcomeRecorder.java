package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.journal.RunJournal;
import io.millrace.engine.run.journal.RunReporter;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.HttpAnswer;

/**
 * Records the outcomes of a run's steps: writes them to the journal, reports them to subscribers, and passes them to the run as
 * events.
 */
final class OutcomeRecorder {
    private static final String NOT_REPEATED =
            "It may have taken effect, and it is configured to fail instead of being repeated.";

    static final String CRASHED = ErrorMessage.of("The server ended during this step. " + NOT_REPEATED);

    private final RunInbox inbox;
    private final StepDriver.RunParts run;
    private final CompiledFlow flow;
    private final RunJournal journal;
    private final RunReporter reporter;

    OutcomeRecorder(RunInbox inbox, StepDriver.RunParts run) {
        this.inbox = inbox;
        this.run = run;
        this.flow = run.origin().flow();
        this.journal = run.recording().journal();
        this.reporter = run.recording().reporter();
    }

    void ended(StepPath path, int attempt, StepOutcome outcome, RunStepContext context, long durationMs) {
        context.ended(outcome, durationMs);
        switch (outcome) {
            case StepOutcome.Succeeded(var input, var output)
            when context.waitpoint().isPresent() -> {
                var bytes = journal.keep(path, told(path, journal.put(path, "PAUSED", input, output, durationMs)));
                answer(path, context.answer());
                run.recording()
                        .commits()
                        .waitAt(
                                path.text(flow.plan()),
                                context.waitpoint().get().id());
                inbox.accept(new RunEvent.StepPaused(path, attempt, bytes));
            }
            case StepOutcome.Succeeded(var input, var output) -> {
                var record = journal.withAttempts(journal.put(path, "SUCCEEDED", input, output, durationMs), attempt);
                var bytes = journal.keep(path, told(path, context.log().console(), record));
                answer(path, context.answer());
                if (context.stopped()) {
                    inbox.accept(new RunEvent.StepStopped(path, attempt, bytes));
                } else {
                    inbox.accept(new RunEvent.StepSucceeded(path, attempt, bytes, false));
                }
            }
            case StepOutcome.Failed(var input, var message) -> {
                var failed = journal.withAttempts(journal.putFailed(path, input, message, durationMs), attempt);
                var record = told(path, context.log().console(), failed);
                inbox.accept(new RunEvent.StepFailed(path, attempt, journal.keep(path, record), message, false));
            }
            case StepOutcome.Overrun overrun ->
                overran(path, attempt, overrun, context.log().console(), durationMs);
        }
    }

    /** An answer counts only from the piece that started the flow (contract flows-and-engine 13.1). */
    private void answer(StepPath path, HttpAnswer answer) {
        if (answer == null || !flow.answersWith(path.step())) {
            return;
        }
        run.caller().answer(answer);
        run.recording().commits().answer(answer);
        if (run.caller().isToBeAnswered() || run.recording().commits().isToKeepAnswer()) {
            inbox.accept(new LifecycleEvent.AnswerGiven());
        }
    }

    /** Ends the run regardless of the step's settings for failures. */
    private void overran(
            StepPath path, int attempt, StepOutcome.Overrun overrun, StepConsole console, long durationMs) {
        switch (overrun) {
            case StepOutcome.MemoryExceeded(var input) -> {
                var message = ErrorMessage.of("The step used too much memory");
                told(path, console, journal.putFailed(path, input, message, durationMs));
                inbox.accept(new RunEvent.MemoryExceeded(path, attempt));
            }
            case StepOutcome.TimedOut(var input) -> {
                var message = ErrorMessage.of(RunJournal.OVER_TIME);
                told(path, console, journal.putFailed(path, input, message, durationMs));
                inbox.accept(new RunEvent.DeadlinePassed());
            }
            case StepOutcome.ProcessLost(var input, var message)
            when failsOnCrash(path) -> {
                var error = ErrorMessage.of(message + ". " + NOT_REPEATED);
                var record = told(path, console, journal.putFailed(path, input, error, durationMs));
                inbox.accept(new RunEvent.StepFailed(path, attempt, journal.keep(path, record), error, true));
            }
            case StepOutcome.ProcessLost(var input, var message) -> {
                journal.putFailed(path, input, ErrorMessage.of(message), durationMs);
                inbox.accept(new RunEvent.Broke(message));
            }
        }
    }

    /** A broken run is retried, which the setting of such a step excludes (decision 0001). */
    private boolean failsOnCrash(StepPath path) {
        return flow.plan().step(path.step()) instanceof PlanStep.ExecutableAction act
                && act.policy().failsOnCrash();
    }

    private RunJournal.Entry told(StepPath path, StepConsole console, RunJournal.Entry entry) {
        return told(path, journal.withConsole(entry, console));
    }

    private RunJournal.Entry told(StepPath path, RunJournal.Entry entry) {
        reporter.wrote(path, entry.record());
        return entry;
    }

    /** Records the failure of a step that is not executed, and is not retried. */
    void failUnexecuted(StepPath path, int attempt, String message) {
        var record = told(path, journal.putFailed(path, Json.object(), message, 0));
        inbox.accept(new RunEvent.StepFailed(path, attempt, journal.keep(path, record), message, true));
    }

    /** Passes the outcome in a record of the journal to the run again. */
    void restore(StepPath path, int attempt, ObjectNode record) {
        var bytes = journal.restore(path, record);
        reporter.restored();
        if (run.origin().replay() != null && run.origin().replay().isStop(path.text(flow.plan()))) {
            inbox.accept(new RunEvent.StepStopped(path, attempt, bytes));
            return;
        }
        var failed = record.path("status").asText().equals("FAILED");
        inbox.accept(
                failed
                        ? new RunEvent.StepFailed(
                                path,
                                attempt,
                                bytes,
                                record.path("errorMessage").asText(),
                                true)
                        : new RunEvent.StepSucceeded(path, attempt, bytes, true));
    }

    /** The test of a single step takes the first item only. */
    void resolved(StepPath path, ControlSteps.Items items, long started) {
        switch (items) {
            case ControlSteps.Items.ItemArray(var list, var logged)
            when flow.test() != null && list.size() > 1 ->
                resolved(path, new ControlSteps.Items.ItemArray(list.arrayNode().add(list.get(0)), logged), started);
            case ControlSteps.Items.ItemArray(var list, var logged) -> {
                var record = told(path, journal.putLoop(path, list, logged, started));
                inbox.accept(new RunEvent.ItemsResolved(path, list.size(), journal.count(record)));
            }
            case ControlSteps.Items.Refused(var input, var message) -> refused(path, input, message, msSince(started));
            case ControlSteps.Items.Overran(var overrun) ->
                overran(path, 1, overrun, StepConsole.EMPTY, msSince(started));
        }
    }

    private void refused(StepPath path, JsonNode input, String message, long durationMs) {
        var record = told(path, journal.putFailed(path, input, message, durationMs));
        inbox.accept(new RunEvent.StepFailed(path, 1, journal.count(record), message, false));
    }

    /**
     * Records the branches of a router.
     *
     * @param durationMs duration of its conditions, without the steps of its branches
     */
    void chosen(StepPath path, CompiledFlow.Work.OfRouter router, ControlSteps.Choice choice, long durationMs) {
        switch (choice) {
            case ControlSteps.Choice.Made(var evaluation, var output) -> {
                var record = told(
                        path,
                        journal.put(path, "SUCCEEDED", router.logged(), router.loggedBytes(), output, durationMs));
                inbox.accept(new RunEvent.BranchesEvaluated(path, evaluation, journal.count(record)));
            }
            case ControlSteps.Choice.Refused(var input, var message) -> refused(path, input, message, durationMs);
            case ControlSteps.Choice.Overran(var overrun) -> overran(path, 1, overrun, StepConsole.EMPTY, durationMs);
        }
    }

    /** Milliseconds since a value of {@link System#nanoTime}. */
    static long msSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1_000_000;
    }
}
