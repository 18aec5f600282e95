package io.millrace.access;

import io.millrace.bus.Nothing;
import io.millrace.bus.Request;

/** What the edge asks before a handler runs. */
public sealed interface Gate {
    /** Whose token is this? Answered by the identity room; fails with a 401 or 403 code. */
    record Identify(String token) implements Gate, Request<Principal> {}

    /**
     * May this principal do this in the project? Answered by the project room; fails as contract admin-api 1.9 says.
     *
     * @param permission null when any role in the project suffices
     */
    record Enter(Principal by, String projectId, Permission permission) implements Gate, Request<Nothing> {}
}
