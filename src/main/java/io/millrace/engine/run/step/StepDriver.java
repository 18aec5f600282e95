package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.RunReplay;
import io.millrace.engine.run.RunScope;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunTimers;
import io.millrace.engine.run.journal.PendingResponse;
import io.millrace.engine.run.journal.RunCommits;
import io.millrace.engine.run.journal.RunJournal;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunReporter;
import io.millrace.engine.run.journal.RunSlices;
import io.millrace.engine.run.journal.SlicedOutputs;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Executes the steps of one run, stores their results in the journal, and reports them to the run as events. At most
 * one step executes at a time; results of an abandoned step are ignored.
 */
public final class StepDriver {
    private static final String NOT_REPEATED =
            "It may have taken effect, and it is configured to fail instead of being repeated.";

    private static final String CRASHED = "The server ended during this step. " + NOT_REPEATED;

    private final StepEnvironment environment;
    private final RunClock clock;
    private final RunInbox inbox;
    private final RunParts run;
    private final CompiledFlow flow;
    private final RunJournal journal;
    private final RunSlices slices;
    private final RunReporter reporter;
    private RunStepContext executing;

    /**
     * Parts of the run that its steps read and write.
     *
     * @param resume completion with which a step resumes, or null
     * @param replay instructions of a run that replays an earlier one, or null
     */
    public record RunParts(
            CompiledFlow flow,
            RunSnapshot.Resume resume,
            RunReplay replay,
            RunJournal journal,
            RunSlices slices,
            RunReporter reporter,
            RunCommits commits,
            PendingResponse caller,
            RunTimers timers,
            RunMemory.Part memory,
            RunTrace trace) {
        /** Completion with which the step at the path resumes; null when it begins. */
        RunSnapshot.Resume resume(String path) {
            return resume != null && resume.path().equals(path) ? resume : null;
        }
    }

    public StepDriver(StepEnvironment environment, RunClock clock, RunInbox inbox, RunParts run) {
        this.environment = environment;
        this.clock = clock;
        this.inbox = inbox;
        this.run = run;
        this.flow = run.flow();
        this.journal = run.journal();
        this.slices = run.slices();
        this.reporter = run.reporter();
    }

    /** Enters the loops around a step that is tested alone, which takes their items; then continues. */
    public void surround(Runnable next) {
        var entered = Future.<Void>succeededFuture();
        for (var loop : flow.test().loops()) {
            entered = entered.compose(_ -> enter(loop));
        }
        entered.onComplete(_ -> inbox.guarded(next));
    }

    private Future<Void> enter(CompiledFlow.CompiledStep loop) {
        var scope = new RunScope(List.of(flow.test().samples(), journal.steps()), clock.clock(), clock.random());
        var context = new RunStepContext(environment, inbox, run, loop, loop.name(), 1, _ -> {}, fence());
        return environment
                .steps()
                .control()
                .items((CompiledFlow.Work.OfLoop) loop.work(), scope, context)
                .map(items -> {
                    flow.test().enter(loop, first(items));
                    return null;
                });
    }

    private static Optional<JsonNode> first(ControlSteps.Items items) {
        return items instanceof ControlSteps.Items.ItemArray(var list, var _) && !list.isEmpty()
                ? Optional.of(list.get(0))
                : Optional.empty();
    }

    /** Executes an action or code, or answers from the journal when an outcome is recorded. */
    public void execute(StepPath path, int attempt) {
        var pathText = path.text(flow.plan());
        var before = journal.recorded(pathText);
        if (before != null && RunLog.isBegun(before)) {
            failUnexecuted(path, attempt, ErrorMessage.of(CRASHED));
            return;
        }
        if (before != null && !RunLog.isPaused(before)) {
            restore(path, attempt, before);
            return;
        }
        var resume = run.resume(pathText);
        if (resume != null && resume.expired()) {
            failUnexecuted(
                    path, attempt, ErrorMessage.of(environment.waitpoints().expired()));
            return;
        }
        if (run.replay() != null && isWithheld(path)) {
            failUnexecuted(path, attempt, ErrorMessage.of(RunReplay.withheld(pathText)));
            return;
        }
        reporter.started(path);
        var started = System.nanoTime();
        var context = begin(path, pathText, attempt);
        var work = flow.step(path.step()).work();
        scope(path, work)
                .compose(scope -> environment.steps().act(work, scope, context))
                .onComplete(done -> {
                    if (context.isCancelled()) {
                        return;
                    }
                    var outcome = done.succeeded()
                            ? done.result()
                            : new StepOutcome.Failed(Json.object(), ErrorMessage.of(done.cause()));
                    if (isFenced(context, outcome)) {
                        return;
                    }
                    executing = null;
                    inbox.guarded(() -> ended(path, attempt, withinMemory(outcome), context, msSince(started)));
                });
    }

    private boolean isWithheld(StepPath path) {
        return run.replay().withholds(flow.step(path.step()).name())
                && flow.plan().step(path.step()) instanceof PlanStep.ExecutableAction act
                && act.reach() == StepReach.OUTSIDE;
    }

    /**
     * Returns whether a request of the step was refused without a valid lease, or may have been: a failure after which
     * the lease ended is not an outcome. The fence has released the run then.
     */
    private static boolean isFenced(RunStepContext context, StepOutcome outcome) {
        return context.isFenced()
                || outcome instanceof StepOutcome.Failed && !context.fence().isHeld();
    }

    private RunStepContext begin(StepPath path, String pathText, int attempt) {
        executing = new RunStepContext(
                environment,
                inbox,
                run,
                flow.step(path.step()),
                pathText,
                attempt,
                soFar -> reporter.progressed(path, soFar),
                fence());
        return executing;
    }

    /** A refused request releases the run from this node; its step begins again at the next owner. */
    private StepFence fence() {
        return new StepFence(environment.leases().get(), () -> {
            var cause = ApiException.of(
                    ErrorCode.UNAVAILABLE, "the lease of this server ended before the step's request was sent");
            clock.later(() -> inbox.accept(new LifecycleEvent.ServiceLost(cause)));
        });
    }

    /** A step whose output makes its run too large has failed. */
    private StepOutcome withinMemory(StepOutcome outcome) {
        return outcome instanceof StepOutcome.Succeeded(var input, var _)
                        && run.memory().isTooLarge()
                ? new StepOutcome.MemoryExceeded(input)
                : outcome;
    }

    private void ended(StepPath path, int attempt, StepOutcome outcome, RunStepContext context, long durationMs) {
        context.ended(outcome, durationMs);
        switch (outcome) {
            case StepOutcome.Succeeded(var input, var output)
            when context.waitpoint().isPresent() -> {
                var bytes = journal.keep(path, told(path, journal.put(path, "PAUSED", input, output, durationMs)));
                answer(path, context.answer());
                run.commits()
                        .waitAt(
                                path.text(flow.plan()),
                                context.waitpoint().get().id());
                inbox.accept(new RunEvent.StepPaused(path, attempt, bytes));
            }
            case StepOutcome.Succeeded(var input, var output) -> {
                var record = journal.withAttempts(journal.put(path, "SUCCEEDED", input, output, durationMs), attempt);
                var bytes = journal.keep(path, told(path, context.console(), record));
                answer(path, context.answer());
                if (context.stopped()) {
                    inbox.accept(new RunEvent.StepStopped(path, attempt, bytes));
                } else {
                    inbox.accept(new RunEvent.StepSucceeded(path, attempt, bytes, false));
                }
            }
            case StepOutcome.Failed(var input, var message) -> {
                var failed = journal.withAttempts(journal.putFailed(path, input, message, durationMs), attempt);
                var record = told(path, context.console(), failed);
                inbox.accept(new RunEvent.StepFailed(path, attempt, journal.keep(path, record), message, false));
            }
            case StepOutcome.Overrun overrun -> overran(path, attempt, overrun, context.console(), durationMs);
        }
    }

    /** An answer counts only from the piece that started the flow (contract flows-and-engine 13.1). */
    private void answer(StepPath path, HttpAnswer answer) {
        if (answer == null || !flow.answersWith(path.step())) {
            return;
        }
        run.caller().answer(answer);
        run.commits().answer(answer);
        if (run.caller().isToBeAnswered() || run.commits().isToKeepAnswer()) {
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

    /** A broken run is retried, which the setting of such a step excludes (decision 0034). */
    private boolean failsOnCrash(StepPath path) {
        return flow.plan().step(path.step()) instanceof PlanStep.ExecutableAction act && act.failsOnCrash();
    }

    private RunJournal.Entry told(StepPath path, StepConsole console, RunJournal.Entry entry) {
        return told(path, journal.withConsole(entry, console));
    }

    private RunJournal.Entry told(StepPath path, RunJournal.Entry entry) {
        reporter.wrote(path, entry.record());
        return entry;
    }

    /** The step fails without an execution, and is not retried. */
    private void failUnexecuted(StepPath path, int attempt, String message) {
        var record = told(path, journal.putFailed(path, Json.object(), message, 0));
        inbox.accept(new RunEvent.StepFailed(path, attempt, journal.keep(path, record), message, true));
    }

    private void restore(StepPath path, int attempt, ObjectNode record) {
        var bytes = journal.restore(path, record);
        reporter.restored();
        if (run.replay() != null && run.replay().isStop(path.text(flow.plan()))) {
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

    /** Evaluates the items of a loop. */
    public void resolveItems(StepPath path) {
        var loop = (CompiledFlow.Work.OfLoop) flow.step(path.step()).work();
        var started = System.nanoTime();
        var context = begin(path, path.text(flow.plan()), 1);
        scope(path, loop)
                .compose(scope -> environment.steps().control().items(loop, scope, context))
                .otherwise(cause -> new ControlSteps.Items.Refused(Json.object(), ErrorMessage.of(cause)))
                .onSuccess(items -> {
                    if (!context.isCancelled()) {
                        executing = null;
                        inbox.guarded(() -> resolved(path, items, started));
                    }
                });
    }

    private void resolved(StepPath path, ControlSteps.Items items, long started) {
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

    /** Reports the failure of a loop or a router. */
    private void refused(StepPath path, JsonNode input, String message, long durationMs) {
        var record = told(path, journal.putFailed(path, input, message, durationMs));
        inbox.accept(new RunEvent.StepFailed(path, 1, journal.count(record), message, false));
    }

    /** Evaluates the branches of a router. */
    public void evaluateBranches(StepPath path) {
        var router = (CompiledFlow.Work.OfRouter) flow.step(path.step()).work();
        var started = System.nanoTime();
        var context = begin(path, path.text(flow.plan()), 1);
        scope(path, router)
                .compose(scope -> environment.steps().control().choose(router, scope, context))
                .otherwise(cause -> new ControlSteps.Choice.Refused(Json.object(), ErrorMessage.of(cause)))
                .onSuccess(choice -> {
                    if (!context.isCancelled()) {
                        executing = null;
                        inbox.guarded(() -> chosen(path, router, choice, msSince(started)));
                    }
                });
    }

    /** Duration of a router: that of its conditions, without the steps of its branches. */
    private void chosen(StepPath path, CompiledFlow.Work.OfRouter router, ControlSteps.Choice choice, long durationMs) {
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

    /** Scope of the work; loads outputs that are stored apart first, if the work refers to any. */
    private Future<RunScope> scope(StepPath path, CompiledFlow.Work work) {
        var scope = new RunScope(journal.maps(path), clock.clock(), clock.random());
        return slices.isEmpty()
                ? Future.succeededFuture(scope)
                : inbox.ours(SlicedOutputs.load(slices, scope, work.templates()))
                        .map(scope::withOutputs);
    }

    private static long msSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1_000_000;
    }

    /** Discards the answer of the executing step. */
    public void abandon() {
        if (executing != null) {
            executing.cancel();
            executing = null;
        }
    }
}
