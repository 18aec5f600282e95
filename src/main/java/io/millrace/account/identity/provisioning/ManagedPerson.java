package io.millrace.account.identity.provisioning;

import io.millrace.base.secret.Hashes;

/**
 * A user of a product that embeds this one (contract admin-api 14).
 *
 * @param externalId the user's id in that product
 */
public record ManagedPerson(String platformId, String externalId, String firstName, String lastName) {
    /** Placeholder for an address, with which no sign-in is possible. */
    String email() {
        return Hashes.sha256Hex("managed_" + platformId + "_" + externalId);
    }
}
