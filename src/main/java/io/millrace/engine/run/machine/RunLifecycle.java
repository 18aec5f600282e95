package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.LifecycleEffect.Begin;
import io.millrace.engine.run.machine.LifecycleEffect.Departure;
import io.millrace.engine.run.machine.LifecycleEffect.Insert;
import io.millrace.engine.run.machine.LifecycleEffect.Leave;
import io.millrace.engine.run.machine.LifecycleEffect.RecordTriggerFailure;
import io.millrace.engine.run.machine.LifecycleEffect.RecordTriggerOutput;
import io.millrace.engine.run.machine.LifecycleEffect.ReleaseResources;
import io.millrace.engine.run.machine.LifecycleEffect.Report;
import io.millrace.engine.run.machine.LifecycleEffect.RequestPermit;
import io.millrace.engine.run.machine.LifecycleEffect.ReturnPermit;
import io.millrace.engine.run.machine.LifecycleEffect.Show;
import io.millrace.engine.run.machine.LifecycleEffect.TellCaller;
import io.millrace.engine.run.machine.LifecycleEffect.WatchDeadline;
import io.millrace.engine.run.machine.LifecycleEffect.WatchUnseen;
import io.millrace.engine.run.machine.LifecycleEffect.Yield;
import io.millrace.engine.run.machine.LifecycleEvent.AnswerGiven;
import io.millrace.engine.run.machine.LifecycleEvent.Defect;
import io.millrace.engine.run.machine.LifecycleEvent.InboxEmpty;
import io.millrace.engine.run.machine.LifecycleEvent.LeaseDoubted;
import io.millrace.engine.run.machine.LifecycleEvent.MemoryShort;
import io.millrace.engine.run.machine.LifecycleEvent.PermitGranted;
import io.millrace.engine.run.machine.LifecycleEvent.PermitQueued;
import io.millrace.engine.run.machine.LifecycleEvent.PermitRefused;
import io.millrace.engine.run.machine.LifecycleEvent.Prepared;
import io.millrace.engine.run.machine.LifecycleEvent.SaveBroken;
import io.millrace.engine.run.machine.LifecycleEvent.SaveFailed;
import io.millrace.engine.run.machine.LifecycleEvent.SaveRefused;
import io.millrace.engine.run.machine.LifecycleEvent.Saved;
import io.millrace.engine.run.machine.LifecycleEvent.ServiceLost;
import io.millrace.engine.run.machine.LifecycleEvent.ShutDown;
import io.millrace.engine.run.machine.LifecycleEvent.SliceGranted;
import io.millrace.engine.run.machine.LifecycleEvent.SliceOver;
import io.millrace.engine.run.machine.LifecycleEvent.Superseded;
import io.millrace.engine.run.machine.LifecycleEvent.WaitedUnseen;
import io.millrace.engine.run.machine.LifecycleTransition.Deferred;
import io.millrace.engine.run.machine.LifecycleTransition.Ignored;
import io.millrace.engine.run.machine.LifecycleTransition.Moved;
import io.millrace.engine.run.machine.RunEvent.Broke;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
import io.millrace.engine.run.machine.RunEvent.Stored;
import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import io.millrace.engine.run.machine.RunLife.Stage.AwaitingPermit;
import io.millrace.engine.run.machine.RunLife.Stage.Completing;
import io.millrace.engine.run.machine.RunLife.Stage.Exited;
import io.millrace.engine.run.machine.RunLife.Stage.Preparing;
import io.millrace.engine.run.machine.RunLife.Stage.Saving;
import io.millrace.engine.run.machine.RunLife.Stage.Walking;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import java.util.List;

/**
 * The part of the machine around the walk: permit, writes, lease, acceptance and completion. It passes events of the
 * walk to the walk; {@link LifecycleWrites} turns Commit and Finish into the writes that the run needs in its current
 * state.
 */
final class RunLifecycle {
    private static final Walking WALKING = new Walking();
    private static final List<LifecycleEffect> WATCH_UNSEEN = List.of(new WatchDeadline(), new WatchUnseen());
    private static final List<LifecycleEffect> WATCH_AND_YIELD = List.of(new WatchDeadline(), new Yield());
    private static final List<LifecycleEffect> RETURN = List.of(new ReturnPermit());
    private static final List<LifecycleEffect> TOLD = List.of(new TellCaller());
    private static final Ignored NOTHING_SAVED = new Ignored("nothing is being written");
    private static final Ignored NOTHING_ASKED = new Ignored("no permit has been asked for");
    private static final Ignored SEEN = new Ignored("the run has a row, or needs none yet");
    private static final Ignored LATE = new Ignored("the end is being written, or has been");

    private RunLifecycle() {}

    static LifecycleTransition on(RunPlan plan, RunLife life, LifecycleEvent event) {
        return switch (life.stage()) {
            case Preparing _, AwaitingPermit _, Walking _ -> onLive(plan, life, event);
            case Saving saving -> onSaving(plan, life, saving, event);
            case Completing _ -> onCompleting(life, event);
            case Exited _ ->
                switch (event) {
                    case PermitGranted _, PermitQueued _ -> new Moved(life, RETURN);
                    default -> LATE;
                };
        };
    }

    private static LifecycleTransition onLive(RunPlan plan, RunLife life, LifecycleEvent event) {
        return switch (event) {
            case RunEvent.Begun _ when !(life.stage() instanceof Walking) -> NOTHING_ASKED;
            case RunEvent walked -> onWalk(plan, life, walked);
            case Prepared _ ->
                life.stage() instanceof Preparing
                        ? new Moved(life.at(new AwaitingPermit()), List.of(new RequestPermit()))
                        : new Ignored("the run is prepared already");
            case PermitGranted _ ->
                life.stage() instanceof AwaitingPermit
                        ? new Moved(life.at(WALKING), List.of(new Begin(LiveStatus.RUNNING)))
                        : NOTHING_ASKED;
            case PermitQueued _ -> life.stage() instanceof AwaitingPermit ? queued(life) : NOTHING_ASKED;
            case PermitRefused refused ->
                life.stage() instanceof AwaitingPermit ? lost(life, refused.cause()) : NOTHING_ASKED;
            case AnswerGiven _ -> new Moved(life.knowing(life.facts().withAnswer()), List.of());
            case InboxEmpty _ -> settled(life);
            case WaitedUnseen _ -> waitedUnseen(life);
            case SliceOver(var failureNext) ->
                !failureNext && isToBeSaved(life)
                        ? LifecycleWrites.saving(life, WATCH_AND_YIELD, List.of(), null, WALKING)
                        : new Moved(life, WATCH_AND_YIELD);
            case SliceGranted _ -> new Moved(life, List.of());
            case MemoryShort _ -> yielding(life);
            case LeaseDoubted(var term) -> new Moved(life.knowing(life.facts().doubtedIn(term)), List.of());
            case ServiceLost lost -> lost(life, lost.cause());
            case ShutDown shutDown -> lost(life, shutDown.cause());
            case Superseded _ -> superseded(life);
            case Defect(var cause) -> onWalk(plan, life, broke(cause));
            case Saved _, SaveRefused _, SaveFailed _, SaveBroken _ -> NOTHING_SAVED;
        };
    }

    /** Continues from the rows without loss, once there is memory: nothing has been done for the next step yet. */
    private static Moved yielding(RunLife life) {
        var leaving = List.of(
                new ReleaseResources(), new Report(LiveStatus.QUEUED), new Leave(Departure.YIELDED, true, null));
        return LifecycleWrites.saving(life, List.of(), leaving, null, new Exited(Departure.YIELDED));
    }

    /**
     * Without a caller that waits for the acceptance, the row is not written: the permit is often granted before that
     * (decision 0002).
     */
    private static Moved queued(RunLife life) {
        return life.isStored() || life.facts().acceptanceWanted()
                ? inLine(life)
                : new Moved(life, List.of(new Report(LiveStatus.QUEUED)));
    }

    /** A run that takes longer than a moment appears in the list of runs. */
    private static LifecycleTransition waitedUnseen(RunLife life) {
        if (life.isStored()) {
            return SEEN;
        }
        return switch (life.stage()) {
            case AwaitingPermit _ -> inLine(life);
            case Walking _
            when life.walk() instanceof Running ->
                LifecycleWrites.saving(life, LifecycleWrites.WATCH, List.of(), null, WALKING);
            default -> SEEN;
        };
    }

    private static Moved inLine(RunLife life) {
        var write = life.isStored() ? new Show(LiveStatus.QUEUED) : new Insert(LiveStatus.QUEUED);
        return new Moved(
                life.at(new Saving(
                        life.stage(), List.of(new Report(LiveStatus.QUEUED)), null, LiveStatus.QUEUED, false, 0)),
                List.of(write));
    }

    /**
     * Saves the acceptance and the status before the run waits, so that neither callers nor readers wait for the step.
     */
    private static Moved settled(RunLife life) {
        if (isToBeSaved(life)) {
            return LifecycleWrites.saving(life, LifecycleWrites.WATCH, List.of(), null, WALKING);
        }
        return life.walk() instanceof Paused
                ? new Moved(
                        life.at(new Exited(Departure.PAUSED)),
                        List.of(
                                new ReleaseResources(),
                                new Report(LiveStatus.PAUSED),
                                new Leave(Departure.PAUSED, life.isStored(), null)))
                : new Moved(life, mayBeUnseen(life) ? WATCH_UNSEEN : LifecycleWrites.WATCH);
    }

    private static boolean mayBeUnseen(RunLife life) {
        return !life.isStored() && !(life.stage() instanceof Preparing);
    }

    private static boolean isToBeSaved(RunLife life) {
        return life.walk() instanceof Running
                && (life.isStored()
                        ? life.facts().row() != LiveStatus.RUNNING
                        : life.facts().acceptanceWanted());
    }

    private static LifecycleTransition onSaving(RunPlan plan, RunLife life, Saving saving, LifecycleEvent event) {
        return switch (event) {
            case Saved _ -> saved(plan, life, saving);
            case MemoryShort _ -> yielding(life);
            case SaveRefused _ -> lost(life, null);
            case SaveFailed failed -> lost(life, failed.cause());
            case SaveBroken(var cause) -> onWalk(plan, life.at(WALKING), broke(cause));
            case PermitRefused refused ->
                saving.next() instanceof AwaitingPermit ? lost(life, refused.cause()) : NOTHING_ASKED;
            case ServiceLost lost -> lost(life, lost.cause());
            case ShutDown shutDown -> lost(life, shutDown.cause());
            case Superseded _ -> superseded(life);
            case LeaseDoubted(var term) -> new Moved(life.knowing(life.facts().doubtedIn(term)), List.of());
            case RunEvent _,
                    Prepared _,
                    PermitGranted _,
                    PermitQueued _,
                    AnswerGiven _,
                    InboxEmpty _,
                    WaitedUnseen _,
                    SliceOver _,
                    SliceGranted _,
                    Defect _ -> new Deferred();
        };
    }

    private static LifecycleTransition saved(RunPlan plan, RunLife life, Saving saving) {
        var facts = life.facts().saved(saving.row());
        // A node that was suspended after the begin of the write is as uncertain as before.
        var isSure = saving.surely() && facts.doubtTerm() == saving.term();
        var now = new RunLife(stored(plan, life.walk()), saving.next(), isSure ? facts.sureIn(saving.term()) : facts);
        if (saving.again() != null) {
            return after(TOLD, onWalk(plan, now, saving.again()), now);
        }
        return isSure
                ? new Moved(now, LifecycleWrites.joined(TOLD, saving.then()))
                : after(TOLD, LifecycleWrites.emitted(now, saving.then(), null), now);
    }

    private static RunState stored(RunPlan plan, RunState walk) {
        return switch (walk) {
            case Queued(var _, var stored) when !stored -> storedNow(plan, walk);
            case Running running when !running.progress().stored() -> storedNow(plan, walk);
            default -> walk;
        };
    }

    private static RunState storedNow(RunPlan plan, RunState walk) {
        return RunMachine.on(plan, walk, new Stored()) instanceof Transition.Moved(var next, var _) ? next : walk;
    }

    private static LifecycleTransition onCompleting(RunLife life, LifecycleEvent event) {
        return switch (event) {
            case Saved _ ->
                new Moved(
                        life.at(new Exited(Departure.ENDED)),
                        List.of(new ReleaseResources(), new Leave(Departure.ENDED, true, null)));
            case SaveRefused _ -> lost(life, null);
            case SaveFailed failed -> lost(life, failed.cause());
            case SaveBroken broken -> lost(life, broken.cause());
            case ShutDown shutDown -> lost(life, shutDown.cause());
            case Defect defect -> lost(life, defect.cause());
            case Superseded _ -> superseded(life);
            case PermitGranted _, PermitQueued _ -> new Moved(life, RETURN);
            case RunEvent _,
                    Prepared _,
                    PermitRefused _,
                    AnswerGiven _,
                    InboxEmpty _,
                    WaitedUnseen _,
                    SliceOver _,
                    SliceGranted _,
                    MemoryShort _,
                    LeaseDoubted _,
                    ServiceLost _ -> LATE;
        };
    }

    private static LifecycleTransition onWalk(RunPlan plan, RunLife life, RunEvent event) {
        // Delivers an answer at once when the run continues, but never before the results before it are durable.
        if (event instanceof StepSucceeded && life.facts().answerDue()) {
            return LifecycleWrites.saving(life, LifecycleWrites.WATCH, List.of(), event, WALKING);
        }
        return switch (RunMachine.on(plan, life.walk(), event)) {
            case Transition.Ignored(var reason) -> new Ignored(reason);
            case Transition.Moved(var next, var effects) -> {
                var moved = LifecycleWrites.emitted(life.walked(next), effects, firstAttempt(effects));
                yield life.walk() instanceof Queued ? recorded(event, moved) : moved;
            }
        };
    }

    /** Execute is always the last effect of its move. */
    private static StepPath firstAttempt(List<RunEffect> effects) {
        return !effects.isEmpty()
                        && effects.getLast() instanceof RunEffect.Execute(var path, var attempt)
                        && attempt == 1
                ? path
                : null;
    }

    /** A run that ends before it has begun has a record of its trigger, too. */
    private static Moved recorded(RunEvent event, Moved moved) {
        return switch (event) {
            case CancelRequested _ -> after(List.of(new RecordTriggerOutput()), moved, moved.life());
            case TriggerFailed(var _, var message, var hasOutput) ->
                after(List.of(new RecordTriggerFailure(message, hasOutput)), moved, moved.life());
            default -> moved;
        };
    }

    private static Moved lost(RunLife life, Throwable cause) {
        return left(life, Departure.LOST, cause);
    }

    private static Moved superseded(RunLife life) {
        return left(life, Departure.SUPERSEDED, null);
    }

    private static Moved left(RunLife life, Departure departure, Throwable cause) {
        return new Moved(
                life.at(new Exited(departure)),
                List.of(new ReleaseResources(), new Leave(departure, life.isStored(), cause)));
    }

    private static Broke broke(Throwable cause) {
        return new Broke(String.valueOf(cause.getMessage()));
    }

    /** The preceding effects are performed in any case, so the run does not yield here. */
    private static Moved after(List<LifecycleEffect> before, LifecycleTransition moved, RunLife otherwise) {
        return moved instanceof Moved(var life, var effects, var _)
                ? new Moved(life, LifecycleWrites.joined(before, effects))
                : new Moved(otherwise, before);
    }
}
