package io.millrace.workspace.embedding;

import io.millrace.account.identity.Session;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;

/** Sign-in with the token of an embedding product. Answered by {@link ManagedSignInService}. */
public sealed interface ManagedSignIns {
    /** Opens a session for the user in the token; fails with INVALID_BEARER_TOKEN when the token is invalid. */
    record Enter(Principal by, String externalToken) implements ManagedSignIns, BusRequest<Session> {
        @Override
        public String toString() {
            return "Enter[]";
        }
    }
}
