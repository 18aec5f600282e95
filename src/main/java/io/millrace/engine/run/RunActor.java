package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.engine.run.machine.Budget;
import io.millrace.engine.run.machine.RunEffect;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.RunMachine;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.machine.Transition;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.List;
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
    private final RunMemory.Part memory;
    private final PendingResponse caller;
    private final RunSnapshot.Resume resume;
    private final RunTimers timers;
    private final RunReporter reporter;
    private final RunJournal journal;
    private final RunCommits commits;
    private final PermitAcquisition turn;
    private final StepDriver steps;
    private final RunCompletion completion;
    private final boolean noted;
    private final ArrayDeque<RunEvent> inbox = new ArrayDeque<>();
    private RunState state;
    private boolean draining;
    private boolean saving;

    /** The term of the lease in which the run was this node's. */
    private long term;

    /** A run that begins. */
    RunActor(RunHost host, CompiledFlow flow, RunWrite.RunHeader header, JsonNode payload, StartListener waiter) {
        this(host, flow, RunSnapshot.fresh(header, payload), waiter);
    }

    /** A run that has not been read from its rows. */
    RunActor(RunHost host, CompiledFlow flow, RunSnapshot run, StartListener waiter) {
        this(host, flow, run, waiter, Room.of(host, run));
    }

    /**
     * What a run takes when it begins.
     *
     * @param memory for all its values
     * @param noted whether it is noted which step is at work, because it may end the server
     */
    record Room(RunMemory.Part memory, long payloadBytes, boolean noted) {
        private static Room of(RunHost host, RunSnapshot run) {
            var payloadBytes = JsonSize.of(run.payload());
            return new Room(host.memory().begin(payloadBytes), payloadBytes, false);
        }
    }

    /**
     * A run that has a row, or had another owner before: recorded steps are returned as they are, the others run.
     */
    RunActor(RunHost host, CompiledFlow flow, RunSnapshot run, StartListener waiter, Room room) {
        this.host = host;
        this.flow = flow;
        this.term = host.term();
        this.noted = room.noted();
        this.caller = new PendingResponse(run.header().id(), waiter);
        this.resume = run.resume();
        this.timers = new RunTimers(host, host.flowTimeoutMs(), () -> accept(new RunEvent.DeadlinePassed()));
        this.memory = room.memory();
        this.reporter = new RunReporter(host, this, flow);
        var slices = new RunSlices(host, run.header());
        this.journal = new RunJournal(flow, slices, memory, host.logBytesMax(), run.records());
        this.commits = new RunCommits(host, flow, journal, slices, run, room.payloadBytes());
        this.steps = new StepDriver(host, this, flow, journal, slices, reporter);
        this.turn = new PermitAcquisition(
                host, this, commits, journal, reporter, steps, run.payload(), room.payloadBytes());
        this.completion = new RunCompletion(host, this, commits, caller, reporter, this::release);
        this.state = new RunState.Queued(Budget.of(host.logBytesMax()), commits.isStored());
    }

    String runId() {
        return commits.header().id();
    }

    RunWrite.RunHeader header() {
        return commits.header();
    }

    /** Number that says which ownership of the run this is; a later one shuts it out. */
    long fence() {
        return commits.fence();
    }

    /** Whether the run is known to have rows. */
    boolean isStored() {
        return commits.isStored();
    }

    /** What the step at the path goes on with; null when it begins. */
    RunSnapshot.Resume resume(String path) {
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
    PermitAcquisition turn() {
        return turn;
    }

    boolean isSaving() {
        return saving;
    }

    /** Whether nothing is left to begin: the run walks, or is over. */
    boolean isPastBeginning() {
        return completion.hasBegun() || !(state instanceof RunState.Queued);
    }

    /** It is durable now; the machine learns of it before anything else that waits. */
    void stored() {
        inbox.addFirst(new RunEvent.Stored());
    }

    /** Ends the run as soon as what is just being saved is saved. */
    void cancel() {
        turn.prepareEnd();
        accept(new RunEvent.CancelRequested());
    }

    /** Stops at once; the run is carried on by its next owner. */
    void abandon(Throwable cause) {
        completion.abandon(cause);
    }

    /** Another actor carries the run on; answers who waits on. */
    StartListener supersede(RunSnapshot next) {
        return completion.supersede(next);
    }

    /** Takes an event; may be called at any time on the shard's loop. */
    void accept(RunEvent event) {
        inbox.add(event);
        drain();
    }

    /** Works off the inbox, unless that is being done already or what was done so far is just being saved. */
    private void drain() {
        if (draining || saving || completion.hasBegun()) {
            return;
        }
        draining = true;
        var sliceEnd = System.nanoTime() + SLICE_NANOS;
        try {
            while (!inbox.isEmpty() && !saving && !completion.hasBegun()) {
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

    /**
     * Nothing to do until something answers; whoever waits for the run to be accepted, or looks at it, need not wait for
     * that too.
     */
    private void settle() {
        if (!completion.hasBegun()) {
            timers.watchDeadline();
        }
        if (isToBeAccepted()) {
            saveThen(this::stored);
        } else if (isToBeSeen()) {
            saveThen(() -> {});
        } else if (!saving && !completion.hasBegun() && state instanceof RunState.Paused) {
            completion.pause();
        }
    }

    /**
     * Lets other runs have the loop; a run that somebody waits to be accepted for, or that seems to wait in line, is
     * saved meanwhile. Not while a failure is about to be judged: it may be repeated, and must not be recorded as final.
     */
    private void giveWay() {
        timers.watchDeadline();
        if (inbox.peek() instanceof RunEvent.StepFailed) {
            host.later(this::drain);
        } else if (isToBeAccepted()) {
            saveThen(this::stored);
        } else if (isToBeSeen()) {
            saveThen(() -> {});
        } else {
            host.later(this::drain);
        }
    }

    private boolean isToBeAccepted() {
        return !saving && !completion.hasBegun() && !commits.isStored() && caller.wantsAcceptance();
    }

    /** Whether the run walks while its row says that it waits. */
    private boolean isToBeSeen() {
        return !saving && !completion.hasBegun() && commits.isSeenWaiting() && state instanceof RunState.Running;
    }

    private void step(RunEvent event) {
        switch (RunMachine.on(flow.plan(), state, event)) {
            case Transition.Moved(var next, var effects) -> {
                state = next;
                if (isToGiveWay(effects)) {
                    saveThen(completion::giveWay);
                } else {
                    perform(effects, 0);
                }
            }
            case Transition.Ignored(var reason) ->
                LOG.debug("run {} ignores {}: {}", runId(), event.getClass().getSimpleName(), reason);
        }
    }

    /**
     * Whether the server has no memory left for a run as large as this one, and it can go on from its rows as it would
     * here: before a step that has not been tried. A step that is tested alone has hardly anything to go on to.
     */
    private boolean isToGiveWay(List<RunEffect> effects) {
        return memory.isToGiveWay()
                && flow.test() == null
                && effects.stream()
                        .anyMatch(effect -> effect instanceof RunEffect.Execute(var path, var attempt)
                                && attempt == 1
                                && journal.recorded(path.text(flow.plan())) == null);
    }

    private void perform(List<RunEffect> effects, int from) {
        for (var i = from; i < effects.size(); i++) {
            switch (effects.get(i)) {
                case RunEffect.Commit _ -> {
                    var next = i + 1;
                    saveThen(() -> perform(effects, next));
                    return;
                }
                case RunEffect.MarkBegun(var path) -> journal.markBegun(path);
                case RunEffect.Execute(var path, var attempt) -> {
                    if (isDoubtful()) {
                        var next = i + 1;
                        makeSureThen(() -> {
                            steps.execute(path, attempt);
                            perform(effects, next);
                        });
                        return;
                    }
                    if (noted && commits.isStored()) {
                        var next = i + 1;
                        saveThen(host.noteStep(runId(), fence(), path.text(flow.plan())), () -> {
                            steps.execute(path, attempt);
                            perform(effects, next);
                        });
                        return;
                    }
                    steps.execute(path, attempt);
                }
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
                case RunEffect.Finish(var end) -> completion.end(end);
            }
        }
    }

    /**
     * Whether another node may have the run. A process that stood still for longer than its lease must not do again
     * outside what the run's next owner has done meanwhile; what it writes is refused by itself.
     */
    private boolean isDoubtful() {
        if (!commits.isStored()) {
            return false;
        }
        var now = host.term();
        return now == LeaseEpochs.NONE || now != term;
    }

    /** Goes on only when the run is this node's. */
    private void makeSureThen(Runnable next) {
        var sure = host.term();
        saveThen(() -> {
            term = sure;
            next.run();
        });
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
            if (completion.isOver()) {
                return;
            }
            if (done.failed() || !done.result()) {
                completion.abandon(done.cause());
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
            commits.answer(answer);
        }
    }

    /** An answer leaves at once when the run goes on, but never before what led to it is durable. */
    void succeed(RunEvent event) {
        if (caller.isToBeAnswered() || commits.isToKeepAnswer()) {
            saveThen(() -> {
                inbox.addFirst(event);
                stored();
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

    /** Whether the server would have no memory left if this run were its only one. */
    boolean isTooLarge() {
        return memory.isTooLarge();
    }

    RunTimers timers() {
        return timers;
    }

    /**
     * What a step asks of the server itself. A database that is away is nothing that the step did, so it must not fail
     * of it: the run is let go, and the step begins again, with the same idempotency key, where the run is carried on.
     */
    <T> Future<T> ours(Future<T> asked) {
        return asked.onFailure(cause -> {
            if (ApiException.isUnavailable(cause) && !completion.hasBegun()) {
                completion.abandon(cause);
            }
        });
    }

    /** The run is carried on elsewhere, or later. */
    void letGo(Throwable cause) {
        completion.abandon(cause);
    }

    private void release() {
        inbox.clear();
        memory.free();
        steps.abandon();
    }

    /** A defect ends the run as an internal error; one that strikes at the end leaves the run to its next owner. */
    private void breakOff(Throwable defect) {
        LOG.error("defect in run {}", runId(), defect);
        inbox.clear();
        if (state instanceof RunState.Ended) {
            completion.abandon(defect);
        } else {
            inbox.add(new RunEvent.Broke(String.valueOf(defect.getMessage())));
            host.later(this::drain);
        }
    }
}
