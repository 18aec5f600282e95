package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How the models of a provider are reached (contract agents 4.1).
 *
 * @param id of the row; empty text for the platform's credits
 * @param provider as clients call it
 * @param title as people call it
 * @param auth secret: never logged, never returned
 */
public record ProviderAccess(String id, String provider, String title, ObjectNode config, ObjectNode auth) {
    @Override
    public String toString() {
        return "ProviderAccess[" + provider + "]";
    }
}
