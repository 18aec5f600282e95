package io.millrace.workspace.project;

import java.util.Optional;

/**
 * Limit of concurrent runs of a project (contract admin-api 36.3).
 *
 * @param poolId pool whose projects share one limit; empty when the project has its own limit
 * @param limit the pool's, else the project's own; empty when the server's applies
 */
public record Concurrency(Optional<String> poolId, Optional<Integer> limit) {}
