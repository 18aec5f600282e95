package io.millrace.account.identity;

import io.millrace.base.core.Nullable;
import java.time.Instant;

/**
 * A person, identified by one e-mail address over the whole installation (contract admin-api 15.1).
 *
 * @param email lower case, without surrounding blanks
 * @param passwordHash null for a person without a password
 * @param tokenVersion every access token must carry the same text; null until sessions were ended for the first time
 */
public record UserIdentity(
        String id,
        Instant created,
        String email,
        @Nullable String passwordHash,
        String firstName,
        String lastName,
        IdentityProvider provider,
        boolean verified,
        boolean trackEvents,
        boolean newsLetter,
        @Nullable String tokenVersion) {

    /** Identity with a verified address only, just proved by a code or link. */
    public static UserIdentity proved(String id, String email, Instant now) {
        return new UserIdentity(
                id, now, email, null, GuessedName.of(email), "", IdentityProvider.EMAIL, true, false, false, null);
    }

    /**
     * Marks the address as verified and removes the password, which may have been set by a person without access to the
     * address.
     */
    UserIdentity verifiedNow() {
        return with(null, firstName, lastName, true, tokenVersion);
    }

    /** Marks the address as verified and keeps the password: the link was caused by the sign-up with this password. */
    public UserIdentity proven() {
        return with(passwordHash, firstName, lastName, true, tokenVersion);
    }

    /** A new password ends every session. */
    public UserIdentity withPassword(String newHash, String newTokenVersion) {
        return with(newHash, firstName, lastName, true, newTokenVersion);
    }

    public UserIdentity named(String newFirstName, String newLastName) {
        return with(passwordHash, newFirstName, newLastName, verified, tokenVersion);
    }

    private UserIdentity with(
            String newHash, String newFirstName, String newLastName, boolean nowVerified, String newTokenVersion) {
        return new UserIdentity(
                id,
                created,
                email,
                newHash,
                newFirstName,
                newLastName,
                provider,
                nowVerified,
                trackEvents,
                newsLetter,
                newTokenVersion);
    }

    @Override
    public String toString() {
        return "UserIdentity[" + id + "]";
    }
}
