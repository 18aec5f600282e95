package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.credential.ConnectionPiece;
import io.millrace.workspace.connection.credential.ConnectionSecrets;
import io.millrace.workspace.connection.credential.ConnectionType;
import io.millrace.workspace.connection.credential.Credentials;
import io.millrace.workspace.connection.credential.PieceToken;
import io.millrace.workspace.connection.credential.RenewedValue;
import io.millrace.workspace.oauth.ClaimRequest;
import io.millrace.workspace.oauth.OAuthApps;
import io.millrace.workspace.oauth.OAuthFailure;
import io.millrace.workspace.oauth.OAuthProviderMetadata;
import io.millrace.workspace.oauth.OAuthTokens;
import io.millrace.workspace.oauth.TokenExchange;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the value of a connection from a request, and lets the piece validate it (contract admin-api 7.2). */
final class ConnectionCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionCheck.class);

    /** Long, because a piece may call its service. */
    private static final long PIECE_DEADLINE_MS = 30_000;

    /** Timeout of a cloud's answer with a role (seed, limits). */
    static final Duration ROLE_DEADLINE = Duration.ofSeconds(10);

    private final Bus bus;
    private final ConnectionSecrets secrets;
    private final Duration roleDeadline;
    private final InstantSource clock;

    ConnectionCheck(Bus bus, ConnectionSecrets secrets, Duration roleDeadline, InstantSource clock) {
        this.clock = clock;
        this.bus = bus;
        this.secrets = secrets;
        this.roleDeadline = roleDeadline;
    }

    record CheckedPiece(PieceScope scope, String pieceName, String pieceVersion, Optional<String> projectId) {}

    /** The value to store, with its token; fails with the refusals of 7.2. */
    Future<RenewedValue> valueOf(
            Credentials credentials, Pieces.Auth piece, String platformId, Optional<String> projectId) {
        return checkedValue(credentials, piece, platformId, projectId).compose(value -> switch (credentials.type()) {
            case CUSTOM_AUTH -> withToken(value, piece, platformId, projectId);
            case OAUTH2, PLATFORM_OAUTH2, CLOUD_OAUTH2 ->
                Future.succeededFuture(new RenewedValue(value, TokenExchange.renewalDue(value)));
            case SECRET_TEXT, BASIC_AUTH, NO_AUTH, OIDC ->
                Future.succeededFuture(new RenewedValue(value, Optional.empty()));
        });
    }

    /** Adds the token that the piece issues (7.9). Without an answer of the piece the first use asks again. */
    private Future<RenewedValue> withToken(
            ObjectNode value, Pieces.Auth piece, String platformId, Optional<String> projectId) {
        var version = new ConnectionPiece(piece.name(), piece.version());
        return secrets.in(platformId, projectId, value)
                .compose(whole -> PieceToken.ask(bus, platformId, version, whole, projectId))
                .map(answer -> switch (answer) {
                    case Pieces.IssueOutcome.Issued(var token) -> PieceToken.with(value, token, clock.instant());
                    case Pieces.IssueOutcome.Needless() -> new RenewedValue(value, Optional.empty());
                    case Pieces.IssueOutcome.Refused(var message) -> throw invalid(message);
                })
                .recover(failure -> {
                    if (isRefusal(failure)) {
                        return Future.failedFuture(failure);
                    }
                    LOG.warn("{} has issued no token yet: {}", piece.name(), failure.getMessage());
                    return Future.succeededFuture(new RenewedValue(value, Optional.of(clock.instant())));
                });
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ApiException refused && refused.code() == ErrorCode.INVALID_APP_CONNECTION;
    }

    private static ApiException invalid(String problem) {
        return ApiException.of(ErrorCode.INVALID_APP_CONNECTION, Json.object().put("error", problem));
    }

    private Future<ObjectNode> checkedValue(
            Credentials credentials, Pieces.Auth piece, String platformId, Optional<String> projectId) {
        var asked = new CheckedPiece(PieceScope.of(platformId), piece.name(), piece.version(), projectId);
        return switch (credentials) {
            case Credentials.Placeholder _ ->
                Future.succeededFuture(Json.object().put("type", ConnectionType.NO_AUTH.name()));
            case Credentials.Given(var type, var value) -> good(type, value, asked);
            case Credentials.Claimable(var type, var claim) ->
                claimed(type, claim, piece, platformId, projectId).compose(value -> good(type, value, asked));
        };
    }

    private Future<ObjectNode> good(ConnectionType type, ObjectNode value, CheckedPiece asked) {
        return problemOf(type, value, asked).map(problem -> {
            problem.ifPresent(text -> {
                throw invalid(text);
            });
            return value;
        });
    }

    /** Problem that the piece reports for a value. Fails when the piece cannot be called or a secret cannot be resolved. */
    Future<Optional<String>> problemOf(ConnectionType type, ObjectNode value, CheckedPiece asked) {
        return secrets.in(asked.scope().platformId().orElse(""), asked.projectId(), value)
                .compose(whole -> problemOfWhole(type, whole, asked));
    }

    private Future<Optional<String>> problemOfWhole(ConnectionType type, ObjectNode value, CheckedPiece asked) {
        if (!type.isCheckedByPiece()) {
            return Future.succeededFuture(Optional.empty());
        }
        var shown = ConnectionVault.forOthers(value.deepCopy());
        var question =
                new Pieces.Validate(asked.scope(), asked.pieceName(), asked.pieceVersion(), shown, asked.projectId());
        return type == ConnectionType.OIDC
                ? bus.ask(question, roleDeadline.toMillis()).recover(this::roleProblem)
                : bus.ask(question, PIECE_DEADLINE_MS);
    }

    /** A timeout of the cloud counts as a refused role. */
    private Future<Optional<String>> roleProblem(Throwable failure) {
        return Bus.isUnanswered(failure, Pieces.Validate.class)
                ? Future.succeededFuture(
                        Optional.of("the role was not assumed within " + roleDeadline.toSeconds() + " s"))
                : Future.failedFuture(failure);
    }

    private Future<ObjectNode> claimed(
            ConnectionType type, ClaimRequest claim, Pieces.Auth piece, String platformId, Optional<String> projectId) {
        if (type == ConnectionType.CLOUD_OAUTH2) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.INVALID_CLOUD_CLAIM, Json.object().put("pieceName", piece.name())));
        }
        var provider = OAuthProviderMetadata.of(piece.definition());
        if (provider.isEmpty()) {
            return Future.failedFuture(invalidClaim(claim, "", "piece " + piece.name() + " does not use OAuth2"));
        }
        return withSecret(type, claim, piece, platformId)
                .compose(complete -> whole(complete, platformId, projectId)
                        .compose(resolved -> bus.ask(
                                new OAuthTokens.Claim(receiver(type, provider.get(), resolved), resolved),
                                OAuthTokens.DEADLINE.toMillis()))
                        .map(value -> stored(type, complete, value)))
                .recover(failure -> Future.failedFuture(
                        failure instanceof OAuthFailure refused
                                ? invalidClaim(claim, provider.get().tokenUrl(), refused.getMessage())
                                : failure));
    }

    private static OAuthProviderMetadata receiver(
            ConnectionType type, OAuthProviderMetadata provider, ClaimRequest claim) {
        return type == ConnectionType.PLATFORM_OAUTH2 ? provider.withPlatformClient(claim.props()) : provider;
    }

    private Future<ClaimRequest> withSecret(
            ConnectionType type, ClaimRequest claim, Pieces.Auth piece, String platformId) {
        if (type == ConnectionType.OAUTH2) {
            return Future.succeededFuture(claim);
        }
        return bus.ask(
                        new OAuthApps.FindSecret(
                                platformId, piece.name(), claim.client().id()),
                        PIECE_DEADLINE_MS)
                .map(secret -> claim.withSecret(secret.orElseThrow(() ->
                        invalidClaim(claim, "", "the platform has no OAuth app with this client id for this piece"))));
    }

    private Future<ClaimRequest> whole(ClaimRequest claim, String platformId, Optional<String> projectId) {
        var asked = Json.object()
                .put("client_id", claim.client().id())
                .put("client_secret", claim.client().secret());
        claim.props().ifPresent(props -> asked.set("props", props));
        return secrets.in(platformId, projectId, asked)
                .map(found -> claim.with(
                        found.path("client_id").asText(),
                        found.path("client_secret").asText(),
                        claim.props().map(_ -> (ObjectNode) found.get("props"))));
    }

    /** A claim is stored unresolved: with references, where it has some. */
    private static ObjectNode stored(ConnectionType type, ClaimRequest claim, ObjectNode value) {
        value.put("type", type.name())
                .put("redirect_url", claim.redirectUrl())
                .put("client_id", claim.client().id());
        claim.props().ifPresent(props -> value.set("props", props));
        return type == ConnectionType.OAUTH2
                ? value.put("client_secret", claim.client().secret())
                : value;
    }

    private static ApiException invalidClaim(ClaimRequest claim, String tokenUrl, String message) {
        return ApiException.of(
                ErrorCode.INVALID_CLAIM,
                Json.object()
                        .put("redirectUrl", claim.redirectUrl())
                        .put("tokenUrl", tokenUrl)
                        .put("clientId", claim.client().id())
                        .put("message", message));
    }
}
