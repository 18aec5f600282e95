package io.millrace.workspace.connection.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Value of a connection with its token.
 *
 * @param due time of the next renewal; empty when it is not renewed
 */
public record RenewedValue(ObjectNode value, Optional<Instant> due) {
    /** Omits the value. */
    @Override
    public String toString() {
        return "RenewedValue[" + due + "]";
    }
}
