package io.millrace.base.config;

import java.time.Duration;
import java.util.Optional;

/**
 * Sign-up and sign-in.
 *
 * @param scimRole role in a project of users that a directory adds
 * @param mcpRefreshGrace period in which a repeated refresh of an MCP client gets the same token again
 */
public record SignInSettings(
        Limits limits, boolean openSignUp, Optional<Google> google, String scimRole, Duration mcpRefreshGrace) {

    /**
     * Limits of sign-in.
     *
     * @param isOn false if none of them applies
     * @param requestsMax requests per client address and window
     * @param codesMax mailed codes per client address and window
     * @param failuresMax wrong passwords per e-mail address and hour
     */
    public record Limits(boolean isOn, int requestsMax, int codesMax, Duration window, int failuresMax) {}

    public record Google(String issuer, String clientId, String clientSecret) {
        @Override
        public String toString() {
            return "Google[" + clientId + "]";
        }
    }

    static SignInSettings read(SettingTexts texts) {
        return new SignInSettings(
                new Limits(
                        texts.flag(Setting.AP_API_RATE_LIMIT_AUTHN_ENABLED),
                        texts.integer(Setting.AP_API_RATE_LIMIT_AUTHN_MAX),
                        texts.integer(Setting.AP_API_RATE_LIMIT_EMAIL_CODE_MAX),
                        texts.duration(Setting.AP_API_RATE_LIMIT_AUTHN_WINDOW),
                        texts.integer(Setting.AP_SIGN_IN_FAILURES_MAX)),
                texts.flag(Setting.AP_ALLOW_OPEN_SIGN_UP),
                google(texts),
                texts.text(Setting.AP_SCIM_DEFAULT_PROJECT_ROLE),
                texts.seconds(Setting.AP_MCP_REFRESH_GRACE_SECONDS));
    }

    /** Empty unless both the id and the secret are set. */
    private static Optional<Google> google(SettingTexts texts) {
        return texts.optional(Setting.AP_GOOGLE_CLIENT_ID)
                .flatMap(id -> texts.optional(Setting.AP_GOOGLE_CLIENT_SECRET)
                        .map(secret -> new Google(texts.text(Setting.AP_GOOGLE_ISSUER_URL), id, secret)));
    }
}
