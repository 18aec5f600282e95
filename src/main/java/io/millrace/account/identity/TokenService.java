package io.millrace.account.identity;

import io.millrace.account.identity.apikey.ApiKeyService;
import io.millrace.account.identity.apikey.ApiKeyStore;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles {@link Gate.Identify}: resolves a token to its principal (contract admin-api 1.8). */
public final class TokenService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(TokenService.class);

    /** Minimum interval between recorded uses: a busy key would otherwise cost one write per request. */
    private static final Duration TOUCH_INTERVAL = Duration.ofMinutes(1);

    private final Database database;
    private final AccessTokens tokens;
    private final ProjectPlatforms projects;
    private final InstantSource clock;
    private final AccountStore accounts = new AccountStore();
    private final ApiKeyStore keys = new ApiKeyStore();

    /** Keys whose use is being recorded. Confined to the service's event loop. */
    private final Set<String> touching = new HashSet<>();

    public TokenService(Database database, AccessTokens tokens, ProjectPlatforms projects, InstantSource clock) {
        this.database = database;
        this.tokens = tokens;
        this.projects = projects;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Gate.Identify.class, this::identify);
    }

    private Future<Principal> identify(Gate.Identify ask) {
        return ask.token().startsWith(ApiKeyService.PREFIX) ? holderOf(ask.token()) : userOf(ask.token());
    }

    private Future<Principal> holderOf(String key) {
        return database.read(tx -> keys.findHolder(tx, Hashes.sha256Hex(key))).compose(found -> {
            var holder = found.orElseThrow(() -> ApiException.of(ErrorCode.AUTHENTICATION, "invalid api key"));
            if (holder.expiresAt() != null && !clock.instant().isBefore(holder.expiresAt())) {
                throw ApiException.of(ErrorCode.AUTHENTICATION, "the api key has expired");
            }
            var touched = touch(holder);
            return holder.lastUsedAt() == null
                    ? touched.map(holder.principal())
                    : Future.succeededFuture(holder.principal());
        });
    }

    private Future<Principal> userOf(String token) {
        var verified = tokens.verify(token);
        if (verified.isEmpty()) {
            return tokens.verify(Principal.Kind.ENGINE.name(), token)
                    .map(claims -> engineOf(claims.path("projectId").asText()))
                    .orElseGet(() -> newcomerOf(token));
        }
        var claims = verified.get();
        return database.read(tx -> accounts.findByUser(tx, claims.userId()))
                .map(account -> session(account, claims).orElseThrow(TokenService::expired));
    }

    /** A token of a project is refused after the deletion of the project. */
    private Future<Principal> engineOf(String projectId) {
        return database.read(tx -> projects.platformOf(tx, projectId))
                .map(platformId ->
                        new Principal.Engine(projectId, platformId.orElseThrow(TokenService::expired), null));
    }

    private Future<Principal> newcomerOf(String token) {
        var verified = tokens.verify(Principal.Kind.ONBOARDING.name(), token);
        if (verified.isEmpty()) {
            return Future.failedFuture(ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "invalid access token"));
        }
        var identityId = verified.get().path("id").asText();
        var version = verified.get().path("tokenVersion").asText(null);
        return database.read(tx -> accounts.findByIdentity(tx, identityId, null))
                .map(account -> account.map(Account::identity)
                        .filter(identity -> identity.verified() && Objects.equals(identity.tokenVersion(), version))
                        .map(identity -> (Principal) new Principal.Newcomer(identity.id(), null))
                        .orElseThrow(TokenService::expired));
    }

    private static ApiException expired() {
        return ApiException.of(ErrorCode.SESSION_EXPIRED, "The session has expired, sign in again");
    }

    private static Optional<Principal> session(Optional<Account> account, AccessTokens.Claims claims) {
        return account.filter(found -> found.identity().verified()
                        && Objects.equals(found.identity().tokenVersion(), claims.tokenVersion()))
                .flatMap(Account::user)
                .filter(user ->
                        user.status() == UserStatus.ACTIVE && user.platformId().equals(claims.platformId()))
                .map(User::principal);
    }

    /**
     * Only the first request waits for this write, so that a used key never appears unused. It ignores failures: a lost time
     * of use is harmless.
     */
    private Future<Void> touch(ApiKeyStore.Holder holder) {
        var now = clock.instant();
        var before = now.minus(TOUCH_INTERVAL);
        var id = holder.principal().keyId();
        if (holder.lastUsedAt() != null && holder.lastUsedAt().isAfter(before) || !touching.add(id)) {
            return Future.succeededFuture();
        }
        return database.inTransaction(tx -> keys.touch(tx, id, now, before))
                .onComplete(_ -> touching.remove(id))
                .recover(failure -> {
                    LOG.warn("cannot record the last use of API key {}", id, failure);
                    return Future.succeededFuture();
                });
    }
}
