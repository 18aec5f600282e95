package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.integration.failure.CauseClass;
import java.util.Optional;

/** Requests about diagnoses. Answered by {@link DiagnosisService}. */
public sealed interface Diagnoses {
    /** The diagnosis of a run for a reader who may read runs of its project; fails with ENTITY_NOT_FOUND. */
    record Get(Principal by, String runId) implements Diagnoses, BusRequest<ObjectNode> {}

    /** The summary of a diagnosis for an alert; empty when the run did not fail, or no longer exists. */
    record Summarise(String runId) implements Diagnoses, BusRequest<Optional<Summary>> {}

    record RecordLimits() implements Diagnoses, BusRequest<Nothing> {}

    /**
     * Summary without data of the run.
     *
     * @param sentence cause in one sentence
     * @param firstClaim first change since the last successful run
     */
    record Summary(CauseClass cause, String sentence, Optional<String> firstClaim) {}
}
