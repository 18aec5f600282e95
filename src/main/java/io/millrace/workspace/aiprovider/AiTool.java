package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.vertx.core.buffer.Buffer;

/**
 * A service that agents use as a tool (contract admin-api 28.3).
 *
 * @param sealedKey the key to the service
 * @param config null when there is none
 */
record AiTool(
        String id,
        String platformId,
        Capability capability,
        Service service,
        Buffer sealedKey,
        @Nullable ObjectNode config,
        boolean enabled) {
    enum Capability {
        WEB_SEARCH,
        WEB_SCRAPING,
        IMAGE_GENERATION
    }

    enum Service {
        TAVILY,
        FIRECRAWL,
        APIFY,
        FAL
    }

    ObjectNode toJson() {
        var json =
                Json.object().put("id", id).put("capability", capability.name()).put("provider", service.name());
        json.set("config", config);
        return json.put("enabled", enabled).put("hasApiKey", true);
    }
}
