package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** A platform as everybody on it may see it (contract admin-api 18.1); it holds no secret. */
public record Platform(
        String id,
        Instant created,
        Instant updated,
        String ownerId,
        String name,
        Looks looks,
        SignInRules signIn,
        PieceChoice pieces,
        List<String> allowedEmbedOrigins) {
    public Platform {
        allowedEmbedOrigins = List.copyOf(allowedEmbedOrigins);
    }

    /**
     * How the platform presents itself.
     *
     * @param themeColors free object of colours, or null
     */
    public record Looks(
            String primaryColor, JsonNode themeColors, String logoIconUrl, String fullLogoUrl, String favIconUrl) {}

    /**
     * Who may sign in, and how.
     *
     * @param ssoDomain null when none is set
     * @param ssoDomainVerification null when none is under way
     * @param hasSaml whether the platform has an identity provider that speaks SAML
     * @param hasOidc whether the platform has one that speaks OpenID Connect
     */
    public record SignInRules(
            boolean cloudAuthEnabled,
            boolean googleAuthEnabled,
            boolean emailAuthEnabled,
            boolean enforceAllowedAuthDomains,
            List<String> allowedAuthDomains,
            String ssoDomain,
            JsonNode ssoDomainVerification,
            boolean hasSaml,
            boolean hasOidc) {
        public SignInRules {
            allowedAuthDomains = List.copyOf(allowedAuthDomains);
        }
    }

    /**
     * Which pieces are offered, and where they stand in the selector.
     *
     * @param selectorConfig null when the selector is the usual one
     */
    public record PieceChoice(
            List<String> filteredNames, FilterBehavior filterBehavior, List<String> pinned, JsonNode selectorConfig) {
        public PieceChoice {
            filteredNames = List.copyOf(filteredNames);
            pinned = List.copyOf(pinned);
        }
    }

    /** What the list of filtered pieces means. */
    public enum FilterBehavior {
        ALLOWED,
        BLOCKED
    }

    /** Whether the platform has shown that this domain is its own; only for its people its own providers may vouch. */
    public boolean ownsDomain(String domain) {
        return domain.equals(signIn.ssoDomain()) && hasVerifiedDomain();
    }

    boolean hasVerifiedDomain() {
        return signIn.ssoDomainVerification() != null
                && SsoDomain.VERIFIED.equals(
                        signIn.ssoDomainVerification().path("status").asText());
    }

    /** The platform with another state of its domain. */
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

    /** Refuses an address of a domain that may not sign up or in, in whatever way. */
    public void admitDomain(String email) {
        if (!admitsDomain(email)) {
            throw ApiException.of(ErrorCode.DOMAIN_NOT_ALLOWED, Json.object().put("domain", domainOf(email)));
        }
    }

    /** Whether addresses of this domain may sign up and in. */
    public boolean admitsDomain(String email) {
        var domain = domainOf(email);
        return !signIn.enforceAllowedAuthDomains()
                || signIn.allowedAuthDomains().stream()
                        .anyMatch(allowed -> allowed.toLowerCase(Locale.ROOT).equals(domain));
    }

    private static String domainOf(String email) {
        return email.substring(email.indexOf('@') + 1);
    }

    /** The platform with another list of origins that may embed it. */
    Platform withAllowedEmbedOrigins(List<String> origins, Instant now) {
        return new Platform(id, created, now, ownerId, name, looks, signIn, pieces, origins);
    }

    /** The record as the API shows it. */
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

    /** That they are there, and nothing of what they are. */
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
