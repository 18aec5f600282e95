package io.millrace.workspace.authorizationserver;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Handles {@link Grants} after the consent: codes and refresh tokens become access tokens, until they are revoked. */
public final class TokenExchangeService implements BusService {
    private static final Duration ACCESS_LIFETIME = Duration.ofMinutes(15);
    private static final Duration REFRESH_LIFETIME = Duration.ofDays(30);
    private static final String ACCESS_TYPE = "mcp_oauth";
    private static final String SCOPE = "mcp";

    private final Database database;
    private final AccessTokens tokens;
    private final GrantAudit audit;
    private final Duration refreshGrace;
    private final InstantSource clock;
    private final ClientStore clients = new ClientStore();
    private final GrantStore store = new GrantStore();

    /** @param refreshGrace period in which a repeated refresh gets the same successor (AP_MCP_REFRESH_GRACE_SECONDS) */
    public TokenExchangeService(
            Database database, AccessTokens tokens, AuditLog auditLog, Duration refreshGrace, InstantSource clock) {
        this.database = database;
        this.tokens = tokens;
        this.audit = new GrantAudit(auditLog);
        this.refreshGrace = refreshGrace;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Grants.Exchange.class, this::exchange);
        bus.serve(Grants.Revoke.class, this::revoke);
        bus.serve(Grants.Identify.class, this::identify);
    }

    private Future<Tokens> exchange(Grants.Exchange ask) {
        if (ask.by().clientId().isEmpty()) {
            return Future.failedFuture(ApiException.of(ErrorCode.OAUTH_INVALID_REQUEST, "client_id is missing"));
        }
        return database.inTransaction(tx -> authenticate(tx, ask.by()).compose(client -> switch (ask.offer()) {
                    case Grants.Offer.Code code -> redeem(tx, client, code, ask.issuer());
                    case Grants.Offer.Refresh refresh -> refresh(tx, client, refresh, ask.issuer());
                }))
                .map(given -> given.orElseThrow(() -> ApiException.of(
                        ErrorCode.OAUTH_INVALID_GRANT,
                        "the code or token is unknown, used, expired or not this client's")));
    }

    private Future<OAuthClient> authenticate(Tx tx, ClientCredentials by) {
        return by.clientId()
                .map(id -> clients.find(tx, id))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .map(found -> found.filter(client -> client.isProvenBy(by.secret()))
                        .orElseThrow(() -> ApiException.of(
                                ErrorCode.OAUTH_INVALID_CLIENT, "the client is unknown or has not authenticated")));
    }

    /** A refusal is an empty result and no failure, so that the revocation by the second use of a code is committed. */
    private Future<Optional<Tokens>> redeem(Tx tx, OAuthClient client, Grants.Offer.Code offer, Issuer issuer) {
        return store.findByCode(tx, Hashes.sha256Hex(offer.code())).compose(found -> {
            if (found.filter(Grant::isUsed).isPresent()) {
                return end(tx, found.get(), client, GrantAudit.ReusedCredential.AUTHORIZATION_CODE_REUSED);
            }
            return found.filter(grant -> grant.isCodeFor(client, offer, clock.instant()))
                    .map(grant -> firstTokens(tx, grant, offer, issuer).map(Optional::of))
                    .orElseGet(() -> Future.succeededFuture(Optional.empty()));
        });
    }

    private Future<Tokens> firstTokens(Tx tx, Grant grant, Grants.Offer.Code offer, Issuer issuer) {
        var resource = resource(grant, offer, issuer);
        var refreshToken = RefreshToken.fresh();
        var expires = clock.instant().plus(REFRESH_LIFETIME);
        return store.exchange(tx, grant.id(), refreshToken, expires, resource)
                .map(_ -> tokens(grant, resource, Optional.of(refreshToken)));
    }

    private Future<Optional<Tokens>> refresh(Tx tx, OAuthClient client, Grants.Offer.Refresh offer, Issuer issuer) {
        var presented = new RefreshToken(offer.token());
        return store.findFamily(tx, presented)
                .compose(found -> found.map(family -> refresh(tx, client, family, presented, offer, issuer))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }

    /** The resource is checked before anything changes: a refused one must leave the presented token valid. */
    private Future<Optional<Tokens>> refresh(
            Tx tx,
            OAuthClient client,
            RefreshFamily family,
            RefreshToken presented,
            Grants.Offer.Refresh offer,
            Issuer issuer) {
        var grant = family.grant();
        return switch (family.verdict(client, presented, clock.instant(), refreshGrace)) {
            case RefreshFamily.Verdict.Keep() -> given(tokens(grant, resource(grant, offer, issuer), Optional.empty()));
            case RefreshFamily.Verdict.Repeat(var valid) ->
                given(tokens(grant, resource(grant, offer, issuer), Optional.of(valid)));
            case RefreshFamily.Verdict.Rotate() -> rotate(tx, grant, presented, resource(grant, offer, issuer));
            case RefreshFamily.Verdict.Reuse() ->
                end(tx, grant, client, GrantAudit.ReusedCredential.REFRESH_TOKEN_REUSED);
            case RefreshFamily.Verdict.Refuse() -> Future.succeededFuture(Optional.empty());
        };
    }

    private static Future<Optional<Tokens>> given(Tokens tokens) {
        return Future.succeededFuture(Optional.of(tokens));
    }

    private Future<Optional<Tokens>> rotate(Tx tx, Grant grant, RefreshToken presented, String resource) {
        var salt = RefreshToken.freshSalt();
        var successor = presented.successor(salt);
        return store.rotate(tx, grant.id(), successor, salt, clock.instant())
                .map(_ -> Optional.of(tokens(grant, resource, Optional.of(successor))));
    }

    /** Revokes a grant with all its tokens. The entry of the audit log is written once. */
    private Future<Optional<Tokens>> end(Tx tx, Grant grant, OAuthClient client, GrantAudit.ReusedCredential reason) {
        return grant.isRevoked()
                ? Future.succeededFuture(Optional.empty())
                : store.revoke(tx, grant.id())
                        .compose(_ -> audit.revoked(tx, grant, client, reason))
                        .map(Optional.empty());
    }

    /** Resource of the tokens. A resource in the consent is final; otherwise the token request chooses it (RFC 8707). */
    private static String resource(Grant grant, Grants.Offer offer, Issuer issuer) {
        var wanted = offer.resource();
        var isOffered = grant.resource()
                .map(consented -> wanted.orElse(consented).equals(consented))
                .orElseGet(() -> wanted.map(resource -> issuer.serves(resource) && isOpen(grant, resource))
                        .orElse(true));
        if (!isOffered) {
            throw ApiException.of(ErrorCode.OAUTH_INVALID_TARGET, "the grant is not for this resource");
        }
        return grant.resource().or(() -> wanted).orElseGet(() -> issuer.at(Issuer.PROJECT_RESOURCE));
    }

    /** A consent for one project opens no other project, regardless of later requests of the client. */
    private static boolean isOpen(Grant grant, String resource) {
        var only = Issuer.projectOf(resource);
        return only.isEmpty() || grant.projectId().isEmpty() || only.equals(grant.projectId());
    }

    private Tokens tokens(Grant grant, String resource, Optional<RefreshToken> refreshToken) {
        var claims = Json.object()
                .put("sub", grant.userId())
                .put("projectId", grant.projectId().orElse(null))
                .put("platformId", grant.platformId())
                .put("clientId", grant.clientId())
                .put("grantId", grant.id())
                .put("aud", resource);
        claims.putArray("scopes").add(SCOPE);
        var accessToken = tokens.issue(ACCESS_TYPE, claims, ACCESS_LIFETIME);
        return new Tokens(accessToken, ACCESS_LIFETIME.toSeconds(), refreshToken.map(RefreshToken::text), SCOPE);
    }

    private Future<Nothing> revoke(Grants.Revoke ask) {
        return database.inTransaction(tx -> authenticate(tx, ask.by())
                        .compose(client ->
                                store.revokeByRefreshToken(tx, new RefreshToken(ask.refreshToken()), client.id())))
                .map(Nothing.DONE);
    }

    private Future<Grants.TokenAccess> identify(Grants.Identify ask) {
        var claims = tokens.verify(ACCESS_TYPE, ask.accessToken())
                .filter(said -> said.path("aud").asText().equals(ask.resource()));
        if (claims.isEmpty()) {
            return Future.failedFuture(invalidToken());
        }
        return database.read(
                        tx -> store.findHolder(tx, claims.get().path("grantId").asText()))
                .map(holder ->
                        holder.map(by -> granted(by, claims.get())).orElseThrow(TokenExchangeService::invalidToken));
    }

    private static Grants.TokenAccess granted(Principal by, JsonNode claims) {
        return new Grants.TokenAccess(
                by,
                Optional.ofNullable(claims.path("projectId").textValue()),
                claims.path("grantId").asText());
    }

    private static ApiException invalidToken() {
        return ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "invalid access token");
    }
}
