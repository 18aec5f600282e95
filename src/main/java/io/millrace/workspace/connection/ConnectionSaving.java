package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.connection.credential.ConnectionType;
import io.millrace.workspace.connection.credential.Credentials;
import io.millrace.workspace.connection.credential.RenewedValue;
import io.millrace.workspace.connection.credential.SealedConnection;
import io.millrace.workspace.secretmanager.SecretReference;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Creates a connection, or changes the value of the one with the same external id, scope, platform and project (contract
 * admin-api 7.2). Slow calls run before the transaction.
 */
final class ConnectionSaving {
    private static final long PIECE_DEADLINE_MS = 10_000;

    /** Long, because a missing package must be fetched. */
    private static final long PROVIDE_DEADLINE_MS = 15_000;

    private static final Pattern EXACT_VERSION = Pattern.compile("[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}");

    private final Bus bus;
    private final Database database;
    private final SecretBox box;
    private final RowBound bound;
    private final ConnectionCheck check;
    private final InstantSource clock;
    private final ConnectionStore store;
    private final ProjectLinkStore links;
    private final ConnectionAudit auditLog;

    ConnectionSaving(
            Bus bus,
            Database database,
            SecretBox box,
            ConnectionCheck check,
            InstantSource clock,
            ConnectionStore store,
            ProjectLinkStore links,
            ConnectionAudit auditLog,
            RowBound bound) {
        this.bus = bus;
        this.database = database;
        this.box = box;
        this.bound = bound;
        this.check = check;
        this.clock = clock;
        this.store = store;
        this.links = links;
        this.auditLog = auditLog;
    }

    private record Order(
            Principal by,
            ConnectionScope scope,
            List<String> projectIds,
            NewConnection request,
            Pieces.Auth piece,
            RenewedValue value) {}

    /** The projects are known to be of the principal's platform. */
    Future<AppConnection> save(Principal by, ConnectionScope scope, List<String> projectIds, NewConnection request) {
        return pieceOf(by, request)
                .compose(piece -> check.valueOf(
                                request.credentials(),
                                piece,
                                by.platform(),
                                projectIds.stream().findFirst())
                        .map(value -> new Order(by, scope, projectIds, request, piece, value)))
                .compose(order -> stored(order)
                        .recover(failure -> isMetByAnother(failure) ? stored(order) : Future.failedFuture(failure)))
                .recover(failure -> Future.failedFuture(isGone(failure) ? projectGone(projectIds) : failure));
    }

    /**
     * Loads the authentication of the piece. A named version must exist; without credentials to check, the piece may be
     * installed later.
     */
    private Future<Pieces.Auth> pieceOf(Principal by, NewConnection request) {
        var name = request.pieceName();
        var version = request.pieceVersion();
        var scope = PieceScope.of(by.platform());
        return version.map(exact -> bus.ask(new Pieces.Provide(scope, name, exact), PROVIDE_DEADLINE_MS)
                        .otherwiseEmpty())
                .orElseGet(Future::succeededFuture)
                .compose(_ -> bus.ask(new Pieces.FindAuth(scope, name, version), PIECE_DEADLINE_MS))
                .recover(failure -> version.filter(
                                exact -> EXACT_VERSION.matcher(exact).matches())
                        .filter(_ -> ApiException.isNotFound(failure)
                                && request.credentials().type() == ConnectionType.NO_AUTH)
                        .map(exact -> Future.succeededFuture(new Pieces.Auth(name, exact, null)))
                        .orElseGet(() -> Future.failedFuture(failure)));
    }

    /** True when a concurrent request created a connection of that name, which a lookup now finds. */
    private static boolean isMetByAnother(Throwable failure) {
        return failure instanceof ConstraintViolation refused && refused.kind() == ConstraintViolation.Kind.UNIQUE;
    }

    private static boolean isGone(Throwable failure) {
        return failure instanceof ConstraintViolation refused && refused.kind() == ConstraintViolation.Kind.FOREIGN_KEY;
    }

    private static ApiException projectGone(List<String> projectIds) {
        return ApiException.notFound("Project", String.join(",", projectIds));
    }

    /** An authorization code is accepted once, so the write of its tokens is retried. */
    private Future<AppConnection> stored(Order order) {
        var externalId = order.request().externalId().orElseGet(Ids::next);
        return order.request().credentials().type().isOAuth()
                ? database.recordingEffect(tx -> stored(tx, order, externalId))
                : database.inTransaction(tx -> stored(tx, order, externalId));
    }

    private Future<AppConnection> stored(Tx tx, Order order, String externalId) {
        return earlier(tx, order, externalId)
                .compose(earlier -> {
                    var connection = connection(order, externalId, earlier);
                    var secret = new ConnectionStore.Secret(
                            SealedConnection.seal(
                                    box, connection.id(), order.value().value()),
                            order.value().due());
                    return (earlier.isPresent()
                                    ? store.overwrite(tx, connection, secret)
                                    : store.insert(tx, connection, secret, bound))
                            .compose(_ -> order.scope() == ConnectionScope.PLATFORM
                                    ? links.setProjects(tx, connection.id(), order.projectIds())
                                    : Future.succeededFuture())
                            .compose(_ -> store.find(tx, connection.id()));
                })
                .map(found -> found.orElseThrow(() -> projectGone(order.projectIds())))
                .compose(connection -> auditLog.upserted(tx, order.by(), connection));
    }

    private Future<Optional<AppConnection>> earlier(Tx tx, Order order, String externalId) {
        return order.scope() == ConnectionScope.PROJECT
                ? store.findInProject(tx, order.projectIds().getFirst(), externalId)
                : store.findGlobal(tx, order.by().platform(), externalId);
    }

    private AppConnection connection(Order order, String externalId, Optional<AppConnection> earlier) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var request = order.request();
        var credentials = request.credentials();
        return new AppConnection(
                earlier.map(AppConnection::id).orElseGet(Ids::next),
                earlier.map(AppConnection::created).orElse(now),
                now,
                externalId,
                request.displayName(),
                credentials.type(),
                order.scope(),
                credentials instanceof Credentials.Placeholder ? ConnectionStatus.MISSING : ConnectionStatus.ACTIVE,
                order.piece().name(),
                order.piece().version(),
                order.by().platform(),
                order.projectIds(),
                earlier.map(AppConnection::ownerId).orElse(order.by().actingUser()),
                null,
                metadata(request.metadata(), earlier),
                request.preSelectForNewProjects()
                        .or(() -> earlier.map(AppConnection::preSelectForNewProjects))
                        .orElse(false),
                SecretReference.isIn(order.value().value()));
    }

    private static JsonNode metadata(FieldChange<ObjectNode> change, Optional<AppConnection> earlier) {
        return change instanceof FieldChange.To<ObjectNode>(var metadata)
                ? metadata
                : earlier.map(AppConnection::metadata).orElse(null);
    }
}
