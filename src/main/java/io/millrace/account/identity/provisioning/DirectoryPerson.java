package io.millrace.account.identity.provisioning;

import io.millrace.base.access.PlatformRole;
import java.util.Optional;

/**
 * A person as an organization's directory describes them (contract admin-api 35).
 *
 * @param userName name of the person in the directory
 * @param email lower case
 */
public record DirectoryPerson(
        String userName,
        String email,
        String firstName,
        String lastName,
        boolean isActive,
        Optional<String> externalId,
        PlatformRole role) {}
