package io.millrace.account.identity.signin;

import io.millrace.account.mail.Letter;
import java.util.List;
import java.util.Optional;

final class SignInLetters {
    private static final String UNEXPECTED = "If you did not request this, ignore this email. Nothing changes.";

    private SignInLetters() {}

    static Letter code(String email, OneTimeCodeStore.OutgoingCode issued) {
        return new Letter(
                email,
                issued.code() + " is your sign-in code",
                "Your sign-in code",
                List.of("Enter this code on the page that asked for it. It works once, for " + minutes(issued.minutes())
                        + "."),
                Optional.of(issued.code()),
                Optional.empty(),
                UNEXPECTED + " We never ask you for a code.");
    }

    static Letter passwordReset(String email, OneTimeCodeStore.OutgoingCode issued, String url) {
        return new Letter(
                email,
                "Choose a new password",
                "Choose a new password",
                List.of("Follow the link to choose a new password. The link works once, for "
                        + minutes(issued.minutes()) + ". All open sessions will be signed out."),
                Optional.empty(),
                Optional.of(new Letter.Link("Choose a new password", url)),
                UNEXPECTED);
    }

    static Letter emailVerification(String email, OneTimeCodeStore.OutgoingCode issued, String url) {
        return new Letter(
                email,
                "Confirm your address",
                "Confirm your address",
                List.of("Follow the link to confirm that this address is yours."),
                Optional.empty(),
                Optional.of(new Letter.Link("Confirm my address", url)),
                UNEXPECTED);
    }

    private static String minutes(long count) {
        return count == 1 ? "a minute" : count + " minutes";
    }
}
