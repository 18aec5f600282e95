package io.millrace.identity;

import io.millrace.access.Principal;
import io.millrace.bus.Request;

/** Signing up and in with a password. Answered by {@link SignInService}. */
public sealed interface SignIns {
    /** Creates an account (contract admin-api 32.4). */
    record SignUp(
            Principal by,
            String email,
            String password,
            String firstName,
            String lastName,
            boolean trackEvents,
            boolean newsLetter)
            implements SignIns, Request<Session> {
        @Override
        public String toString() {
            return "SignUp[]";
        }
    }

    /** Opens a session (contract admin-api 32.5). */
    record SignIn(Principal by, String email, String password) implements SignIns, Request<Session> {
        @Override
        public String toString() {
            return "SignIn[]";
        }
    }
}
