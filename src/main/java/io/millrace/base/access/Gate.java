package io.millrace.base.access;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/** Check that the edge performs before a handler runs. */
public sealed interface Gate {
    /** Whose token is this? Answered by the identity module; fails with a 401 or 403 code. */
    record Identify(String token) implements Gate, BusRequest<Principal> {}

    /**
     * Checks that a principal has a permission in a project. Served by the project module; fails as in contract admin-api
     * 1.9.
     *
     * @param permission null when any role in the project suffices
     */
    record Enter(Principal by, String projectId, Permission permission) implements Gate, BusRequest<Nothing> {}
}
