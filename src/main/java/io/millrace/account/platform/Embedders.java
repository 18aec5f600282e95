package io.millrace.account.platform;

import io.millrace.base.config.BadSetting;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Origins that may embed pages of a platform in a frame (contract admin-api 12.1): the platform's own list, and those of the
 * setting AP_ALLOWED_EMBED_ORIGINS for every platform. When both are empty, embedding is denied.
 *
 * @param everywhere origins of the setting
 */
public record Embedders(List<String> everywhere) {
    public Embedders {
        for (var origin : everywhere) {
            if (!EmbedOrigins.isOrigin(origin)) {
                throw new BadSetting("AP_ALLOWED_EMBED_ORIGINS: expected origins like https://app.example.com or"
                        + " https://*.example.com between commas, found " + origin);
            }
        }
        everywhere = List.copyOf(everywhere);
    }

    public List<String> of(Optional<Platform> platform) {
        var all = new LinkedHashSet<>(everywhere);
        platform.ifPresent(known -> all.addAll(known.allowedEmbedOrigins()));
        return new ArrayList<>(all);
    }
}
