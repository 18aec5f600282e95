package io.millrace.integration.privacy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;

/** Messages about personal data, handled by {@link PersonalDataService}. */
public sealed interface PersonalData {
    /** Exports the data of a user of the principal's platform, by category. */
    record Export(Principal by, String userId) implements PersonalData, BusRequest<ObjectNode> {}

    /** Removes a user of the principal's platform, and what names them; answers what went and what stays for how long. */
    record Erase(Principal by, String userId) implements PersonalData, BusRequest<ObjectNode> {}
}
