package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What became of a project replace (contract admin-api 11). */
public sealed interface ReplaceOutcome {
    /** Nothing was written. */
    record Refused(List<ObjectNode> errors) implements ReplaceOutcome {
        public Refused {
            errors = List.copyOf(errors);
        }
    }

    /** All of it was, or would be. */
    record Applied(ObjectNode summary) implements ReplaceOutcome {}
}
