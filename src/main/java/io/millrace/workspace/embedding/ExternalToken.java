package io.millrace.workspace.embedding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.workspace.project.ManagedProject;
import io.millrace.workspace.project.PiecesFilterType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Claims of the token of an embedding product (contract admin-api 14). A missing claim leaves its property unchanged; an
 * invalid claim invalidates the whole token.
 *
 * @param roleName role in the project
 * @param pieces filter of the project's pieces; empty when the token has no such claim
 */
record ExternalToken(
        String externalUserId,
        String externalProjectId,
        String firstName,
        String lastName,
        String roleName,
        Optional<String> projectDisplayName,
        Optional<Selection> pieces,
        Optional<ManagedProject.Pool> pool) {
    /** "Short" is the contract's word: a stolen token gives access until it expires. */
    private static final Duration LIFETIME_MAX = Duration.ofDays(1);

    private static final Duration SKEW = Duration.ofMinutes(1);

    private static final int TEXT_LENGTH_MAX = 255;
    private static final int TAGS_MAX = 500;
    private static final String ROLE_DEFAULT = "EDITOR";

    sealed interface Selection {
        /** Pieces by their tags; the tags apply only with the filter type for tags. */
        record ByTags(PiecesFilterType filterType, List<String> tags) implements Selection {}

        record BySet(String key) implements Selection {}
    }

    /** Reads the claims of a token with a valid signature; fails with INVALID_BEARER_TOKEN. */
    static ExternalToken read(ObjectNode claims, Instant now) {
        requireTime(claims, now);
        return new ExternalToken(
                required(claims, "externalUserId"),
                required(claims, "externalProjectId"),
                required(claims, "firstName"),
                lastName(claims),
                optional(claims, "role").orElse(ROLE_DEFAULT),
                optional(claims, "projectDisplayName"),
                pieces(claims),
                pool(claims));
    }

    private static void requireTime(JsonNode claims, Instant now) {
        var expires = instant(claims, "exp").orElseThrow(() -> refused("exp", "a time"));
        if (!expires.isAfter(now)) {
            throw refused("the token has expired");
        }
        if (expires.isAfter(now.plus(LIFETIME_MAX))) {
            throw refused("exp", "a time within " + LIFETIME_MAX.toHours() + " hours");
        }
        if (instant(claims, "nbf").filter(from -> from.isAfter(now.plus(SKEW))).isPresent()
                || instant(claims, "iat")
                        .filter(made -> made.isAfter(now.plus(SKEW)))
                        .isPresent()) {
            throw refused("the token is not valid yet");
        }
    }

    private static Optional<Instant> instant(JsonNode claims, String name) {
        var value = claims.path(name);
        if (value.isMissingNode()) {
            return Optional.empty();
        }
        if (!value.isNumber() || Math.abs(value.doubleValue()) > 1e12) {
            throw refused(name, "seconds since 1970");
        }
        return Optional.of(Instant.ofEpochSecond(value.longValue()));
    }

    /** Version 4 names a set, version 3 has its fields flat, the older form has them in an object. */
    private static Optional<Selection> pieces(JsonNode claims) {
        var version = optional(claims, "version").orElse("");
        return switch (version) {
            case "" -> selection(claims.path("pieces"), "filterType", "tags");
            case "v3" -> selection(claims, "piecesFilterType", "piecesTags");
            case "v4" -> optional(claims, "pieceSet").map(Selection.BySet::new);
            default -> throw refused("version", "v3, v4 or none");
        };
    }

    private static Optional<Selection> selection(JsonNode holder, String typeField, String tagsField) {
        var type = holder.path(typeField);
        var tags = tags(holder.path(tagsField), tagsField);
        if (type.isMissingNode() || type.isNull()) {
            return Optional.empty();
        }
        return switch (type.asText()) {
            case "NONE" -> Optional.of(new Selection.ByTags(PiecesFilterType.NONE, List.of()));
            case "ALLOWED" -> Optional.of(new Selection.ByTags(PiecesFilterType.ALLOWED, tags));
            default -> throw refused(typeField, "NONE or ALLOWED");
        };
    }

    private static List<String> tags(JsonNode array, String name) {
        if (array.isMissingNode() || array.isNull()) {
            return List.of();
        }
        if (!array.isArray() || array.size() > TAGS_MAX) {
            throw refused(name, "a list of at most " + TAGS_MAX + " tags");
        }
        var tags = new ArrayList<String>();
        for (var tag : array) {
            if (!tag.isTextual()) {
                throw refused(name, "texts");
            }
            tags.add(tag.textValue());
        }
        return List.copyOf(tags);
    }

    private static Optional<ManagedProject.Pool> pool(JsonNode claims) {
        var key = optional(claims, "concurrencyPoolKey");
        var limit = claims.path("concurrencyPoolLimit");
        var hasLimit = !limit.isMissingNode() && !limit.isNull();
        if (key.isPresent() != hasLimit) {
            throw refused("concurrencyPoolKey and concurrencyPoolLimit", "both or neither");
        }
        if (hasLimit && (!limit.canConvertToExactIntegral() || !limit.canConvertToInt() || limit.intValue() < 1)) {
            throw refused("concurrencyPoolLimit", "a positive whole number");
        }
        return key.map(text -> new ManagedProject.Pool(text, limit.intValue()));
    }

    private static String required(JsonNode claims, String name) {
        return optional(claims, name).orElseThrow(() -> refused(name, "a text"));
    }

    /** Required, but empty for a person without one. */
    private static String lastName(JsonNode claims) {
        var value = claims.path("lastName");
        return value.isTextual() && value.textValue().isBlank() ? "" : required(claims, "lastName");
    }

    private static Optional<String> optional(JsonNode claims, String name) {
        var value = claims.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        var text = value.isTextual() ? value.textValue() : "";
        if (text.isBlank() || text.length() > TEXT_LENGTH_MAX || text.indexOf('\0') >= 0) {
            throw refused(name, "a text of 1 to " + TEXT_LENGTH_MAX + " characters");
        }
        return Optional.of(text);
    }

    private static ApiException refused(String claim, String expected) {
        return refused("claim " + claim + ": expected " + expected);
    }

    static ApiException refused(String reason) {
        return ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "invalid external token: " + reason);
    }
}
