package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.HttpAnswer;
import io.millrace.run.StepRunner.Choice;
import io.millrace.run.StepRunner.Items;
import io.millrace.run.StepRunner.Outcome;
import io.millrace.run.machine.Budget;
import io.millrace.run.machine.EndStatus;
import io.millrace.run.machine.RunEffect;
import io.millrace.run.machine.RunEvent;
import io.millrace.run.machine.RunMachine;
import io.millrace.run.machine.RunState;
import io.millrace.run.machine.StepPath;
import io.millrace.run.machine.Transition;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run: takes one event from its inbox, asks the machine what follows, saves where the machine says so, and then
 * performs the effects, whose results come back as events.
 *
 * <p>A plain object on its shard's event loop: every method is called there, so nothing is synchronised. It decides
 * nothing about the order of steps; it knows values, the machine knows the way.
 */
final class RunActor {
    private static final Logger LOG = LoggerFactory.getLogger(RunActor.class);

    /** Longest turn on the event loop before other runs get theirs. */
    private static final long SLICE_NANOS = 2_000_000;

    private final RunHost host;
    private final CompiledFlow flow;
    private final RunWrite.Birth birth;
    private final JsonNode payload;
    private final RunWaiter waiter;
    private final RunJournal journal;
    private final Set<String> tags = new LinkedHashSet<>();
    private final ArrayDeque<RunEvent> inbox = new ArrayDeque<>();
    private RunState state;
    private boolean draining;
    private boolean saving;
    private boolean over;
    private boolean stored;
    private boolean answered;
    private long fence;
    private final RunTimers timers;
    private HttpAnswer pendingAnswer;
    private RunStepContext executing;

    /** A run that begins. */
    RunActor(RunHost host, CompiledFlow flow, RunWrite.Birth birth, JsonNode payload, RunWaiter waiter) {
        this.host = host;
        this.flow = flow;
        this.birth = birth;
        this.payload = payload;
        this.waiter = waiter;
        this.timers = newTimers(host);
        this.journal = new RunJournal(flow, Map.of());
        this.state = new RunState.Queued(Budget.of(host.logBytesMax()), stored);
    }

    /** A run that another owner left behind: recorded steps are returned as they are, the others run. */
    RunActor(RunHost host, CompiledFlow flow, LiveRun left) {
        this.host = host;
        this.flow = flow;
        this.birth = left.birth();
        this.payload = left.payload();
        this.waiter = RunWaiter.nobody();
        this.timers = newTimers(host);
        this.journal = new RunJournal(flow, left.records());
        this.tags.addAll(left.tags());
        this.stored = true;
        this.fence = left.fence();
        this.state = new RunState.Queued(Budget.of(host.logBytesMax()), stored);
    }

    private RunTimers newTimers(RunHost shard) {
        return new RunTimers(shard, shard.flowTimeoutMs(), () -> accept(new RunEvent.DeadlinePassed()));
    }

    String runId() {
        return birth.id();
    }

    RunWrite.Birth birth() {
        return birth;
    }

    /** Number that says which ownership of the run this is; a later one shuts it out. */
    long fence() {
        return fence;
    }

    CompiledFlow flow() {
        return flow;
    }

    /** Begins to walk. */
    void begin() {
        journal.begin(payload);
        accept(new RunEvent.Begun(JsonSize.of(payload)));
    }

    /** Ends the run at once with its trigger as the failed step. */
    void beginFailed(String errorMessage) {
        journal.beginFailed(payload, errorMessage);
        accept(new RunEvent.TriggerFailed(errorMessage));
    }

    /** Takes an event; may be called at any time on the shard's loop. */
    void accept(RunEvent event) {
        inbox.add(event);
        drain();
    }

    /** Works off the inbox, unless that is being done already or what was done so far is just being saved. */
    private void drain() {
        if (draining || saving || over) {
            return;
        }
        draining = true;
        var sliceEnd = System.nanoTime() + SLICE_NANOS;
        try {
            while (!inbox.isEmpty() && !saving && !over) {
                step(inbox.poll());
                if (System.nanoTime() > sliceEnd && !inbox.isEmpty()) {
                    giveWay();
                    return;
                }
            }
            settle();
        } catch (RuntimeException | StackOverflowError defect) {
            breakOff(defect);
        } finally {
            draining = false;
        }
    }

    /** Nothing to do until something answers; whoever waits for the run to be accepted need not wait for that too. */
    private void settle() {
        if (!over) {
            timers.watchDeadline();
        }
        if (isToBeAccepted()) {
            saveThen(() -> inbox.addFirst(new RunEvent.Stored()));
        }
    }

    /**
     * Lets other runs have the loop; a run that somebody waits to be accepted for is saved meanwhile. Not while a
     * failure is about to be judged: it may be repeated, and must not be recorded as final.
     */
    private void giveWay() {
        timers.watchDeadline();
        if (isToBeAccepted() && !(inbox.peek() instanceof RunEvent.StepFailed)) {
            saveThen(() -> inbox.addFirst(new RunEvent.Stored()));
        } else {
            host.later(this::drain);
        }
    }

    private boolean isToBeAccepted() {
        return !saving && !over && !stored && waiter.wantsAcceptance();
    }

    private void step(RunEvent event) {
        switch (RunMachine.on(flow.plan(), state, event)) {
            case Transition.Moved(var next, var effects) -> {
                state = next;
                perform(effects, 0);
            }
            case Transition.Ignored(var reason) ->
                LOG.debug("run {} ignores {}: {}", runId(), event.getClass().getSimpleName(), reason);
        }
    }

    private void perform(List<RunEffect> effects, int from) {
        for (var i = from; i < effects.size(); i++) {
            switch (effects.get(i)) {
                case RunEffect.Commit _ -> {
                    var next = i + 1;
                    saveThen(() -> perform(effects, next));
                    return;
                }
                case RunEffect.Execute(var path, var attempt) -> execute(path, attempt);
                case RunEffect.ResolveItems(var path) -> resolveItems(path);
                case RunEffect.EnterIteration(var path, var iteration) -> journal.enterIteration(path, iteration);
                case RunEffect.EvaluateBranches(var path) -> evaluateBranches(path);
                case RunEffect.DiscardAttempt(var path) -> journal.discard(path);
                case RunEffect.PassIterations(var path, var count) -> journal.passIterations(path, count);
                case RunEffect.ScheduleRetry(var path, var attempt, var delayMs) ->
                    timers.start(delayMs, () -> accept(new RunEvent.RetryDue(path, attempt)));
                case RunEffect.StartDeadline _ -> timers.startDeadline();
                case RunEffect.StopDeadline _ -> timers.stop();
                case RunEffect.Abandon _ -> abandonStep();
                case RunEffect.AwaitWaitpoint(var path) ->
                    throw new IllegalStateException("no step can pause, but one did at " + path);
                case RunEffect.Finish(var end) -> finish(end);
            }
        }
    }

    /** Saves what is unsaved, tells the waiting caller what may be told now, and goes on; events wait meanwhile. */
    private void saveThen(Runnable next) {
        saving = true;
        save().onComplete(done -> {
            saving = false;
            if (over) {
                return;
            }
            if (done.failed() || !done.result()) {
                abandon(done.cause());
                return;
            }
            deliverAnswer();
            draining = true;
            guarded(next);
            draining = false;
            drain();
        });
    }

    /** Whatever a callback throws ends the run, and nothing else. */
    private void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | StackOverflowError defect) {
            breakOff(defect);
        }
    }

    private Future<Boolean> save() {
        var results = journal.takeUnsaved();
        if (stored) {
            return host.write(new RunWrite.Append(runId(), fence, results));
        }
        return host.write(new RunWrite.Insert(birth, RecordText.of(payload), host.nodeId(), List.copyOf(tags), results))
                .map(saved -> {
                    stored = true;
                    waiter.accepted(runId());
                    return saved;
                });
    }

    private void execute(StepPath path, int attempt) {
        var step = flow.step(path.step());
        var pathText = path.text(flow.plan());
        var before = journal.recorded(pathText);
        if (before != null) {
            restore(path, attempt, before);
            return;
        }
        var started = System.nanoTime();
        var context = new RunStepContext(host, this, birth, step, pathText, attempt);
        executing = context;
        host.steps().act(step.work(), scope(path), context).onComplete(done -> {
            if (context.isCancelled()) {
                return;
            }
            executing = null;
            var outcome =
                    done.succeeded() ? done.result() : new Outcome.Failed(Json.object(), ErrorMessage.of(done.cause()));
            var durationMs = (System.nanoTime() - started) / 1_000_000;
            guarded(() -> ended(path, attempt, outcome, context, durationMs));
        });
    }

    private void ended(StepPath path, int attempt, Outcome outcome, RunStepContext context, long durationMs) {
        switch (outcome) {
            case Outcome.Succeeded(var input, var output) -> {
                var bytes = journal.keep(path, journal.put(path, "SUCCEEDED", input, output, durationMs));
                answer(path, context);
                if (context.stopped()) {
                    accept(new RunEvent.StepStopped(path, attempt, bytes));
                } else {
                    succeed(new RunEvent.StepSucceeded(path, attempt, bytes, false));
                }
            }
            case Outcome.Failed(var input, var message) -> {
                var record = journal.putFailed(path, input, message, durationMs);
                accept(new RunEvent.StepFailed(path, attempt, journal.keep(path, record), message, false));
            }
            case Outcome.MemoryExceeded(var input) -> {
                journal.putFailed(path, input, ErrorMessage.of("The step used too much memory"), durationMs);
                accept(new RunEvent.MemoryExceeded(path, attempt));
            }
            case Outcome.TimedOut(var input) -> {
                journal.putFailed(path, input, ErrorMessage.of("The flow took too long"), durationMs);
                accept(new RunEvent.DeadlinePassed());
            }
        }
    }

    /** Only the first answer counts, and only from the piece that started the flow (contract flows-and-engine 13.1). */
    private void answer(StepPath path, RunStepContext context) {
        if (context.answer() != null && !answered && flow.answersWith(path.step())) {
            answered = true;
            pendingAnswer = context.answer();
        }
    }

    /** An answer to the caller leaves at once when the run goes on, but never before what led to it is durable. */
    private void succeed(RunEvent event) {
        if (pendingAnswer == null || !waiter.wantsAnswer()) {
            accept(event);
            return;
        }
        saveThen(() -> {
            inbox.addFirst(event);
            inbox.addFirst(new RunEvent.Stored());
        });
    }

    private void restore(StepPath path, int attempt, ObjectNode record) {
        var bytes = journal.restore(path, record);
        accept(
                record.path("status").asText().equals("FAILED")
                        ? new RunEvent.StepFailed(
                                path,
                                attempt,
                                bytes,
                                record.path("errorMessage").asText(),
                                true)
                        : new RunEvent.StepSucceeded(path, attempt, bytes, true));
    }

    private void resolveItems(StepPath path) {
        var step = flow.step(path.step());
        var loop = (CompiledFlow.Work.OfLoop) step.work();
        var context = new RunStepContext(host, this, birth, step, path.text(flow.plan()), 1);
        executing = context;
        host.steps().items(loop, scope(path), context).onSuccess(items -> {
            if (!context.isCancelled()) {
                executing = null;
                guarded(() -> resolved(path, items));
            }
        });
    }

    private void resolved(StepPath path, Items items) {
        switch (items) {
            case Items.Found(var list, var logged) ->
                accept(new RunEvent.ItemsResolved(path, list.size(), journal.putLoop(path, list, logged)));
            case Items.Refused(var input, var message) -> refused(path, input, message);
        }
    }

    /** A loop or a router that cannot be walked. */
    private void refused(StepPath path, JsonNode input, String message) {
        var record = journal.putFailed(path, input, message, 0);
        accept(new RunEvent.StepFailed(path, 1, journal.count(path, record), message, false));
    }

    private void evaluateBranches(StepPath path) {
        var step = flow.step(path.step());
        var router = (CompiledFlow.Work.OfRouter) step.work();
        var context = new RunStepContext(host, this, birth, step, path.text(flow.plan()), 1);
        executing = context;
        host.steps().choose(router, scope(path), context).onSuccess(choice -> {
            if (!context.isCancelled()) {
                executing = null;
                guarded(() -> chosen(path, choice));
            }
        });
    }

    private void chosen(StepPath path, Choice choice) {
        switch (choice) {
            case Choice.Made(var evaluation, var input, var output) -> {
                var record = journal.put(path, "SUCCEEDED", input, output, 0);
                accept(new RunEvent.BranchesEvaluated(path, evaluation, journal.count(path, record)));
            }
            case Choice.Refused(var input, var message) -> refused(path, input, message);
        }
    }

    private RunScope scope(StepPath path) {
        return new RunScope(journal.maps(path), host.clock(), host.random(), Map.of());
    }

    void tag(String name) {
        tags.add(name);
    }

    long remainingMs() {
        return timers.remainingMs();
    }

    RunTimers timers() {
        return timers;
    }

    /** Nobody wants the answer of the running step any more. */
    private void abandonStep() {
        if (executing != null) {
            executing.cancel();
            executing = null;
        }
    }

    private void deliverAnswer() {
        if (pendingAnswer != null) {
            waiter.answered(runId(), pendingAnswer);
            pendingAnswer = null;
        }
    }

    private void finish(RunState.Ended end) {
        timers.stop();
        saving = true;
        if (end.status() == EndStatus.LOG_SIZE_EXCEEDED) {
            journal.dropOversizedOutput(
                    end.failedStep().orElse(StepPath.TRIGGER), end.message().orElse(""));
        }
        host.serialise(journal.steps(), journal.bytes()).onComplete(log -> {
            if (log.failed()) {
                abandon(log.cause());
            } else {
                finish(end, log.result());
            }
        });
    }

    private void finish(RunState.Ended end, Buffer log) {
        var status = RunStatus.valueOf(end.status().name());
        var ending = new RunWrite.Ending(
                status, host.clock().instant(), failedStep(end), List.copyOf(tags), end.stepsCount(), log);
        host.write(stored ? new RunWrite.End(birth, fence, ending) : new RunWrite.InsertEnded(birth, ending))
                .onComplete(done -> {
                    if (over) {
                        return;
                    }
                    if (done.failed() || !done.result()) {
                        abandon(done.cause());
                        return;
                    }
                    over = true;
                    waiter.accepted(runId());
                    deliverAnswer();
                    waiter.ended(runId(), status);
                    host.ended(this, status);
                });
    }

    private FailedStep failedStep(RunState.Ended end) {
        return end.failedStep()
                .map(path -> path.equals(StepPath.TRIGGER)
                        ? new FailedStep(
                                flow.trigger().name(),
                                flow.trigger().displayName(),
                                end.message().orElse(null))
                        : failedStep(flow.step(path.step()), end))
                .orElse(null);
    }

    private static FailedStep failedStep(CompiledFlow.CompiledStep step, RunState.Ended end) {
        return new FailedStep(step.name(), step.displayName(), end.message().orElse(null));
    }

    /** Another node owns the run, or nothing can be saved: this actor stops without another word to the database. */
    private void abandon(Throwable cause) {
        if (over) {
            return;
        }
        if (cause == null) {
            LOG.warn("run {} has another owner", runId());
        } else {
            LOG.error("run {} could not be saved", runId(), cause);
        }
        letGo(cause);
        host.abandoned(this, cause);
    }

    /** Another actor carries the run on: this one stops at once and is not heard of again. */
    void supersede() {
        letGo(null);
    }

    private void letGo(Throwable cause) {
        over = true;
        inbox.clear();
        timers.stop();
        abandonStep();
        waiter.lost(runId(), cause);
    }

    /** A defect ends the run as an internal error; one that strikes at the end leaves the run to its next owner. */
    private void breakOff(Throwable defect) {
        LOG.error("defect in run {}", runId(), defect);
        inbox.clear();
        if (state instanceof RunState.Ended) {
            abandon(defect);
        } else {
            inbox.add(new RunEvent.Broke(String.valueOf(defect.getMessage())));
            host.later(this::drain);
        }
    }
}
