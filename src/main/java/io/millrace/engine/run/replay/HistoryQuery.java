package io.millrace.engine.run.replay;

import io.millrace.engine.run.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Re-decision of the newest production runs of a flow.
 *
 * @param version {@code draft}, {@code published}, or the id of a version of the flow
 * @param statuses empty for all
 * @param createdAfter inclusive
 * @param createdBefore exclusive
 * @param sample number of runs
 */
record HistoryQuery(
        String flowId,
        String version,
        List<RunStatus> statuses,
        Optional<Instant> createdAfter,
        Optional<Instant> createdBefore,
        int sample) {}
