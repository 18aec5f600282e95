package io.millrace.account.signon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * Keys of a provider that may have signed a token (RFC 7515, RFC 7517). The token only selects a key of the provider's set by
 * name: keys and addresses of keys inside a token are ignored. Pure.
 */
final class ProviderKeys {
    /** Limit of keys in a set; a provider that rotates its keys has fewer. */
    static final int KEYS_MAX = 100;

    /** Limit of keys with one name, or without a name, that are tried in turn. */
    private static final int TRIED_MAX = 10;

    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 8192;

    /** Limit of the exponent's length: one as long as its modulus makes a verification as expensive as a signature. */
    private static final int EXPONENT_BITS_MAX = 64;

    private static final Set<String> RSA = Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512");
    private static final Set<String> ELLIPTIC = Set.of("ES256", "ES384", "ES512");

    private ProviderKeys() {}

    /**
     * Candidate keys, restricted to the token's algorithm.
     *
     * @throws IllegalArgumentException when the token's algorithm is not accepted, or there is no key
     */
    static List<JsonObject> of(JsonNode set, String token) {
        var head = head(token);
        var algorithm = head.path("alg").asText();
        var type = RSA.contains(algorithm) ? "RSA" : ELLIPTIC.contains(algorithm) ? "EC" : "";
        if (type.isEmpty()) {
            throw new IllegalArgumentException("the signature algorithm of the id token is not supported");
        }
        if (head.has("crit")) {
            throw new IllegalArgumentException("the id token needs an unknown extension (crit)");
        }
        if (set.path("keys").size() > KEYS_MAX) {
            throw new IllegalArgumentException("the provider publishes more than " + KEYS_MAX + " keys");
        }
        var keys = new ArrayList<JsonObject>();
        for (var key : set.path("keys")) {
            if (key instanceof ObjectNode known && isFor(known, type, algorithm, head.path("kid"))) {
                keys.add(new JsonObject(Json.text(known.deepCopy().put("alg", algorithm))));
            }
        }
        if (keys.isEmpty() || keys.size() > TRIED_MAX) {
            throw new IllegalArgumentException("expected a key of the provider for the id token, found "
                    + (keys.isEmpty() ? "none" : "more than " + TRIED_MAX));
        }
        return keys;
    }

    private static JsonNode head(String token) {
        var parts = token.split("\\.", 4);
        try {
            var head = Json.parse(Base64.getUrlDecoder().decode(parts[0]));
            if (head.isObject() && parts.length == 3) {
                return head;
            }
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            throw new IllegalArgumentException("the id token is none", malformed);
        }
        throw new IllegalArgumentException("the id token is none");
    }

    /** Accepts public signing keys only: no symmetric and no encryption keys. */
    private static boolean isFor(ObjectNode key, String type, String algorithm, JsonNode name) {
        return key.path("kty").asText().equals(type)
                && !key.path("use").asText("sig").equals("enc")
                && (!key.hasNonNull("alg") || key.path("alg").asText().equals(algorithm))
                && (!name.isTextual() || !key.has("kid") || key.path("kid").equals(name))
                && (type.equals("EC") || isUsual(key));
    }

    private static boolean isUsual(ObjectNode key) {
        var bits = bits(key, "n");
        return bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX && bits(key, "e") <= EXPONENT_BITS_MAX;
    }

    private static int bits(ObjectNode key, String name) {
        var text = key.path(name).asText();
        if (text.length() > RSA_BITS_MAX) {
            return Integer.MAX_VALUE;
        }
        try {
            return new BigInteger(1, Base64.getUrlDecoder().decode(text)).bitLength();
        } catch (IllegalArgumentException malformed) {
            return Integer.MAX_VALUE;
        }
    }
}
