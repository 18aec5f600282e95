package io.millrace.account.identity.provisioning;

import io.millrace.base.persistence.row.Unprefixed;
import java.time.Instant;

/** A user as an organization's directory sees them. */
public record DirectoryUser(
        String id,
        Instant created,
        Instant updated,
        @Unprefixed DirectoryPerson person) {}
