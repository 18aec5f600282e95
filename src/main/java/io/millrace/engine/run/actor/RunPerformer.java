package io.millrace.engine.run.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunTimers;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.admission.RunAdmission;
import io.millrace.engine.run.journal.PendingResponse;
import io.millrace.engine.run.journal.RunCommits;
import io.millrace.engine.run.journal.RunJournal;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunReporter;
import io.millrace.engine.run.journal.RunSlices;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.engine.run.machine.LifecycleEffect;
import io.millrace.engine.run.machine.LifecycleEffect.Begin;
import io.millrace.engine.run.machine.LifecycleEffect.Leave;
import io.millrace.engine.run.machine.LifecycleEffect.RecordTriggerFailure;
import io.millrace.engine.run.machine.LifecycleEffect.RecordTriggerOutput;
import io.millrace.engine.run.machine.LifecycleEffect.ReleaseResources;
import io.millrace.engine.run.machine.LifecycleEffect.Report;
import io.millrace.engine.run.machine.LifecycleEffect.RequestPermit;
import io.millrace.engine.run.machine.LifecycleEffect.ReturnPermit;
import io.millrace.engine.run.machine.LifecycleEffect.TellCaller;
import io.millrace.engine.run.machine.LifecycleEffect.WatchDeadline;
import io.millrace.engine.run.machine.LifecycleEffect.WatchUnseen;
import io.millrace.engine.run.machine.LifecycleEffect.Write;
import io.millrace.engine.run.machine.LifecycleEffect.Yield;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.LifecycleEvent.SaveBroken;
import io.millrace.engine.run.machine.LifecycleEvent.SaveFailed;
import io.millrace.engine.run.machine.LifecycleEvent.SaveRefused;
import io.millrace.engine.run.machine.LifecycleEvent.Saved;
import io.millrace.engine.run.machine.LifecycleEvent.SliceGranted;
import io.millrace.engine.run.machine.LifecycleEvent.WaitedUnseen;
import io.millrace.engine.run.machine.RunEffect;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.DeadlinePassed;
import io.millrace.engine.run.machine.RunEvent.RetryDue;
import io.millrace.engine.run.machine.RunLife;
import io.millrace.engine.run.machine.RunMailbox;
import io.millrace.engine.run.machine.StepPath;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.step.RunTrace;
import io.millrace.engine.run.step.StepDriver;
import io.vertx.core.AsyncResult;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs the effects of one run, directly or through its parts. Makes no decision; the result of an effect enters the
 * run's inbox as an event.
 */
final class RunPerformer implements RunMailbox.Performer {
    private static final Logger LOG = LoggerFactory.getLogger(RunPerformer.class);

    private final RunInbox inbox;
    private final CompiledFlow flow;
    private final JsonNode payload;
    private final long payloadBytes;
    private final RunClock clock;
    private final LongSupplier term;
    private final RunAdmission admission;
    private final RunDepartures departures;
    private final RunMemory.Part memory;
    private final PendingResponse caller;
    private final RunTimers timers;
    private final RunReporter reporter;
    private final RunJournal journal;
    private final RunCommits commits;
    private final StepDriver steps;
    private final RunTrace trace;
    private final boolean isSuspect;
    private final PermitApplication permit;
    private RunWrite.Ending ending;

    RunPerformer(
            RunHost host,
            RunInbox inbox,
            CompiledFlow flow,
            RunSnapshot run,
            StartListener waiter,
            RunActor.Room room,
            RunLife life) {
        this.inbox = inbox;
        this.flow = flow;
        this.payload = run.payload();
        this.payloadBytes = room.payloadBytes();
        this.isSuspect = room.noted();
        this.clock = host.clock();
        this.term = host.ownership().term();
        this.admission = host.ownership().admission();
        this.permit = new PermitApplication(inbox, clock);
        this.departures = host.ownership().departures();
        this.memory = room.memory();
        this.caller = new PendingResponse(run.header().id(), waiter);
        this.timers =
                new RunTimers(host.clock(), host.limits().flowTimeoutMs(), () -> inbox.accept(new DeadlinePassed()));
        var slices = new RunSlices(host.storage().slices(), host.limits().sliceBytesMin(), run.header());
        this.journal = new RunJournal(
                flow,
                slices,
                memory,
                host.limits().logBytesMax(),
                run.recorded().records());
        this.commits = new RunCommits(host.storage().writer(), clock, flow, journal, slices, run, payloadBytes);
        this.reporter = new RunReporter(host.notices().watch(), clock, flow, commits, life);
        this.trace = RunTrace.of(host.notices().tracer(), clock, run.header());
        this.steps = new StepDriver(
                host.environment(),
                clock,
                inbox,
                new StepDriver.RunParts(
                        new StepDriver.Origin(
                                flow, run.recorded().resume(), run.recorded().replay()),
                        new StepDriver.Recording(journal, slices, commits, reporter),
                        caller,
                        timers,
                        memory,
                        trace));
    }

    RunWrite.RunHeader header() {
        return commits.header();
    }

    long fence() {
        return commits.fence();
    }

    Optional<RunView.CurrentLog> seen(StepPath atWork, int stepsCount) {
        return journal.seen(atWork).map(steps -> new RunView.CurrentLog(steps, stepsCount));
    }

    void tellAgain(RunStatus status, long after) {
        reporter.tellAgain(status, journal.steps(), after);
    }

    /**
     * Returns whether the server lacks memory for a run of this size and the run can continue from its rows without
     * loss: before a step that has not been attempted. A step that is tested alone has no further steps, so it does not
     * yield.
     */
    @Override
    public boolean isToYield(StepPath next) {
        return memory.isToGiveWay() && flow.test() == null && journal.recorded(next.text(flow.plan())) == null;
    }

    @Override
    public long term() {
        return term.getAsLong();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void later(Runnable action) {
        clock.later(action);
    }

    @Override
    public void ignored(LifecycleEvent event, String reason) {
        LOG.debug("run {} ignores {}: {}", header().id(), event.getClass().getSimpleName(), reason);
    }

    @Override
    public void struck(Throwable defect) {
        LOG.error("defect in run {}", header().id(), defect);
    }

    @Override
    public void perform(RunLife life, List<? extends LifecycleEffect> effects) {
        reporter.stands(life);
        for (var effect : effects) {
            switch (effect) {
                case RunEffect ofWalk -> perform(ofWalk);
                case LifecycleEffect.Surrounding surrounding -> perform(surrounding);
            }
        }
    }

    private void perform(RunEffect effect) {
        switch (effect) {
            case RunEffect.MarkBegun(var path) -> journal.markBegun(path);
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
                timers.start(delayMs, () -> inbox.accept(new RetryDue(path, attempt)));
            case RunEffect.StartDeadline _ -> timers.startDeadline();
            case RunEffect.StopDeadline _ -> timers.stop();
            case RunEffect.Abandon _ -> steps.abandon();
            case RunEffect.Commit _, RunEffect.Finish _ ->
                throw new IllegalStateException("expected a write in place of " + effect);
        }
    }

    void logTrigger(StepConsole console) {
        journal.logTrigger(console);
    }

    private void perform(LifecycleEffect.Surrounding effect) {
        switch (effect) {
            case Write write -> write(write);
            case RequestPermit _ -> admission.admit(header(), fence(), isAwaited(), permit);
            case ReturnPermit _ -> permit.giveBack();
            case Begin(var status) -> begin(RunStatus.of(status));
            case RecordTriggerOutput _ -> {
                if (!journal.hasBegun()) {
                    journal.begin(payload, payloadBytes);
                }
            }
            case RecordTriggerFailure(var message, var hasOutput) ->
                journal.beginFailed(payload, payloadBytes, message, hasOutput);
            case WatchDeadline _ -> timers.watchDeadline();
            case WatchUnseen _ -> timers.watchUnseen(() -> inbox.accept(new WaitedUnseen()));
            case Yield _ -> clock.later(() -> inbox.accept(new SliceGranted()));
            case TellCaller _ -> {
                caller.accepted();
                caller.deliver();
            }
            case Report(var status) -> reporter.changed(RunStatus.of(status));
            case ReleaseResources _ -> release();
            case Leave leave -> leave(leave);
        }
    }

    private void write(Write write) {
        try {
            switch (write) {
                case LifecycleEffect.Insert(var status) ->
                    commits.insert(status).onComplete(this::written);
                case LifecycleEffect.Append _ -> commits.append().onComplete(this::written);
                case LifecycleEffect.AppendAs(var status) ->
                    commits.appendAs(status).onComplete(this::written);
                case LifecycleEffect.Show(var status) -> commits.show(status).onComplete(this::written);
                case LifecycleEffect.WritePause(var status, var stepsCount) -> {
                    if (caller.wantsAnswer()) {
                        departures.pausing(header().id());
                    }
                    commits.pause(status, stepsCount).onComplete(this::written);
                }
                case LifecycleEffect.NoteStep(var path) ->
                    commits.noteStep(path.text(flow.plan())).onComplete(this::written);
                case LifecycleEffect.WriteEnd writeEnd -> writeEnd(writeEnd);
            }
        } catch (RuntimeException | StackOverflowError defect) {
            LOG.error("run {} could not be written", header().id(), defect);
            inbox.accept(new SaveBroken(defect));
        }
    }

    /** While a suspect is queued, the others wait for it, and it is blamed for servers that end for other reasons. */
    private boolean isAwaited() {
        return isSuspect || caller.wantsAnswer();
    }

    /** The permit is returned before the write completes. */
    private void writeEnd(LifecycleEffect.WriteEnd write) {
        timers.stop();
        commits.logOf(write.end())
                .compose(log -> {
                    ending = commits.endingOf(write.end(), log);
                    return commits.end(ending, write.first());
                })
                .onComplete(this::written);
    }

    private void written(AsyncResult<Boolean> done) {
        if (done.failed()) {
            inbox.accept(new SaveFailed(done.cause()));
        } else {
            inbox.accept(done.result() ? new Saved() : new SaveRefused());
        }
    }

    /**
     * Begins without waiting for the database: a permit held over a commit would limit the throughput of short runs so
     * much that their queue never drains (decision 0002).
     */
    private void begin(RunStatus status) {
        commits.begin();
        reporter.changed(status);
        journal.begin(payload, payloadBytes);
        reporter.triggered(journal.steps());
        if (flow.test() == null) {
            inbox.accept(new Begun(payloadBytes));
        } else {
            commits.tellTestBegun();
            timers.startDeadline();
            steps.surround(() -> inbox.accept(new Begun(payloadBytes)));
        }
    }

    private void release() {
        timers.stop();
        permit.giveBack();
        memory.free();
        steps.abandon();
    }

    private void leave(Leave leave) {
        var departed = new RunDepartures.Departure(inbox, header(), fence(), leave.stored());
        switch (leave.departure()) {
            case PAUSED -> departures.paused(departed, caller.handedOn(), commits.next());
            case YIELDED -> {
                LOG.info("run {} is evicted to free memory", header().id());
                departures.yielded(departed, caller.handedOn());
            }
            case ENDED -> {
                var status = RunStatus.of(ending.status());
                caller.ended(status);
                reporter.ended(ending);
                trace.ended(ending);
                departures.ended(departed, ending, trace.recorded());
            }
            case LOST -> {
                logLoss(leave.cause());
                caller.lost(leave.stored() ? null : leave.cause());
                departures.abandoned(departed, leave.cause());
            }
            case SUPERSEDED -> {
                // The creator of the other actor asks for the waiting caller.
            }
        }
    }

    private void logLoss(Throwable cause) {
        var runId = header().id();
        if (cause == null) {
            LOG.warn("run {} has another owner", runId);
        } else if (ApiException.isUnavailable(cause)) {
            // The cause is logged already, and a busy server would repeat this a thousand times a second.
            LOG.debug("run {} could not be saved: {}", runId, cause.getMessage());
        } else {
            LOG.error("run {} could not be saved", runId, cause);
        }
    }

    StartListener handedOver(RunSnapshot next) {
        return caller.takenOver(commits.isPauseOf(next));
    }
}
