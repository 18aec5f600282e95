package io.millrace.workspace.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.millrace.workspace.connection.credential.ConnectionSecrets;
import io.millrace.workspace.connection.credential.ConnectionType;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionCheckTest {
    private static final ConnectionCheck.CheckedPiece ASKED = new ConnectionCheck.CheckedPiece(
            PieceScope.EVERYBODY, "@activepieces/piece-amazon-s3", "0.1.0", Optional.empty());

    private final Vertx vertx = TestPostgres.vertx();
    private final Bus bus = new Bus(vertx);
    private final ConnectionCheck check =
            new ConnectionCheck(bus, new ConnectionSecrets(bus), Duration.ofSeconds(1), InstantSource.system());

    @AfterEach
    void stop() {
        Waiting.await(vertx.close());
    }

    private Future<Optional<String>> problem() {
        return check.problemOf(ConnectionType.OIDC, Json.object(), ASKED);
    }

    @Test
    void findsThatARoleWasNotAssumed_whenTheCloudDoesNotAnswerInTime() {
        // Given
        bus.serve(
                Pieces.Validate.class, _ -> Promise.<Optional<String>>promise().future());

        // Then
        assertThat(Waiting.await(problem())).contains("the role was not assumed within 1 s");
        assertThat(ConnectionCheck.ROLE_DEADLINE).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void tellsWhatTheCloudSays_andKeepsADefectADefect() {
        // Given
        bus.serve(
                Pieces.Validate.class,
                ask -> ask.value().has("broken")
                        ? Future.failedFuture(ApiException.of(ErrorCode.INTERNAL, "a defect"))
                        : Future.succeededFuture(Optional.of("AccessDenied")));

        // Then
        assertThat(Waiting.await(problem())).contains("AccessDenied");
        var broken = Json.object().put("broken", true);
        assertThatThrownBy(() -> Waiting.await(check.problemOf(ConnectionType.OIDC, broken, ASKED)))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL));
    }
}
