package io.millrace.workspace.project;

import java.util.Optional;

/**
 * Filter of the team projects of a platform; empty filters match all.
 *
 * @param displayName the whole name, without regard to case
 */
public record TeamMatch(String platformId, Optional<String> displayName, Optional<String> externalId) {}
