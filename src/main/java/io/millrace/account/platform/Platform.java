package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.row.Unprefixed;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Public data of a platform, visible to all its users (contract admin-api 18.1); it holds no secret. */
public record Platform(
        String id,
        Instant created,
        Instant updated,
        String ownerId,
        String name,
        @Unprefixed Looks looks,
        @Unprefixed SignInRules signIn,
        PieceChoice pieces,
        List<String> allowedEmbedOrigins) {
    public Platform {
        allowedEmbedOrigins = List.copyOf(allowedEmbedOrigins);
    }

    /**
     * Appearance of the platform.
     *
     * @param themeColors free object of colors, or null
     */
    public record Looks(
            String primaryColor,
            @Nullable JsonNode themeColors,
            String logoIconUrl,
            String fullLogoUrl,
            String favIconUrl) {}

    /**
     * Permitted sign-in methods and domains.
     *
     * @param ssoDomain null when none is set
     * @param ssoDomainVerification null when none is in progress
     * @param hasSaml true when the platform has a SAML identity provider
     * @param hasOidc true when the platform has an OpenID Connect provider
     */
    public record SignInRules(
            boolean cloudAuthEnabled,
            boolean googleAuthEnabled,
            boolean emailAuthEnabled,
            boolean enforceAllowedAuthDomains,
            List<String> allowedAuthDomains,
            @Nullable String ssoDomain,
            @Nullable JsonNode ssoDomainVerification,
            boolean hasSaml,
            boolean hasOidc) {
        public SignInRules {
            allowedAuthDomains = List.copyOf(allowedAuthDomains);
        }
    }

    /**
     * Offered pieces, and their position in the selector.
     *
     * @param selectorConfig null when the selector is the usual one
     */
    public record PieceChoice(
            List<String> filteredNames,
            FilterBehavior filterBehavior,
            List<String> pinned,
            @Nullable JsonNode selectorConfig) {
        public PieceChoice {
            filteredNames = List.copyOf(filteredNames);
            pinned = List.copyOf(pinned);
        }
    }

    public enum FilterBehavior {
        ALLOWED,
        BLOCKED
    }

    /**
     * True when the platform has proved ownership of this domain; its own providers may only authenticate addresses of it.
     */
    public boolean ownsDomain(String domain) {
        return domain.equals(signIn.ssoDomain()) && hasVerifiedDomain();
    }

    boolean hasVerifiedDomain() {
        return signIn.ssoDomainVerification() != null
                && SsoDomain.VERIFIED.equals(
                        signIn.ssoDomainVerification().path("status").asText());
    }

    Platform withDomain(JsonNode verification, Instant now) {
        var rules = new SignInRules(
                signIn.cloudAuthEnabled(),
                signIn.googleAuthEnabled(),
                signIn.emailAuthEnabled(),
                signIn.enforceAllowedAuthDomains(),
                signIn.allowedAuthDomains(),
                signIn.ssoDomain(),
                verification,
                signIn.hasSaml(),
                signIn.hasOidc());
        return new Platform(id, created, now, ownerId, name, looks, rules, pieces, allowedEmbedOrigins);
    }

    /** Refuses a sign-up or sign-in with a password or a mailed code that the platform's settings do not allow (32.4, 32.5). */
    public void admitByEmail(String email) {
        if (!signIn.emailAuthEnabled()) {
            throw ApiException.of(ErrorCode.EMAIL_AUTH_DISABLED);
        }
        admitDomain(email);
    }

    /** Refuses addresses of a domain that may not sign up or in, for every method. */
    public void admitDomain(String email) {
        if (!admitsDomain(email)) {
            throw ApiException.of(ErrorCode.DOMAIN_NOT_ALLOWED, Json.object().put("domain", domainOf(email)));
        }
    }

    public boolean admitsDomain(String email) {
        var domain = domainOf(email);
        return !signIn.enforceAllowedAuthDomains()
                || signIn.allowedAuthDomains().stream()
                        .anyMatch(allowed -> allowed.toLowerCase(Locale.ROOT).equals(domain));
    }

    private static String domainOf(String email) {
        return email.substring(email.indexOf('@') + 1);
    }

    Platform withAllowedEmbedOrigins(List<String> origins, Instant now) {
        return new Platform(id, created, now, ownerId, name, looks, signIn, pieces, origins);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("ownerId", ownerId)
                .put("name", name)
                .put("primaryColor", looks.primaryColor())
                .put("logoIconUrl", looks.logoIconUrl())
                .put("fullLogoUrl", looks.fullLogoUrl())
                .put("favIconUrl", looks.favIconUrl())
                .put("filteredPieceBehavior", pieces.filterBehavior().name())
                .put("cloudAuthEnabled", signIn.cloudAuthEnabled())
                .put("googleAuthEnabled", signIn.googleAuthEnabled())
                .put("emailAuthEnabled", signIn.emailAuthEnabled())
                .put("enforceAllowedAuthDomains", signIn.enforceAllowedAuthDomains())
                .put("ssoDomain", signIn.ssoDomain());
        json.set("federatedAuthProviders", providers());
        json.set("themeColors", looks.themeColors());
        json.set("ssoDomainVerification", signIn.ssoDomainVerification());
        json.set("pieceSelectorConfig", pieces.selectorConfig());
        json.set("filteredPieceNames", texts(pieces.filteredNames()));
        json.set("allowedAuthDomains", texts(signIn.allowedAuthDomains()));
        json.set("allowedEmbedOrigins", texts(allowedEmbedOrigins));
        json.set("pinnedPieces", texts(pieces.pinned()));
        json.set("plan", PlatformPlan.toJson());
        return json;
    }

    /** Shows the presence of the providers, and none of their settings. */
    private JsonNode providers() {
        if (!signIn.hasSaml() && !signIn.hasOidc()) {
            return Json.mapper().nullNode();
        }
        var providers = Json.object();
        providers.set("saml", signIn.hasSaml() ? Json.object() : Json.mapper().nullNode());
        providers.set("oidc", signIn.hasOidc() ? Json.object() : Json.mapper().nullNode());
        return providers;
    }

    private static JsonNode texts(List<String> texts) {
        var array = Json.array();
        texts.forEach(array::add);
        return array;
    }
}
