package io.millrace.base.config;

import java.time.Duration;

/**
 * Endpoints of Microsoft's services for bots.
 *
 * @param metadataUrl OpenID metadata of the Bot Framework
 * @param issuer of the tokens of requests to bots
 * @param keysKept time for which its keys are cached
 */
public record TeamsBotSettings(
        String loginUrl, String graphUrl, String serviceUrl, String metadataUrl, String issuer, Duration keysKept) {

    static TeamsBotSettings read(SettingTexts texts) {
        return new TeamsBotSettings(
                texts.text(Setting.AP_MICROSOFT_LOGIN_URL),
                texts.text(Setting.AP_MICROSOFT_GRAPH_URL),
                texts.text(Setting.AP_MICROSOFT_BOT_SERVICE_URL),
                texts.text(Setting.AP_MICROSOFT_BOT_METADATA_URL),
                texts.text(Setting.AP_MICROSOFT_BOT_ISSUER),
                texts.minutes(Setting.AP_MICROSOFT_BOT_KEYS_MINUTES));
    }
}
