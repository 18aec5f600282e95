package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.Optional;

/** Requests about model providers. Answered by {@link AiProviderService}. */
sealed interface AiProviders {
    /** Providers of the principal's platform, oldest first. */
    record ListOf(Principal by) implements AiProviders, BusRequest<JsonNode> {}

    /**
     * Tests the key and stores it. Fails with INVALID_AI_PROVIDER_CREDENTIALS when the vendor refuses it.
     *
     * @param config parsed for the vendor
     * @param auth parsed for the vendor
     */
    record Create(
            Principal by, AiVendor vendor, String displayName, ObjectNode config, ObjectNode auth, ModelScope scope)
            implements AiProviders, BusRequest<JsonNode> {
        @Override
        public String toString() {
            return "Create[" + vendor + "]";
        }
    }

    /**
     * Renames a provider and changes the given settings, after a test call.
     *
     * @param config unparsed: its schema depends on the vendor of the row
     * @param auth unparsed
     */
    record Update(
            Principal by,
            String id,
            String displayName,
            Optional<ObjectNode> config,
            Optional<ObjectNode> auth,
            Optional<Boolean> enabledForChat,
            Optional<ModelScope> scope)
            implements AiProviders, BusRequest<JsonNode> {
        boolean changesHowItIsAsked() {
            return config.isPresent() || auth.isPresent() || scope.isPresent();
        }

        @Override
        public String toString() {
            return "Update[" + id + "]";
        }
    }

    record Delete(Principal by, String id) implements AiProviders, BusRequest<Nothing> {}

    /**
     * Credentials for the code of a piece: {@code {provider, config, auth, platformId}}.
     *
     * @param configId id of one of several keys of the vendor; empty for the newest
     */
    record Reveal(String platformId, String vendor, Optional<String> configId)
            implements AiProviders, BusRequest<JsonNode> {}

    /**
     * Models of a vendor: an array of {@code {id, name, type}}.
     *
     * @param configId id of one of several keys of the vendor; empty for the newest
     */
    record FindModels(String platformId, String vendor, Optional<String> configId)
            implements AiProviders, BusRequest<JsonNode> {}
}
