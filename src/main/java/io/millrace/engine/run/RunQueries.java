package io.millrace.engine.run;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public sealed interface RunQueries {
    /** A page of the PRODUCTION runs of a project, newest first (contract flows-and-engine 5.4). */
    record Find(Filter filter, PageRequest page) implements RunQueries, BusRequest<Page<Run>> {}

    /**
     * Filter of PRODUCTION runs of a project. An empty list means "any".
     *
     * @param tags tags that a run must all have
     */
    record Filter(
            String projectId,
            List<String> flowIds,
            List<RunStatus> statuses,
            List<String> tags,
            RunIdSets ids,
            CreationRange created,
            FailedStepFilter failure,
            boolean includeArchived) {
        public record RunIdSets(List<String> included, List<String> excluded, Optional<String> replayOf) {}

        /**
         * Time of creation.
         *
         * @param after inclusive
         * @param before inclusive, to the millisecond
         */
        public record CreationRange(Optional<Instant> after, Optional<Instant> before) {}

        /**
         * Failed step.
         *
         * @param message part of the message, case-insensitive
         */
        public record FailedStepFilter(Optional<String> stepName, Optional<String> message) {}

        /** Returns whether the filter matches only runs that failed at a step, and so have ended. */
        public boolean wantsFailedStep() {
            return failure.stepName().isPresent() || failure.message().isPresent();
        }
    }

    /**
     * Newest PRODUCTION runs of each of some flows of a project, newest first within a flow: a flow with many runs does not hide
     * those of the others. Archived runs are left out. Of runs that have not ended, only the newest of the project are considered.
     *
     * @param limit per flow
     */
    record FindLatest(String projectId, List<String> flowIds, int limit) implements RunQueries, BusRequest<List<Run>> {}

    /** Statuses without any run are omitted. */
    record CountByStatus(Filter filter) implements RunQueries, BusRequest<Map<RunStatus, Integer>> {}

    /** Reads the current state of a run, without its steps; fails with ENTITY_NOT_FOUND. */
    record Look(String runId) implements RunQueries, BusRequest<Run> {}

    /** One run with its steps, those recorded so far while it lives: as JSON text for the caller. */
    record Get(Principal by, String runId) implements RunQueries, BusRequest<Buffer> {}

    /** The compressed log of an ended run; empty without one. */
    record FindLog(String runId) implements RunQueries, BusRequest<Optional<Buffer>> {}

    /**
     * Steps of ended and paused runs by run id: of each run the last 1,000, without inputs and outputs. Runs without a log
     * are missing.
     */
    record FindSteps(List<String> runIds) implements RunQueries, BusRequest<Map<String, List<StepProgress>>> {
        public FindSteps {
            runIds = List.copyOf(runIds);
        }
    }

    /** The project of a run; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String runId) implements RunQueries, BusRequest<String> {}

    /** Attempts before a run, and retries of it that started other runs, oldest first. */
    record FindAttempts(String runId) implements RunQueries, BusRequest<List<RunAttempt>> {}

    record Measure() implements RunQueries, BusRequest<RunGauges> {}
}
