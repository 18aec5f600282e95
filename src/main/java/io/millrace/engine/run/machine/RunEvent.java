package io.millrace.engine.run.machine;

import java.util.List;

/**
 * Events of a run. Byte counts are the sizes of the written record (contract flows-and-engine 15.1). An event that does
 * not fit the state is ignored, so events may arrive late or twice.
 */
public sealed interface RunEvent extends LifecycleEvent {
    /** The run may start: it has a permit, and its trigger's output is known. */
    record Begun(long triggerLogBytes) implements RunEvent {
        public Begun {
            requireNotNegative("triggerLogBytes", triggerLogBytes);
        }
    }

    /**
     * The trigger could not make its output, or prepare the run (contract flows-and-engine 6.3).
     *
     * @param hasOutput whether the payload is the output of the trigger, which could not prepare the run
     */
    record TriggerFailed(Cause cause, String message, boolean hasOutput) implements RunEvent {
        /** Cause of the failure; decides the status with which the run ends. */
        public enum Cause {
            /** The trigger reported an error. */
            ERROR,
            /** Time limit exceeded. */
            TIME,
            /** Memory limit exceeded. */
            MEMORY,
            /** The process of the trigger ended: a fault of the server, which retries the run. */
            PROCESS
        }
    }

    /** The run and its payload have become durable. */
    record Stored() implements RunEvent {}

    record CancelRequested() implements RunEvent {}

    record DeadlinePassed() implements RunEvent {}

    /** The platform failed the run: a defect, or an unreachable part. */
    record Broke(String message) implements RunEvent {}

    /** The answer to an effect. It counts only while it is awaited: for the same path, attempt and phase. */
    sealed interface Answer extends RunEvent {
        StepPath path();

        /** The attempt of the request, from 1. */
        default int attempt() {
            return 1;
        }
    }

    /**
     * The step succeeded.
     *
     * @param recorded read from the journal of an earlier walk instead of executed
     */
    record StepSucceeded(StepPath path, int attempt, long logBytes, boolean recorded) implements Answer {
        public StepSucceeded {
            requireNotNegative("logBytes", logBytes);
        }
    }

    /** The step succeeded and ended the run with a stop response. */
    record StepStopped(StepPath path, int attempt, long logBytes) implements Answer {
        public StepStopped {
            requireNotNegative("logBytes", logBytes);
        }
    }

    /**
     * The step failed; for a loop, its items are not a list; for a router, its conditions cannot be evaluated.
     *
     * @param recorded read from the journal of an earlier walk: a final failure, not to be retried
     */
    record StepFailed(StepPath path, int attempt, long logBytes, String message, boolean recorded) implements Answer {
        public StepFailed {
            requireNotNegative("logBytes", logBytes);
        }
    }

    record StepPaused(StepPath path, int attempt, long logBytes) implements Answer {
        public StepPaused {
            requireNotNegative("logBytes", logBytes);
        }
    }

    record MemoryExceeded(StepPath path, int attempt) implements Answer {}

    record RetryDue(StepPath path, int attempt) implements Answer {}

    record ItemsResolved(StepPath path, int count, long logBytes) implements Answer {
        public ItemsResolved {
            requireNotNegative("count", count);
            requireNotNegative("logBytes", logBytes);
        }
    }

    /**
     * A router's conditions are known; fallbacks are part of the evaluation.
     *
     * @param evaluation one value per branch; whether all or the first of the true ones are walked is the machine's business
     */
    record BranchesEvaluated(StepPath path, List<Boolean> evaluation, long logBytes) implements Answer {
        public BranchesEvaluated {
            requireNotNegative("logBytes", logBytes);
            evaluation = List.copyOf(evaluation);
        }
    }

    private static void requireNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("expected " + name + " of at least 0, but found " + value);
        }
    }
}
