package io.millrace.integration.privacy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;

/** Messages about personal data, handled by {@link PersonalDataService}. */
public sealed interface PersonalData {
    /** Exports the data of a user of the principal's platform, by category. */
    record Export(Principal by, String userId) implements PersonalData, BusRequest<ObjectNode> {}

    /**
     * Deletes a user of the principal's platform and the data that identifies the user; reports the deleted data, and the
     * retained data with its retention period.
     */
    record Erase(Principal by, String userId) implements PersonalData, BusRequest<ObjectNode> {}
}
