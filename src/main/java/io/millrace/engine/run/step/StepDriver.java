package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
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
import io.millrace.engine.run.log.RunLog;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.PlanStep;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.machine.StepReach;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.piece.ErrorMessage;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Executes the steps of one run and passes their outcomes to its {@link OutcomeRecorder}. At most one step executes at a
 * time; outcomes of an abandoned step are ignored.
 */
public final class StepDriver {
    private final StepEnvironment environment;
    private final RunClock clock;
    private final RunInbox inbox;
    private final RunParts run;
    private final CompiledFlow flow;
    private final RunJournal journal;
    private final RunSlices slices;
    private final OutcomeRecorder outcomes;
    private RunStepContext executing;

    public record RunParts(
            Origin origin,
            Recording recording,
            PendingResponse caller,
            RunTimers timers,
            RunMemory.Part memory,
            RunTrace trace) {
        /** Completion with which the step at the path resumes; null when it begins. */
        RunSnapshot.Resume resume(String path) {
            var resume = origin.resume();
            return resume != null && resume.path().equals(path) ? resume : null;
        }
    }

    /**
     * Flow of the run, and the state that it continues.
     *
     * @param resume completion with which a step resumes, or null
     * @param replay instructions of a run that replays an earlier one, or null
     */
    public record Origin(CompiledFlow flow, RunSnapshot.Resume resume, RunReplay replay) {}

    public record Recording(RunJournal journal, RunSlices slices, RunCommits commits, RunReporter reporter) {}

    public StepDriver(StepEnvironment environment, RunClock clock, RunInbox inbox, RunParts run) {
        this.environment = environment;
        this.clock = clock;
        this.inbox = inbox;
        this.run = run;
        this.flow = run.origin().flow();
        this.journal = run.recording().journal();
        this.slices = run.recording().slices();
        this.outcomes = new OutcomeRecorder(inbox, run);
    }

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

    public void execute(StepPath path, int attempt) {
        var pathText = path.text(flow.plan());
        var before = journal.recorded(pathText);
        if (before != null && RunLog.isBegun(before)) {
            outcomes.failUnexecuted(path, attempt, OutcomeRecorder.CRASHED);
            return;
        }
        if (before != null && !RunLog.isPaused(before)) {
            outcomes.restore(path, attempt, before);
            return;
        }
        var resume = run.resume(pathText);
        if (resume != null && resume.expired()) {
            outcomes.failUnexecuted(
                    path, attempt, ErrorMessage.of(environment.waitpoints().expired()));
            return;
        }
        if (run.origin().replay() != null && isWithheld(path)) {
            outcomes.failUnexecuted(path, attempt, ErrorMessage.of(RunReplay.withheld(pathText)));
            return;
        }
        run.recording().reporter().started(path);
        var started = System.nanoTime();
        var context = begin(path, pathText, attempt);
        var work = flow.step(path.step()).work();
        scope(path, work)
                .compose(scope -> environment.steps().act(work, scope, context))
                .onComplete(done -> {
                    if (context.cancellation().isCancelled()) {
                        return;
                    }
                    var outcome = done.succeeded()
                            ? done.result()
                            : new StepOutcome.Failed(Json.object(), ErrorMessage.of(done.cause()));
                    if (isFenced(context, outcome)) {
                        return;
                    }
                    executing = null;
                    inbox.guarded(() -> outcomes.ended(
                            path, attempt, withinMemory(outcome), context, OutcomeRecorder.msSince(started)));
                });
    }

    private boolean isWithheld(StepPath path) {
        return run.origin().replay().withholds(flow.step(path.step()).name())
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
                soFar -> run.recording().reporter().progressed(path, soFar),
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

    private StepOutcome withinMemory(StepOutcome outcome) {
        return outcome instanceof StepOutcome.Succeeded(var input, var _)
                        && run.memory().isTooLarge()
                ? new StepOutcome.MemoryExceeded(input)
                : outcome;
    }

    public void resolveItems(StepPath path) {
        var loop = (CompiledFlow.Work.OfLoop) flow.step(path.step()).work();
        var started = System.nanoTime();
        var context = begin(path, path.text(flow.plan()), 1);
        scope(path, loop)
                .compose(scope -> environment.steps().control().items(loop, scope, context))
                .otherwise(cause -> new ControlSteps.Items.Refused(Json.object(), ErrorMessage.of(cause)))
                .onSuccess(items -> {
                    if (!context.cancellation().isCancelled()) {
                        executing = null;
                        inbox.guarded(() -> outcomes.resolved(path, items, started));
                    }
                });
    }

    public void evaluateBranches(StepPath path) {
        var router = (CompiledFlow.Work.OfRouter) flow.step(path.step()).work();
        var started = System.nanoTime();
        var context = begin(path, path.text(flow.plan()), 1);
        scope(path, router)
                .compose(scope -> environment.steps().control().choose(router, scope, context))
                .otherwise(cause -> new ControlSteps.Choice.Refused(Json.object(), ErrorMessage.of(cause)))
                .onSuccess(choice -> {
                    if (!context.cancellation().isCancelled()) {
                        executing = null;
                        inbox.guarded(() -> outcomes.chosen(path, router, choice, OutcomeRecorder.msSince(started)));
                    }
                });
    }

    /** Loads outputs that are stored apart first, if the work refers to any. */
    private Future<RunScope> scope(StepPath path, CompiledFlow.Work work) {
        var scope = new RunScope(journal.maps(path), clock.clock(), clock.random());
        return slices.isEmpty()
                ? Future.succeededFuture(scope)
                : inbox.ours(SlicedOutputs.load(slices, scope, work.templates()))
                        .map(scope::withOutputs);
    }

    public void abandon() {
        if (executing != null) {
            executing.cancellation().cancel();
            executing = null;
        }
    }
}
