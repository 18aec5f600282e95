package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.Optional;

/** What one may ask of providers of models. Answered by {@link AiProviderService}. */
sealed interface AiProviders {
    /** Those of the principal's platform, oldest first. */
    record ListOf(Principal by) implements AiProviders, BusRequest<JsonNode> {}

    /**
     * Tries the key and keeps it. Fails with INVALID_AI_PROVIDER_CREDENTIALS when it is no good.
     *
     * @param config read for the vendor
     * @param auth read for the vendor
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
     * Names a provider anew and changes what is given, after it was tried.
     *
     * @param config as it came: how it is read depends on the vendor of the row
     * @param auth as it came
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
        /** Whether more is wanted than another name and who serves chats. */
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
     * For the code of a piece: {@code {provider, config, auth, platformId}}.
     *
     * @param configId which of several of the vendor; empty for the newest
     */
    record Reveal(String platformId, String vendor, Optional<String> configId)
            implements AiProviders, BusRequest<JsonNode> {}

    /**
     * What a vendor offers: an array of {@code {id, name, type}}.
     *
     * @param configId with which of several keys of the vendor; empty for the newest
     */
    record FindModels(String platformId, String vendor, Optional<String> configId)
            implements AiProviders, BusRequest<JsonNode> {}
}
