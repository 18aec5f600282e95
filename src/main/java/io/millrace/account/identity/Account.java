package io.millrace.account.identity;

import java.util.Optional;

/**
 * A person and, where there is one, the person's user on the platform that was asked for.
 *
 * @param user empty when the person has no user there
 */
public record Account(UserIdentity identity, Optional<User> user) {}
