package io.millrace.workspace.project;

import java.util.Optional;

/**
 * Which team projects of a platform are wanted; what is empty restricts nothing.
 *
 * @param displayName the whole name, without regard to case
 */
public record TeamMatch(String platformId, Optional<String> displayName, Optional<String> externalId) {}
