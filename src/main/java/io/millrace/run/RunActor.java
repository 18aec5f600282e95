package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.HttpAnswer;
import io.millrace.run.machine.Budget;
import io.millrace.run.machine.RunEffect;
import io.millrace.run.machine.RunEvent;
import io.millrace.run.machine.RunMachine;
import io.millrace.run.machine.RunState;
import io.millrace.run.machine.StepPath;
import io.millrace.run.machine.Transition;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
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
    private final JsonNode payload;
    private final long payloadBytes;
    private final RunMemory.Part memory;
    private final RunCaller caller;
    private final LiveRun.Resume resume;
    private final RunTimers timers;
    private final RunReporter reporter;
    private final RunJournal journal;
    private final RunCommits commits;
    private final RunTurn turn;
    private final StepDriver steps;
    private final ArrayDeque<RunEvent> inbox = new ArrayDeque<>();
    private RunState state;
    private boolean draining;
    private boolean saving;
    private boolean over;

    /** A run that begins. */
    RunActor(RunHost host, CompiledFlow flow, RunWrite.Birth birth, JsonNode payload, RunWaiter waiter) {
        this(host, flow, birth, payload, waiter, Map.of(), false, 0, null);
    }

    /**
     * A run that another owner left behind, or that was paused: recorded steps are returned as they are, the others
     * run.
     */
    RunActor(RunHost host, CompiledFlow flow, LiveRun left, RunWaiter waiter) {
        this(host, flow, left.birth(), left.payload(), waiter, left.records(), true, left.fence(), left.resume());
        left.tags().forEach(commits::tag);
    }

    private RunActor(
            RunHost host,
            CompiledFlow flow,
            RunWrite.Birth birth,
            JsonNode payload,
            RunWaiter waiter,
            Map<String, JsonNode> recorded,
            boolean stored,
            long fence,
            LiveRun.Resume resume) {
        this.host = host;
        this.flow = flow;
        this.payload = payload;
        this.payloadBytes = JsonSize.of(payload);
        this.caller = new RunCaller(birth.id(), waiter);
        this.resume = resume;
        this.timers = new RunTimers(host, host.flowTimeoutMs(), () -> accept(new RunEvent.DeadlinePassed()));
        this.memory = host.memory().begin(payloadBytes);
        this.reporter = new RunReporter(host, this, flow);
        var slices = new RunSlices(host, birth);
        this.journal = new RunJournal(flow, slices, memory, host.logBytesMax(), recorded);
        this.commits = new RunCommits(host, flow, journal, slices, birth, payload, stored, fence);
        this.turn = new RunTurn(host, this, commits);
        this.steps = new StepDriver(host, this, flow, journal, slices, reporter);
        this.state = new RunState.Queued(Budget.of(host.logBytesMax()), stored);
    }

    String runId() {
        return commits.birth().id();
    }

    RunWrite.Birth birth() {
        return commits.birth();
    }

    /** Number that says which ownership of the run this is; a later one shuts it out. */
    long fence() {
        return commits.fence();
    }

    /** What the step at the path goes on with; null when it begins. */
    LiveRun.Resume resume(String path) {
        return resume != null && resume.path().equals(path) ? resume : null;
    }

    CompiledFlow flow() {
        return flow;
    }

    /** Whether an HTTP caller waits for the run's answer. */
    boolean isAwaited() {
        return caller.wantsAnswer();
    }

    /** How the run comes to begin. */
    RunTurn turn() {
        return turn;
    }

    boolean isSaving() {
        return saving;
    }

    /** Whether nothing is left to begin: the run walks, or is over. */
    boolean isPastBeginning() {
        return over || !(state instanceof RunState.Queued);
    }

    /** It is durable now that the run waits in line. */
    void inLine() {
        reporter.changed(RunStatus.QUEUED);
        inbox.addFirst(new RunEvent.Stored());
    }

    /** Begins to walk. */
    void begin() {
        reporter.changed(RunStatus.RUNNING);
        journal.begin(payload, payloadBytes);
        reporter.triggered(journal.steps());
        if (flow.test() == null) {
            accept(new RunEvent.Begun(payloadBytes));
        } else {
            timers.startDeadline();
            steps.surround(() -> accept(new RunEvent.Begun(payloadBytes)));
        }
    }

    /** Ends the run at once with its trigger as the failed step. */
    void beginFailed(String errorMessage) {
        journal.beginFailed(payload, payloadBytes, errorMessage);
        accept(new RunEvent.TriggerFailed(errorMessage));
    }

    /** Ends the run as soon as what is just being saved is saved. A retry needs the trigger's output in its log. */
    void cancel() {
        if (!journal.hasBegun()) {
            journal.begin(payload, payloadBytes);
        }
        accept(new RunEvent.CancelRequested());
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
        } else if (!over && !saving && state instanceof RunState.Paused) {
            leave();
        }
    }

    /** The run is paused and nothing has happened to it meanwhile: whoever resumes it makes it anew from its rows. */
    private void leave() {
        over = true;
        memory.free();
        turn.giveSlotBack();
        reporter.changed(RunStatus.PAUSED);
        host.paused(this, caller.handedOn(), commits.next());
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
        return !saving && !over && !commits.isStored() && caller.wantsAcceptance();
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
                case RunEffect.Execute(var path, var attempt) -> steps.execute(path, attempt);
                case RunEffect.ResolveItems(var path) -> steps.resolveItems(path);
                case RunEffect.EnterIteration(var path, var iteration) -> journal.enterIteration(path, iteration);
                case RunEffect.EvaluateBranches(var path) -> steps.evaluateBranches(path);
                case RunEffect.DiscardAttempt(var path) -> {
                    reporter.tookBack();
                    journal.discard(path);
                }
                case RunEffect.PassIterations(var path, var count) -> journal.passIterations(path, count);
                case RunEffect.ScheduleRetry(var path, var attempt, var delayMs) ->
                    timers.start(delayMs, () -> accept(new RunEvent.RetryDue(path, attempt)));
                case RunEffect.StartDeadline _ -> timers.startDeadline();
                case RunEffect.StopDeadline _ -> timers.stop();
                case RunEffect.Abandon _ -> steps.abandon();
                case RunEffect.AwaitWaitpoint _ -> LOG.debug("run {} is paused", runId());
                case RunEffect.Finish(var end) -> finish(end);
            }
        }
    }

    /** Saves what is unsaved, tells the waiting caller what may be told now, and goes on; events wait meanwhile. */
    private void saveThen(Runnable next) {
        saveThen(save(), next);
    }

    /** Waits until something is saved before it goes on; a run that could not be saved is let go. */
    void saveThen(Future<Boolean> save, Runnable next) {
        saving = true;
        save.onComplete(done -> {
            saving = false;
            if (over) {
                return;
            }
            if (done.failed() || !done.result()) {
                abandon(done.cause());
                return;
            }
            caller.accepted();
            caller.deliver();
            draining = true;
            guarded(next);
            draining = false;
            drain();
        });
    }

    /** Whatever a callback throws ends the run, and nothing else. */
    void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | StackOverflowError defect) {
            breakOff(defect);
        }
    }

    private Future<Boolean> save() {
        return state instanceof RunState.Paused paused ? commits.pause(paused.stepsCount()) : commits.save();
    }

    /** The step at the path waits. */
    void pauseAt(String path, String waitpointId) {
        commits.waitAt(path, waitpointId);
    }

    /** An answer counts only from the piece that started the flow (contract flows-and-engine 13.1). */
    void answer(StepPath path, HttpAnswer answer) {
        if (answer != null && flow.answersWith(path.step())) {
            caller.answer(answer);
        }
    }

    /** An answer to the caller leaves at once when the run goes on, but never before what led to it is durable. */
    void succeed(RunEvent event) {
        if (caller.isToBeAnswered()) {
            saveThen(() -> {
                inbox.addFirst(event);
                inbox.addFirst(new RunEvent.Stored());
            });
        } else {
            accept(event);
        }
    }

    /** Tells a watcher what was written after a record, and how the run stands. */
    void tellAgain(long after) {
        if (!(state instanceof RunState.Ended)) {
            reporter.tellAgain(
                    state instanceof RunState.Queued ? RunStatus.QUEUED : RunStatus.RUNNING, journal.steps(), after);
        }
    }

    List<String> tags() {
        return commits.tags();
    }

    int stepsCount() {
        return switch (state) {
            case RunState.Queued _ -> 0;
            case RunState.Running running -> running.progress().stepsCount();
            case RunState.Paused paused -> paused.stepsCount();
            case RunState.Ended ended -> ended.stepsCount();
        };
    }

    void tag(String name) {
        commits.tag(name);
    }

    /** Whether the server has no memory left for a run as large as this one. */
    boolean isOutOfMemory() {
        return memory.isExhausted();
    }

    RunTimers timers() {
        return timers;
    }

    private void finish(RunState.Ended end) {
        timers.stop();
        turn.giveSlotBack();
        saving = true;
        commits.logOf(end).onComplete(log -> {
            if (log.failed()) {
                abandon(log.cause());
            } else {
                finish(commits.endingOf(end, log.result()));
            }
        });
    }

    private void finish(RunWrite.Ending ending) {
        commits.end(ending).onComplete(done -> {
            if (over) {
                return;
            }
            if (done.failed() || !done.result()) {
                abandon(done.cause());
                return;
            }
            over = true;
            memory.free();
            caller.ended(ending.status());
            reporter.ended(ending);
            host.ended(this, ending.status());
        });
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

    /**
     * Another actor carries the run on: this one stops at once and is not heard of again.
     *
     * @param next the run as it is carried on
     * @return who waits on
     */
    RunWaiter supersede(LiveRun next) {
        LOG.debug("run {} is carried on by another actor", runId());
        stop();
        return caller.takenOver(commits.isPauseOf(next));
    }

    private void letGo(Throwable cause) {
        stop();
        caller.lost(cause);
    }

    private void stop() {
        over = true;
        inbox.clear();
        memory.free();
        turn.giveSlotBack();
        timers.stop();
        steps.abandon();
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
