package io.millrace.identity;

import java.time.Instant;

/**
 * A person, known by one e-mail address over the whole installation (contract admin-api 15.1).
 *
 * @param email lower case, without surrounding blanks
 * @param tokenVersion every access token must carry the same text; null until sessions were ended for the first time
 */
record UserIdentity(
        String id,
        Instant created,
        String email,
        String passwordHash,
        String firstName,
        String lastName,
        boolean verified,
        boolean trackEvents,
        boolean newsLetter,
        String tokenVersion) {
    @Override
    public String toString() {
        return "UserIdentity[" + id + "]";
    }
}
