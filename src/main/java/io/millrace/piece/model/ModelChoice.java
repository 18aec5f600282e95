package io.millrace.piece.model;

/**
 * A model that can be asked.
 *
 * @param configId the key row that is used; empty text for the platform's credits
 * @param contextTokens how much the model reads at most (contract agents 4.4)
 */
public record ModelChoice(String provider, String configId, String model, int contextTokens) {}
