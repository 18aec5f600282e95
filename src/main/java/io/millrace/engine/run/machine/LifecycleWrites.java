package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.LifecycleEffect.Append;
import io.millrace.engine.run.machine.LifecycleEffect.AppendAs;
import io.millrace.engine.run.machine.LifecycleEffect.Insert;
import io.millrace.engine.run.machine.LifecycleEffect.NoteStep;
import io.millrace.engine.run.machine.LifecycleEffect.ReturnPermit;
import io.millrace.engine.run.machine.LifecycleEffect.WatchDeadline;
import io.millrace.engine.run.machine.LifecycleEffect.Write;
import io.millrace.engine.run.machine.LifecycleEffect.WriteEnd;
import io.millrace.engine.run.machine.LifecycleEffect.WritePause;
import io.millrace.engine.run.machine.LifecycleTransition.Moved;
import io.millrace.engine.run.machine.RunLife.Stage;
import io.millrace.engine.run.machine.RunLife.Stage.Completing;
import io.millrace.engine.run.machine.RunLife.Stage.Saving;
import io.millrace.engine.run.machine.RunLife.Stage.Walking;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.RunState.Running;
import java.util.ArrayList;
import java.util.List;

/** Writes that a run needs in its current state: effects that depend on a write are kept until it is durable. */
final class LifecycleWrites {
    static final List<LifecycleEffect> WATCH = List.of(new WatchDeadline());
    private static final Walking WALKING = new Walking();

    private LifecycleWrites() {}

    /** The effects that the run may perform now: a barrier becomes a write, and the rest waits for it. */
    static Moved emitted(RunLife life, List<? extends LifecycleEffect> effects, StepPath first) {
        for (var i = 0; i < effects.size(); i++) {
            var before = effects.subList(0, i);
            switch (effects.get(i)) {
                case RunEffect.Commit _ -> {
                    var then = effects.subList(i + 1, effects.size());
                    return new Moved(
                            life.at(new Saving(WALKING, then, null, rowAfter(life), false, 0)),
                            joined(watched(life, before), List.of(write(life))),
                            first);
                }
                case RunEffect.Finish(var end) -> {
                    return new Moved(
                            life.at(new Completing(end)),
                            joined(before, List.of(new ReturnPermit(), new WriteEnd(end, !life.isStored()))));
                }
                case RunEffect.Execute _
                when life.isStored() && life.facts().doubted() -> {
                    var facts = life.facts();
                    var write = write(life);
                    var saving = new Saving(
                            WALKING, effects.subList(i, effects.size()), null, rowAfter(life), true, facts.doubtTerm());
                    return new Moved(life.at(saving), joined(watched(life, before), List.of(write)), first);
                }
                case RunEffect.Execute(var path, var _)
                when life.isStored() && life.facts().suspect() -> {
                    var saving = new Saving(
                            WALKING,
                            effects.subList(i, effects.size()),
                            null,
                            life.facts().row(),
                            true,
                            life.facts().term());
                    return new Moved(
                            life.at(saving), joined(watched(life, before), List.of(new NoteStep(path))), first);
                }
                default -> {}
            }
        }
        return new Moved(life, effects, first);
    }

    /** The deadline stays armed during a write. */
    private static List<? extends LifecycleEffect> watched(RunLife life, List<? extends LifecycleEffect> effects) {
        return life.walk() instanceof Running ? joined(effects, WATCH) : effects;
    }

    static Moved saving(
            RunLife life,
            List<? extends LifecycleEffect> before,
            List<? extends LifecycleEffect> then,
            RunEvent again,
            Stage next) {
        return new Moved(
                life.at(new Saving(next, then, again, rowAfter(life), false, 0)), joined(before, List.of(write(life))));
    }

    private static Write write(RunLife life) {
        if (life.walk() instanceof Paused paused) {
            return new WritePause(LiveStatus.PAUSED, paused.stepsCount());
        }
        if (!life.isStored()) {
            return new Insert(LiveStatus.RUNNING);
        }
        return life.facts().row() == LiveStatus.RUNNING ? new Append() : new AppendAs(LiveStatus.RUNNING);
    }

    private static LiveStatus rowAfter(RunLife life) {
        return life.walk() instanceof Paused ? LiveStatus.PAUSED : LiveStatus.RUNNING;
    }

    static List<LifecycleEffect> joined(List<? extends LifecycleEffect> before, List<? extends LifecycleEffect> after) {
        var all = new ArrayList<LifecycleEffect>(before.size() + after.size());
        all.addAll(before);
        all.addAll(after);
        return all;
    }
}
