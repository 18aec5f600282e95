package io.millrace.piece.model;

/**
 * A usable model with its key.
 *
 * @param configId the key row that is used; empty text for the platform's credits
 * @param contextTokens context limit in tokens (contract agents 4.4)
 */
public record ModelChoice(String provider, String configId, String model, int contextTokens) {}
