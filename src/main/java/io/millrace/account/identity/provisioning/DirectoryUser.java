package io.millrace.account.identity.provisioning;

import io.millrace.base.persistence.row.Unprefixed;
import java.time.Instant;

public record DirectoryUser(
        String id,
        Instant created,
        Instant updated,
        @Unprefixed DirectoryPerson person) {}
