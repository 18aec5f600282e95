package io.millrace.workspace.project;

import java.util.Optional;

/**
 * How many runs of a project may execute at once (contract admin-api 36.3).
 *
 * @param poolId pool whose projects share one limit; empty when the project has its limit for itself
 * @param limit the pool's, else the project's own; empty when the server's applies
 */
public record Concurrency(Optional<String> poolId, Optional<Integer> limit) {}
