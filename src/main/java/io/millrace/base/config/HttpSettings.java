package io.millrace.base.config;

import io.millrace.base.core.Cidr;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The HTTP server.
 *
 * @param frontendUrl public base URL without a slash at its end; empty when not set
 * @param webhookUrl base URL of responses written by authors of flows, without a slash at its end; empty when it has no
 *     separate one
 * @param bodyBytesMax largest body of an API request (contract admin-api 1.3)
 */
public record HttpSettings(
        String host,
        int port,
        Optional<String> frontendUrl,
        Optional<String> webhookUrl,
        long bodyBytesMax,
        HttpLimitSettings limits,
        Proxies proxies,
        AllowedOrigins origins) {
    /**
     * Origins of foreign pages.
     *
     * @param mcp pages that may call MCP servers; {@code *} for any
     * @param embed pages that may embed those of every platform
     */
    public record AllowedOrigins(List<String> mcp, List<String> embed) {
        public AllowedOrigins {
            mcp = List.copyOf(mcp);
            embed = List.copyOf(embed);
        }
    }

    /** Smallest limit of an API request's body, and its margin above that of a file or a log (contract admin-api 1.3). */
    private static final int BODY_MEGABYTES_MIN = 25;

    private static final int BODY_HEADROOM_MEGABYTES = 4;

    /** Address under which clients reach the server, without a slash at its end. */
    public String publicUrl() {
        return frontendUrl.orElseGet(() -> "http://localhost:" + port);
    }

    /** Address under which callers of flows reach the server. */
    public String callerUrl() {
        return webhookUrl.orElseGet(this::publicUrl);
    }

    HttpSettings withPort(int changed) {
        return new HttpSettings(host, changed, frontendUrl, webhookUrl, bodyBytesMax, limits, proxies, origins);
    }

    /**
     * Reverse proxies in front of this server (contract admin-api 1.13).
     *
     * @param addressHeader header in which they name the address of the client; none when empty
     * @param trusted addresses of trusted proxies
     */
    public record Proxies(String addressHeader, List<Cidr> trusted) {
        public Proxies {
            trusted = List.copyOf(trusted);
        }
    }

    static HttpSettings read(SettingTexts texts) {
        var megabytes = Math.max(
                texts.integer(Setting.AP_MAX_FILE_SIZE_MB), texts.integer(Setting.AP_MAX_FLOW_RUN_LOG_SIZE_MB));
        return new HttpSettings(
                texts.text(Setting.AP_HOST),
                texts.integer(Setting.AP_PORT),
                texts.optional(Setting.AP_FRONTEND_URL).map(url -> url.replaceAll("/+$", "")),
                webhookUrl(texts),
                Math.max(BODY_MEGABYTES_MIN, megabytes + BODY_HEADROOM_MEGABYTES) * SettingTexts.MEGABYTE,
                HttpLimitSettings.read(texts),
                new Proxies(texts.text(Setting.AP_CLIENT_REAL_IP_HEADER), texts.blocks(Setting.AP_TRUSTED_PROXIES)),
                new AllowedOrigins(
                        texts.words(Setting.AP_MCP_ALLOWED_ORIGINS), texts.words(Setting.AP_ALLOWED_EMBED_ORIGINS)));
    }

    private static Optional<String> webhookUrl(SettingTexts texts) {
        var url = texts.optional(Setting.AP_WEBHOOK_URL).map(text -> text.replaceAll("/+$", ""));
        var pages = texts.optional(Setting.AP_FRONTEND_URL)
                .orElseGet(() -> "http://localhost:" + texts.integer(Setting.AP_PORT));
        if (url.isPresent() && isSameHost(URI.create(url.get()), URI.create(pages))) {
            throw new BadSetting(
                    "AP_WEBHOOK_URL: expected a host other than that of AP_FRONTEND_URL, found " + url.get());
        }
        return url;
    }

    private static boolean isSameHost(URI one, URI other) {
        return one.getHost().equalsIgnoreCase(other.getHost()) && one.getPort() == other.getPort();
    }
}
