package io.millrace.account.identity;

import java.util.Optional;

/**
 * A person and the person's user on the requested platform, if any.
 *
 * @param user empty when the person has no user there
 */
public record Account(UserIdentity identity, Optional<User> user) {}
