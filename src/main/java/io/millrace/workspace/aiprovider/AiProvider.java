package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;

/**
 * A model provider of a platform (contract admin-api 28.1).
 *
 * @param config settings by vendor; holds no secret
 * @param sealedAuth sealed credential of the platform at the vendor
 * @param scope selection of the models that are offered
 */
record AiProvider(
        String id,
        Instant created,
        Instant updated,
        String platformId,
        AiVendor vendor,
        String displayName,
        ObjectNode config,
        Buffer sealedAuth,
        boolean enabledForChat,
        ModelScope scope) {
    /** True for the platform's own credits, whose credential the server keeps. */
    boolean isOnCredits() {
        return vendor == AiVendor.ACTIVEPIECES;
    }

    boolean isNamedAs(AiProvider other) {
        return displayName.strip().equalsIgnoreCase(other.displayName.strip());
    }

    /**
     * JSON with all keys of its vendor, from which steps choose one.
     *
     * @param all providers of the platform
     */
    ObjectNode toJson(List<AiProvider> all) {
        var json = toJson();
        var keys = json.putArray("keys");
        all.stream()
                .filter(other -> other.vendor == vendor)
                .forEach(other -> keys.addObject().put("id", other.id).put("name", other.displayName));
        return json;
    }

    ObjectNode toJson() {
        var json = Json.object().put("id", id).put("name", displayName).put("provider", vendor.word());
        json.set("config", config);
        json.put("enabledForChat", enabledForChat);
        scope.addTo(json);
        return json;
    }
}
