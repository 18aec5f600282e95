package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.PlanTree.act;
import static io.millrace.engine.run.machine.PlanTree.plan;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.millrace.engine.run.machine.LifecycleTransition.Moved;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import io.millrace.engine.run.machine.RunEvent.StepFailed;
import io.millrace.engine.run.machine.RunEvent.StepPaused;
import io.millrace.engine.run.machine.RunEvent.StepSucceeded;
import io.millrace.engine.run.machine.RunEvent.TriggerFailed;
import java.util.List;

/** Runs in every stage, and every event that they can receive there. Each has two impure steps. */
final class RunLives {
    static final RunPlan PLAN = plan(act("a").retrying(), act("b"));
    private static final StepPath FIRST = StepPath.of(PLAN.first());
    private static final long TERM = 7;

    /** A run in a stage, under a described condition. */
    record Sample(String when, RunLife life) {
        String stage() {
            return stageOf(life);
        }
    }

    private RunLives() {}

    static String stageOf(RunLife life) {
        return life.stage().getClass().getSimpleName();
    }

    static List<Sample> samples() {
        return List.of(
                new Sample("no row", made(null, false)),
                new Sample("no row", after(made(null, false), new Prepared())),
                new Sample("a row", after(made(LiveStatus.RUNNING, false), new Prepared())),
                new Sample("begins", after(made(null, true), new Prepared(), new PermitGranted())),
                new Sample("the row says QUEUED", walking(LiveStatus.QUEUED)),
                new Sample("the row says RUNNING", walking(LiveStatus.RUNNING)),
                new Sample("an answer is due", after(walking(LiveStatus.RUNNING), new AnswerGiven())),
                new Sample("the lease is in doubt", after(walking(LiveStatus.RUNNING), new LeaseDoubted(8))),
                new Sample("the step is tried again", after(walking(LiveStatus.RUNNING), failed())),
                new Sample("begins, the run is a suspect", suspected()),
                new Sample("the walk is paused", paused()),
                new Sample("in line, no row", after(made(null, false), new Prepared(), new PermitQueued())),
                new Sample("in line", after(made(null, true), new Prepared(), new PermitQueued())),
                new Sample("before a step", after(walking(LiveStatus.RUNNING), succeeded())),
                new Sample("before a step, the lease is in doubt", doubtedWhileSaving()),
                new Sample("to be sure of the lease", after(doubtedWhileSaving(), new Saved())),
                new Sample("an answer", after(walking(LiveStatus.RUNNING), new AnswerGiven(), succeeded())),
                new Sample("before it yields", after(walking(LiveStatus.RUNNING), new MemoryShort())),
                new Sample("at a pause", after(walking(LiveStatus.RUNNING), new StepPaused(FIRST, 1, 1))),
                new Sample("", after(walking(LiveStatus.RUNNING), new CancelRequested())),
                new Sample("", after(walking(LiveStatus.RUNNING), new ShutDown(cause()))));
    }

    static List<LifecycleEvent> events() {
        return List.of(
                new Prepared(),
                new PermitGranted(),
                new PermitQueued(),
                new PermitRefused(cause()),
                new Begun(0),
                new TriggerFailed(TriggerFailed.Cause.ERROR, "boom", false),
                succeeded(),
                new StepPaused(FIRST, 1, 1),
                new CancelRequested(),
                new AnswerGiven(),
                new InboxEmpty(),
                new WaitedUnseen(),
                new SliceOver(false),
                new SliceOver(true),
                new SliceGranted(),
                new MemoryShort(),
                new LeaseDoubted(9),
                new Saved(),
                new SaveRefused(),
                new SaveFailed(cause()),
                new SaveBroken(cause()),
                new ServiceLost(cause()),
                new ShutDown(cause()),
                new Superseded(),
                new Defect(cause()));
    }

    static RunLife made(LiveStatus row, boolean acceptanceWanted) {
        return RunLife.made(LogBudget.of(100), row, acceptanceWanted, false, TERM);
    }

    /** The run after the events, each of which causes a transition. */
    static RunLife after(RunLife life, LifecycleEvent... events) {
        var now = life;
        for (var event : events) {
            var transition = RunLifecycle.on(PLAN, now, event);
            assertThat(transition).as("%s in %s", event, now).isInstanceOf(Moved.class);
            now = ((Moved) transition).life();
        }
        return now;
    }

    private static RunLife walking(LiveStatus row) {
        return after(made(row, false), new Prepared(), new PermitGranted(), new Begun(0));
    }

    private static RunLife suspected() {
        var life = RunLife.made(LogBudget.of(100), LiveStatus.RUNNING, false, true, TERM);
        return after(life, new Prepared(), new PermitGranted());
    }

    private static RunLife paused() {
        return after(walking(LiveStatus.RUNNING), new StepPaused(FIRST, 1, 1), new Saved());
    }

    private static RunLife doubtedWhileSaving() {
        return after(walking(LiveStatus.RUNNING), succeeded(), new LeaseDoubted(8));
    }

    private static StepSucceeded succeeded() {
        return new StepSucceeded(FIRST, 1, 1, false);
    }

    private static StepFailed failed() {
        return new StepFailed(FIRST, 1, 1, "boom", false);
    }

    private static Throwable cause() {
        return new IllegalStateException("boom");
    }
}
