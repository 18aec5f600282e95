package io.millrace.workspace.connection;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.piece.IssuedToken;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tokens that pieces issue for connections of the type CUSTOM_AUTH (contract admin-api 7.9). */
class PieceTokenIT extends OAuthConnectionBench {
    private static NewConnection request() {
        var body = Json.object()
                .put("externalId", "mill")
                .put("displayName", "Mill")
                .put("pieceName", TOKEN_PIECE)
                .put("type", "CUSTOM_AUTH");
        body.putObject("value").put("type", "CUSTOM_AUTH").putObject("props").put("key", CLIENT_SECRET);
        var fields = Fields.of("body", body);
        var request = NewConnection.read(fields);
        fields.done();
        return request;
    }

    /** Issues token-1, token-2 and so on. */
    private void issuesTokens(Optional<Duration> life) {
        issuing = () -> Future.succeededFuture(Optional.of(new IssuedToken("token-" + askedKeys.size(), life)));
    }

    private void refuses() {
        issuing = () -> Future.failedFuture(PieceFailure.named("Error", "the key is revoked"));
    }

    private void crashes() {
        issuing = () -> Future.failedFuture(new PieceCrash(PieceCrash.Cause.TIME, "The piece took too long"));
    }

    private String token() {
        return usable(bus).path("access_token").asText();
    }

    @Test
    void issuesATokenOnSave_andRenewsItBeforeTheEnd_onceForAllWhoWait() {
        // given
        issuesTokens(Optional.of(Duration.ofMinutes(55)));
        save(request());
        clock.advance(Duration.ofMinutes(39));
        assertThat(token()).isEqualTo("token-1");
        assertThat(usable(bus).at("/props/key").asText()).isEqualTo(CLIENT_SECRET);
        assertThat(askedKeys).containsExactly(CLIENT_SECRET);

        // when
        clock.advance(Duration.ofMinutes(2));
        var all = new ArrayList<Future<Map<String, ConnectionUse>>>();
        for (var i = 0; i < 20; i++) {
            all.add(bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS));
        }
        await(Future.all(all));

        // then
        assertThat(token()).isEqualTo("token-2");
        assertThat(askedKeys).hasSize(2);
    }

    @Test
    void renewsAShortTokenAfterHalfOfItsLife_andAnEndlessOneNever() {
        issuesTokens(Optional.of(Duration.ofSeconds(60)));
        save(request());
        clock.advance(Duration.ofSeconds(29));
        assertThat(token()).isEqualTo("token-1");
        clock.advance(Duration.ofSeconds(2));
        issuesTokens(Optional.empty());
        assertThat(token()).isEqualTo("token-2");

        clock.advance(Duration.ofDays(400));
        assertThat(token()).isEqualTo("token-2");
        assertThat(usable(bus).has("token_expires_at")).isFalse();
        assertThat(askedKeys).hasSize(2);
    }

    @Test
    void refusesToSave_whenThePieceRefuses() {
        refuses();

        assertThatThrownBy(() -> save(request())).isInstanceOfSatisfying(ApiException.class, failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_APP_CONNECTION);
            assertThat(failure.params().path("error").asText()).isEqualTo("the key is revoked");
        });
    }

    @Test
    void isInError_whenThePieceRefusesToRenew_untilARecheckRenews() {
        // given
        issuesTokens(Optional.of(Duration.ofMinutes(55)));
        var id = save(request()).connection().id();
        refuses();

        // when
        clock.advance(Duration.ofMinutes(41));

        // then
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Expired.class);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ERROR);

        // when
        issuesTokens(Optional.of(Duration.ofMinutes(55)));
        await(bus.ask(new Connections.Revalidate(id, projectId), DEADLINE_MS));

        // then
        assertThat(status(id)).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(token()).isEqualTo("token-3");
    }

    @Test
    void keepsTheOldToken_whenThePieceDoesNotAnswer() {
        // given
        issuesTokens(Optional.of(Duration.ofMinutes(55)));
        var id = save(request()).connection().id();
        crashes();

        // when
        clock.advance(Duration.ofMinutes(41));

        // then
        assertThat(token()).isEqualTo("token-1");
        assertThat(status(id)).isEqualTo(ConnectionStatus.ACTIVE);

        // when the token has expired
        clock.advance(Duration.ofMinutes(15));

        // then
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Unloadable.class);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ACTIVE);
        issuesTokens(Optional.of(Duration.ofMinutes(55)));
        assertThat(token()).isEqualTo("token-4");
    }

    @Test
    void savesWithoutAToken_whenThePieceDoesNotAnswer_andAsksAtTheFirstUse() {
        // given
        crashes();
        save(request());
        assertThat(usable(bus).has("access_token")).isFalse();

        // when
        issuesTokens(Optional.of(Duration.ofMinutes(55)));

        // then
        assertThat(token()).isEqualTo("token-3");
    }

    @Test
    void asksOnce_whetherAConnectionOfAnEarlierReleaseNeedsAToken() {
        // given
        save(request());
        await(database.query(
                "update app_connection set piece_token_due = timestamptz '2026-01-01' where project_id = $1",
                projectId));
        clock.advance(Duration.ofMinutes(1));

        // when
        usable(bus);
        clock.advance(Duration.ofDays(1));

        // then
        assertThat(usable(bus).has("access_token")).isFalse();
        assertThat(askedKeys).hasSize(2);

        // when the piece issues tokens
        await(database.query(
                "update app_connection set piece_token_due = timestamptz '2026-01-01' where project_id = $1",
                projectId));
        issuesTokens(Optional.of(Duration.ofMinutes(55)));
        clock.advance(Duration.ofMinutes(1));

        // then
        assertThat(token()).isEqualTo("token-3");
    }
}
