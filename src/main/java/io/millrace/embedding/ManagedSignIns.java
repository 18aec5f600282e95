package io.millrace.embedding;

import io.millrace.access.Principal;
import io.millrace.bus.Request;
import io.millrace.identity.Session;

/** Signing in with the token of a product outside. Answered by {@link ManagedSignInService}. */
public sealed interface ManagedSignIns {
    /** Opens a session for the user of whom the token speaks; fails with INVALID_BEARER_TOKEN when it is not good. */
    record Enter(Principal by, String externalToken) implements ManagedSignIns, Request<Session> {
        @Override
        public String toString() {
            return "Enter[]";
        }
    }
}
