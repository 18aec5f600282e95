package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Access to the models of a provider (contract agents 4.1).
 *
 * @param id of the row; empty text for the platform's credits
 * @param provider name in the API
 * @param title display name
 * @param auth secret: never logged, never returned
 */
public record ProviderAccess(String id, String provider, String title, ObjectNode config, ObjectNode auth) {
    @Override
    public String toString() {
        return "ProviderAccess[" + provider + "]";
    }
}
