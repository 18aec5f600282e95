package io.millrace.engine.run.machine;

import java.util.List;

/**
 * The machine's view of a step: links and options, no settings. Links are indices into the plan, or
 * {@link RunPlan#NONE}.
 */
public sealed interface PlanStep {
    int index();

    /** The step's name, unique in its flow. */
    String name();

    /** The following step of the same sequence. */
    int next();

    /** Skipped without a record (contract flows-and-engine 6.5). */
    boolean skip();

    /**
     * A CODE or PIECE step.
     *
     * @param reach reach of the step's effects
     * @param onSuccess first step of the sequence after a success; walked with continueOnFailure only
     * @param onFailure first step of the sequence after a failure; walked with continueOnFailure only
     */
    record ExecutableAction(
            int index,
            String name,
            int next,
            boolean skip,
            StepReach reach,
            FailurePolicy policy,
            int onSuccess,
            int onFailure)
            implements PlanStep {
        /**
         * Handling of failures.
         *
         * @param failsOnCrash not executed again after a crash during its execution (decision 0001); only of a step with external effects
         * @param retryOnFailure a failed attempt is repeated (contract flows-and-engine 11.1)
         * @param continueOnFailure a failure does not end the run (contract flows-and-engine 11.2)
         */
        public record FailurePolicy(boolean failsOnCrash, boolean retryOnFailure, boolean continueOnFailure) {}

        boolean reachesOutside() {
            return reach == StepReach.OUTSIDE;
        }
    }

    /**
     * A LOOP_ON_ITEMS step.
     *
     * @param body first step of an iteration
     */
    record ExecutableLoop(int index, String name, int next, boolean skip, int body) implements PlanStep {}

    /**
     * A ROUTER step.
     *
     * @param firstMatchOnly only the first true branch is walked, otherwise every true one
     * @param branches first step of each branch
     */
    record ExecutableRouter(
            int index, String name, int next, boolean skip, boolean firstMatchOnly, List<Integer> branches)
            implements PlanStep {
        public ExecutableRouter {
            branches = List.copyOf(branches);
        }
    }
}
