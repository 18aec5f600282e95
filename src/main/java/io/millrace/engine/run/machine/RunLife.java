package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.LifecycleEffect.Departure;
import io.millrace.engine.run.machine.RunState.Ended;
import io.millrace.engine.run.machine.RunState.Queued;
import io.millrace.engine.run.machine.RunState.Running;
import java.util.List;

/**
 * State of a run in its actor: the state of its walk, the stage of its surroundings, and external facts. Every change
 * is made by {@link RunMachine}.
 */
public record RunLife(RunState walk, Stage stage, Facts facts) {
    /** Value instead of a lease's term, while the lease may have expired. */
    public static final long NO_TERM = -1;

    public sealed interface Stage {
        /** Its trigger is preparing it. */
        record Preparing() implements Stage {}

        /** It has requested its permit, or is queued for it. */
        record AwaitingPermit() implements Stage {}

        record Walking() implements Stage {}

        /**
         * A write is pending, and events wait meanwhile.
         *
         * @param next stage as soon as it is durable
         * @param then effects that waited for that
         * @param again event that is decided then, or null
         * @param row status in the row after the write
         * @param surely whether the write confirms this node's ownership of the run, in the term
         */
        record Saving(
                Stage next,
                List<? extends LifecycleEffect> then,
                RunEvent again,
                LiveStatus row,
                boolean surely,
                long term)
                implements Stage {}

        /** Its end is being written. */
        record Completing(Ended end) implements Stage {}

        record Exited(Departure departure) implements Stage {}
    }

    /**
     * External facts for the machine.
     *
     * @param row status in the run's row; null while it has none
     * @param acceptanceWanted whether a caller waits for the durable acceptance only
     * @param answerDue whether an answer is to be made durable before the run continues
     * @param term term of the lease in which this node's ownership was confirmed
     * @param doubted whether another node may own it
     * @param doubtTerm the lease's term when the doubt arose
     * @param suspect whether the executing step is recorded, because the run is suspected of crashing servers
     */
    public record Facts(
            LiveStatus row,
            boolean acceptanceWanted,
            boolean answerDue,
            long term,
            boolean doubted,
            long doubtTerm,
            boolean suspect) {
        Facts withAnswer() {
            return new Facts(row, acceptanceWanted, true, term, doubted, doubtTerm, suspect);
        }

        Facts doubtedIn(long now) {
            return new Facts(row, acceptanceWanted, answerDue, term, true, now, suspect);
        }

        Facts saved(LiveStatus shown) {
            return row == shown && !answerDue
                    ? this
                    : new Facts(shown, acceptanceWanted, false, term, doubted, doubtTerm, suspect);
        }

        Facts sureIn(long sureTerm) {
            return new Facts(row, acceptanceWanted, answerDue, sureTerm, false, sureTerm, suspect);
        }
    }

    /**
     * State of a new actor.
     *
     * @param row status in its row; null when it has none
     * @param term current term of the lease
     */
    public static RunLife made(LogBudget budget, LiveStatus row, boolean acceptanceWanted, boolean suspect, long term) {
        return new RunLife(
                new Queued(budget, row != null),
                new Stage.Preparing(),
                new Facts(row, acceptanceWanted, false, term, false, term, suspect));
    }

    public boolean isStored() {
        return facts.row() != null;
    }

    public boolean isSaving() {
        return stage instanceof Stage.Saving;
    }

    public boolean isOver() {
        return stage instanceof Stage.Completing || stage instanceof Stage.Exited;
    }

    public LiveStatus seen() {
        return walk instanceof Queued ? LiveStatus.QUEUED : LiveStatus.RUNNING;
    }

    /** Number of CODE and PIECE steps that have succeeded or paused. */
    public int stepsCount() {
        return switch (walk) {
            case Queued _ -> 0;
            case Running running -> running.progress().stepsCount();
            case RunState.Paused paused -> paused.stepsCount();
            case Ended ended -> ended.stepsCount();
        };
    }

    RunLife at(Stage next) {
        return new RunLife(walk, next, facts);
    }

    RunLife walked(RunState next) {
        return new RunLife(next, stage, facts);
    }

    RunLife knowing(Facts next) {
        return new RunLife(walk, stage, next);
    }
}
