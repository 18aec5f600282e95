package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Outcome of a project replace (contract admin-api 11). */
public sealed interface ReplaceOutcome {
    /** Refused without any write. */
    record Refused(List<ObjectNode> errors) implements ReplaceOutcome {
        public Refused {
            errors = List.copyOf(errors);
        }
    }

    /** All of it was, or would be. */
    record Applied(ObjectNode summary) implements ReplaceOutcome {}
}
