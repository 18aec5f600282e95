package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of the signing keys of the Bot Framework. An unknown key id triggers a new fetch, rate-limited because
 * untrusted requests may carry arbitrary key ids. Thread-safe.
 */
final class BotFrameworkKeys {
    private static final Logger LOG = LoggerFactory.getLogger(BotFrameworkKeys.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration BETWEEN_FETCHES = Duration.ofMinutes(1);
    private static final int BYTES_MAX = 512 * 1024;
    private static final int KEYS_MAX = 100;
    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 8192;
    private static final int EXPONENT_BITS_MAX = 64;

    private final OutboundHttp http;
    private final TeamsPlaces places;
    private final InstantSource clock;
    private final AtomicReference<Fetch> last = new AtomicReference<>();

    BotFrameworkKeys(OutboundHttp http, TeamsPlaces places, InstantSource clock) {
        this.http = http;
        this.places = places;
        this.clock = clock;
    }

    private record Fetch(Instant tried, Future<KeySet> result) {}

    private record KeySet(Instant since, Map<String, ChannelKey> keys) {}

    /**
     * A key.
     *
     * @param channels for whose requests it counts; empty for all
     */
    private record ChannelKey(PublicKey key, Set<String> channels) {
        boolean isFor(String channel) {
            return channels.isEmpty() || channels.contains(channel);
        }
    }

    /** Finds the key of an id if it signs for a channel; fails with UNAVAILABLE when the keys cannot be fetched. */
    Future<Optional<PublicKey>> find(String keyId, String channel) {
        return latest(false)
                .compose(known -> known.keys().containsKey(keyId) ? Future.succeededFuture(known) : latest(true))
                .map(known -> Optional.ofNullable(known.keys().get(keyId))
                        .filter(key -> key.isFor(channel))
                        .map(ChannelKey::key));
    }

    /**
     * Returns the latest keys. Concurrent callers share one fetch, and its result is reused for a while.
     *
     * @param refresh true if a key is missing from the cached set
     */
    private Future<KeySet> latest(boolean refresh) {
        var now = clock.instant();
        var known = last.get();
        if (known != null
                && (!known.result().isComplete()
                        || now.isBefore(known.tried().plus(BETWEEN_FETCHES))
                        || !refresh && isKept(known, now))) {
            return known.result();
        }
        var result = Promise.<KeySet>promise();
        if (!last.compareAndSet(known, new Fetch(now, result.future()))) {
            return last.get().result();
        }
        fetch().map(keys -> new KeySet(now, keys))
                .recover(failure -> keptOr(known, now, failure))
                .onComplete(result);
        return result.future();
    }

    private boolean isKept(Fetch fetch, Instant now) {
        return fetch.result().succeeded()
                && now.isBefore(fetch.result().result().since().plus(places.keysKept()));
    }

    /** Previous keys remain valid until they are too old, even when a fetch of new keys fails. */
    private Future<KeySet> keptOr(Fetch before, Instant now, Throwable failure) {
        LOG.warn("the keys of the Bot Framework cannot be fetched: {}", failure.getMessage());
        return before != null && isKept(before, now)
                ? before.result()
                : Future.failedFuture(ApiException.of(
                        ErrorCode.UNAVAILABLE, "the keys of the Bot Framework cannot be fetched at the moment"));
    }

    private Future<Map<String, ChannelKey>> fetch() {
        return get(places.metadataUrl())
                .compose(metadata -> get(metadata.path("jwks_uri").asText()))
                .map(BotFrameworkKeys::read);
    }

    private Future<JsonNode> get(String url) {
        return Future.succeededFuture(url)
                .map(WebAddress::parse)
                .compose(address -> http.send(OutboundRequest.of("GET", address)
                        .withTimeoutMs(TIMEOUT.toMillis())
                        .withBodyBytesMax(BYTES_MAX)
                        .withHeader("Accept", "application/json")))
                .map(response -> {
                    if (response.status() != 200) {
                        throw new IllegalArgumentException("expected status 200, found " + response.status());
                    }
                    return json(response.body().getBytes());
                });
    }

    private static JsonNode json(byte[] bytes) {
        try {
            return Json.parse(bytes);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("expected JSON", malformed);
        }
    }

    private static Map<String, ChannelKey> read(JsonNode set) {
        var keys = new HashMap<String, ChannelKey>();
        if (!set.path("keys").isArray() || set.path("keys").size() > KEYS_MAX) {
            throw new IllegalArgumentException("expected a set of at most " + KEYS_MAX + " keys");
        }
        set.path("keys")
                .forEach(key -> publicKey(key).ifPresent(found -> {
                    var channels = new HashSet<String>();
                    key.path("endorsements").forEach(channel -> channels.add(channel.asText()));
                    keys.putIfAbsent(key.path("kid").asText(), new ChannelKey(found, channels));
                }));
        return keys;
    }

    /** Accepts public RSA signature keys of common sizes only. */
    private static Optional<PublicKey> publicKey(JsonNode key) {
        if (!key.path("kty").asText().equals("RSA")
                || key.path("kid").asText().isEmpty()
                || !key.path("use").asText("sig").equals("sig")
                || key.path("n").asText().length() > RSA_BITS_MAX) {
            return Optional.empty();
        }
        try {
            var modulus = number(key, "n");
            var exponent = number(key, "e");
            if (modulus.bitLength() < RSA_BITS_MIN
                    || modulus.bitLength() > RSA_BITS_MAX
                    || exponent.bitLength() > EXPONENT_BITS_MAX) {
                return Optional.empty();
            }
            return Optional.of(KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent)));
        } catch (GeneralSecurityException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static BigInteger number(JsonNode key, String name) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(key.path(name).asText()));
    }
}
