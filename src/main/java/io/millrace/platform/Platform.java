package io.millrace.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Json;
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
     */
    public record SignInRules(
            boolean cloudAuthEnabled,
            boolean googleAuthEnabled,
            boolean emailAuthEnabled,
            boolean enforceAllowedAuthDomains,
            List<String> allowedAuthDomains,
            String ssoDomain,
            JsonNode ssoDomainVerification) {
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

    /** Refuses a sign-up or sign-in with a password that the platform's settings do not allow (32.4, 32.5). */
    public void admitByPassword(String email) {
        if (!signIn.emailAuthEnabled()) {
            throw ApiException.of(ErrorCode.EMAIL_AUTH_DISABLED);
        }
        var domain = email.substring(email.indexOf('@') + 1);
        if (signIn.enforceAllowedAuthDomains()
                && signIn.allowedAuthDomains().stream()
                        .noneMatch(allowed -> allowed.toLowerCase(Locale.ROOT).equals(domain))) {
            throw ApiException.of(ErrorCode.DOMAIN_NOT_ALLOWED, Json.object().put("domain", domain));
        }
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
                .put("ssoDomain", signIn.ssoDomain())
                .putNull("federatedAuthProviders");
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

    private static JsonNode texts(List<String> texts) {
        var array = Json.array();
        texts.forEach(array::add);
        return array;
    }
}
