package io.millrace.account.identity.signin;

import io.millrace.account.identity.Session;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;

/**
 * Requests of sign-up and sign-in. With a password: answered by {@link SignInService}; by mailed codes: by
 * {@link MailedCodeService}; recovery: by {@link RecoveryService}.
 */
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
            implements SignIns, BusRequest<Session> {
        @Override
        public String toString() {
            return "SignUp[]";
        }
    }

    /** Opens a session (contract admin-api 32.5). */
    record SignIn(Principal by, String email, String password) implements SignIns, BusRequest<Session> {
        @Override
        public String toString() {
            return "SignIn[]";
        }
    }

    /** Opens a session of the same person on another platform; fails with AUTHORIZATION where the person has no user. */
    record SwitchPlatform(Principal by, String platformId) implements SignIns, BusRequest<Session> {}

    /** Mails a code to an address that may sign in (contract admin-api 32.6). The answer does not reveal whether it may. */
    record RequestCode(String email) implements SignIns, BusRequest<Nothing> {}

    /** Opens a session with a mailed code; fails with INVALID_OTP. */
    record VerifyCode(Principal by, String email, String code) implements SignIns, BusRequest<Session> {
        @Override
        public String toString() {
            return "VerifyCode[]";
        }
    }

    /** Creates the platform of a person without one. */
    record CompleteSignUp(Principal.Newcomer by, String firstName, String lastName)
            implements SignIns, BusRequest<Session> {}

    /** Creates the platform of a person without one, under a chosen name; the only platform of the installation. */
    record FoundPlatform(Principal.Newcomer by, String name) implements SignIns, BusRequest<Session> {}

    /** Mails a link (contract admin-api 32.7). The answer does not reveal whether the address has an account. */
    record RequestLink(String email, LinkType type) implements SignIns, BusRequest<Nothing> {}

    /** Verifies an address with a mailed link; fails with INVALID_OTP. */
    record VerifyEmail(Principal by, String identityId, String code) implements SignIns, BusRequest<Nothing> {
        @Override
        public String toString() {
            return "VerifyEmail[]";
        }
    }

    /** Sets a password with a mailed link, which ends every session; fails with INVALID_OTP. */
    record ResetPassword(Principal by, String identityId, String code, String newPassword)
            implements SignIns, BusRequest<Nothing> {
        @Override
        public String toString() {
            return "ResetPassword[]";
        }
    }

    enum LinkType {
        EMAIL_VERIFICATION,
        PASSWORD_RESET
    }
}
