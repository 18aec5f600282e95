package io.millrace.integration.release;

import io.millrace.base.core.input.Fields;
import java.util.List;
import java.util.Optional;

/**
 * Requested release (contract admin-api 11).
 *
 * @param selectedFlowIds ids of flows as the plan names them; empty for all
 */
public record NewRelease(
        String name, Optional<String> description, Optional<List<String>> selectedFlowIds, ReleaseSource source) {
    private static final int NAME_LENGTH_MAX = 255;

    /** Problems are recorded in the body. */
    static NewRelease read(Fields body) {
        return new NewRelease(
                body.text("name", 1, NAME_LENGTH_MAX),
                body.orNull().optionalText("description"),
                body.orNull().optionalTexts("selectedFlowsIds"),
                ReleaseSource.read(body));
    }
}
