package io.millrace.account.identity;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Nullable;
import java.time.Instant;

/**
 * A person on one platform (contract admin-api 15.1).
 *
 * @param externalId id in an external system, or null
 * @param lastActiveDate time of the last sign-in, or null
 */
public record User(
        String id,
        Instant created,
        Instant updated,
        String identityId,
        String platformId,
        PlatformRole role,
        UserStatus status,
        @Nullable String externalId,
        @Nullable Instant lastActiveDate) {

    public User changed(UserStatus newStatus, PlatformRole newRole, String newExternalId, Instant now) {
        return new User(id, created, now, identityId, platformId, newRole, newStatus, newExternalId, lastActiveDate);
    }

    public Principal.SignedInUser principal() {
        return new Principal.SignedInUser(id, platformId, role);
    }
}
