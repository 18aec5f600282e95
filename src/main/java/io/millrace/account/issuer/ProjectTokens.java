package io.millrace.account.issuer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import java.time.Duration;

/** Identity tokens of projects for cloud providers. Answered by {@link ProjectTokenService}. */
public sealed interface ProjectTokens {
    /** The key set that verifies the tokens (RFC 7517). */
    record FindKeys() implements ProjectTokens, BusRequest<ObjectNode> {}

    record Issue(Principal.Engine by, String issuer, String audience, Duration lifetime)
            implements ProjectTokens, BusRequest<String> {}
}
