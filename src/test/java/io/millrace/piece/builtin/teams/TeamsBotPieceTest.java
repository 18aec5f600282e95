package io.millrace.piece.builtin.teams;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceWorld;
import io.millrace.piece.property.OptionsQuestion;
import io.millrace.support.outside.MicrosoftServer;
import io.millrace.support.piece.FakeStepContext;
import io.millrace.support.piece.FakeTriggerContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(VertxExtension.class)
class TeamsBotPieceTest {
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private MicrosoftServer microsoft;
    private TeamsBotPiece piece;

    @BeforeEach
    void open(Vertx vertx) {
        microsoft = MicrosoftServer.start();
        var http = new OutboundHttp(
                vertx, AddressGuard.allowing("127.0.0.1"), new OutboundLimits(60_000, 60_000, 1024 * 1024, 8, 100));
        var places = new TeamsPlaces(
                microsoft.url("/login"),
                microsoft.url("/graph/"),
                microsoft.url("/service"),
                microsoft.url("/metadata"),
                microsoft.issuer(),
                Duration.ofHours(24));
        piece = new TeamsBotPiece(http, places, new TeamsWorld(), now::get);
    }

    @AfterEach
    void close() {
        microsoft.close();
    }

    /** Expressions are returned unevaluated. */
    private static final class TeamsWorld implements PieceWorld {
        @Override
        public Future<JsonNode> connection(String projectId, String pieceName, String externalId) {
            return Future.failedFuture(PieceFailure.of("none"));
        }

        @Override
        public Future<ObjectNode> resolved(String projectId, String pieceName, ObjectNode input, boolean bareSecrets) {
            return Future.succeededFuture(input);
        }

        @Override
        public Future<JsonNode> flows(String projectId, List<String> externalIds) {
            return Future.succeededFuture(Json.array());
        }

        @Override
        public Future<Optional<String>> projectExternalId(String projectId) {
            return Future.succeededFuture(Optional.empty());
        }
    }

    private static ObjectNode auth(String secret) {
        var auth = Json.object().put("type", "CUSTOM_AUTH");
        auth.putObject("props")
                .put("appId", MicrosoftServer.APP)
                .put("appSecret", secret)
                .put("tenantId", MicrosoftServer.TENANT);
        return auth;
    }

    private static ObjectNode input(String secret, String contentType) {
        var input = Json.object()
                .put("teamId", "t 1")
                .put("channelId", "19:c@thread")
                .put("contentType", contentType)
                .put("content", "<b>hi</b>");
        input.set("auth", auth(secret));
        return input;
    }

    private Future<JsonNode> send(String secret) {
        return piece.actions().get(SendChannelMessage.NAME).run(FakeStepContext.with(input(secret, "html")));
    }

    private JsonNode options(String property, ObjectNode input, Optional<String> searched) {
        return result(piece.options(
                        new OptionsQuestion("p", "f", "v", SendChannelMessage.NAME, property, input, searched)))
                .path("options");
    }

    @Test
    void sendsAMessageAsTheBot() {
        var output = result(send(MicrosoftServer.SECRET));

        assertThat(output.path("messageId").asText()).isEqualTo("17");
        assertThat(output.path("messageType").asText()).isEqualTo("message");
        assertThat(output.path("tenantId").asText()).isEqualTo(MicrosoftServer.TENANT);
        assertThat(output.path("webUrl").asText()).contains("19%3Ac%40thread/17?groupId=t%201");
        var sent = Json.trusted(microsoft.calls.getLast().split(" ", 3)[2]);
        assertThat(sent.at("/bot/id").asText()).isEqualTo("28:" + MicrosoftServer.APP);
        assertThat(sent.at("/channelData/channel/id").asText()).isEqualTo("19:c@thread");
        assertThat(sent.at("/activity/textFormat").asText()).isEqualTo("xml");
    }

    @Test
    void takesTheMessageIdFromTheConversation_whenThereIsNoActivity() {
        microsoft.answer = "{\"id\":\"19:c@thread;messageid=99\"}";

        assertThat(result(send(MicrosoftServer.SECRET)).path("messageId").asText())
                .isEqualTo("99");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "403|{\"error\":{\"code\":\"BotNotInConversationRoster\"}}|The bot is not part of the conversation roster",
                "403|{}|The bot is not part of the conversation roster",
                "403|{\"error\":{\"code\":\"MessageWritesBlocked\"}}|The bot may not send this message",
                "401|no json|enable the Teams channel",
                "404|{}|not installed",
                "500|oops|HTTP status 500: oops"
            })
    void reportsWhyAMessageIsNotSent(int status, String answer, String text) {
        microsoft.status = status;
        microsoft.answer = answer;

        var refused = (PieceFailure) failure(send(MicrosoftServer.SECRET));

        assertThat(refused).hasMessageContaining(text);
        assertThat(refused.details().path("status").asInt()).isEqualTo(status);
    }

    @Test
    void namesTheFieldsOfBadCredentials_andNeverTheSecret() {
        var refused = failure(send("wr0ng"));
        var incomplete = failure(send(""));
        var input = input(MicrosoftServer.SECRET, "text");
        input.withObject("/auth/props").put("tenantId", "../../evil");
        var forged = failure(piece.actions().get(SendChannelMessage.NAME).run(FakeStepContext.with(input)));

        assertThat(refused)
                .hasMessageContaining("appId, appSecret and tenantId")
                .hasMessageContaining("invalid_client");
        assertThat(refused.getMessage()).doesNotContain("wr0ng");
        assertThat(incomplete).hasMessageContaining("appSecret");
        assertThat(forged).hasMessageContaining("tenantId");
    }

    @Test
    void checksAConnectionWithGraph() {
        assertThat(result(piece.validate(auth(MicrosoftServer.SECRET)))).isEmpty();
        assertThat(microsoft.calls.getLast()).startsWith("GET /graph/v1.0/teams?$top=1");
        assertThat(result(piece.validate(auth("wrong"))).orElseThrow()).contains("invalid_client");
    }

    @Test
    void offersTeamsAndChannels_orTheReasonOfTheFailure() {
        var input = Json.object();
        assertThat(options("teamId", input, Optional.empty())
                        .path("placeholder")
                        .asText())
                .contains("connection");
        input.set("auth", auth(MicrosoftServer.SECRET));

        assertThat(options("teamId", input, Optional.empty()).path("options").findValuesAsText("value"))
                .containsExactly("t 1", "t2");
        assertThat(options("teamId", input, Optional.of("sal")).path("options").findValuesAsText("value"))
                .containsExactly("t2");
        assertThat(options("channelId", input, Optional.empty())
                        .path("placeholder")
                        .asText())
                .contains("team");
        assertThat(options("channelId", input.put("teamId", "t 1"), Optional.empty())
                        .path("options")
                        .findValuesAsText("label"))
                .containsExactly("General");
        input.set("auth", auth("wrong"));
        assertThat(options("teamId", input, Optional.empty())
                        .path("placeholder")
                        .asText())
                .contains("invalid_client");
    }

    @Test
    void listensOnlyForWhoHoldsTheSecret() {
        var good = FakeTriggerContext.with(input(MicrosoftServer.SECRET, "text"), Json.object());
        var bad = FakeTriggerContext.with(input("guessed", "text"), Json.object());
        var trigger = piece.triggers().get("new_message_to_bot");

        result(trigger.onEnable(good));

        assertThat(good.events).containsExactly("message of " + MicrosoftServer.TENANT + "/" + MicrosoftServer.APP);
        assertThat(failure(trigger.onEnable(bad))).hasMessageContaining("invalid_client");
        assertThat(bad.events).isEmpty();
    }

    private Future<Boolean> verify(String token, String body) {
        var payload = Json.object();
        payload.putObject("headers").put("authorization", "Bearer " + token);
        payload.set("body", Json.trusted(body));
        return piece.appEvents().orElseThrow().verify(null, payload, "");
    }

    private boolean isSigned(String token) {
        return result(verify(token, microsoft.message("1", "hi")));
    }

    @Test
    void believesTheBotFramework_andFetchesItsKeysOnce() {
        for (var i = 0; i < 5; i++) {
            assertThat(isSigned(microsoft.token(START))).isTrue();
        }
        assertThat(microsoft.keyFetches()).isEqualTo(1);

        now.set(START.plus(Duration.ofHours(25)));
        assertThat(isSigned(microsoft.token(now.get()))).isTrue();
        assertThat(microsoft.keyFetches()).isEqualTo(2);
    }

    @Test
    void believesNothingThatAnotherSigned_orInAnotherWay() {
        var claims = microsoft.claims(MicrosoftServer.APP, START.plusSeconds(60));
        var head = "{'alg':'RS256','kid':'k1'}";
        var good = MicrosoftServer.token(microsoft.pair(), head, claims);
        var unsigned = good.substring(0, good.lastIndexOf('.') + 1);

        assertThat(isSigned(good)).isTrue();
        assertThat(isSigned(MicrosoftServer.token(MicrosoftServer.keyPair(), head, claims)))
                .isFalse();
        assertThat(isSigned(unsigned)).isFalse();
        assertThat(isSigned(good + "A.x")).isFalse();
        assertThat(isSigned("x".repeat(100_000))).isFalse();
        assertThat(isSigned("..")).isFalse();
        for (var other : List.of(
                "{'alg':'none','kid':'k1'}",
                "{'alg':'HS256','kid':'k1'}",
                "{'alg':'RS512','kid':'k1'}",
                "{'alg':'RS256'}",
                "{'alg':'RS256','kid':'k1','crit':['b64']}",
                "{'alg':'RS256','kid':7}",
                "{'alg':'RS256','jwk':{'kty':'RSA'}}")) {
            assertThat(isSigned(MicrosoftServer.token(microsoft.pair(), other, claims)))
                    .as(other)
                    .isFalse();
        }
    }

    @Test
    void believesNothingForAnotherBotPlaceIssuerOrTime() {
        var head = "{'alg':'RS256','kid':'k1'}";
        var claims = microsoft.claims(MicrosoftServer.APP, START.plusSeconds(60));
        var bad = List.of(
                microsoft.claims("another", START.plusSeconds(60)),
                microsoft.claims(MicrosoftServer.APP, START.minusSeconds(301)),
                claims.replace("/issuer", "/forger"),
                claims.replace("/service", "/elsewhere"),
                claims.replace("'serviceurl'", "'other'"),
                claims.replace("'aud'", "'nobody'"),
                claims.replace("'exp'", "'never'"),
                claims.replace("{'iss'", "{'nbf':" + START.plusSeconds(301).getEpochSecond() + ",'iss'"),
                "[]",
                "7");

        for (var claim : bad) {
            assertThat(isSigned(MicrosoftServer.token(microsoft.pair(), head, claim)))
                    .as(claim)
                    .isFalse();
        }
        var otherChannel = microsoft.message("1", "hi").replace("msteams", "webchat");
        assertThat(result(verify(MicrosoftServer.token(microsoft.pair(), head, claims), otherChannel)))
                .isFalse();
    }

    @Test
    void looksForAnUnknownKeyRarely() {
        var claims = microsoft.claims(MicrosoftServer.APP, START.plusSeconds(600));
        for (var i = 0; i < 20; i++) {
            assertThat(isSigned(MicrosoftServer.token(
                            microsoft.pair(), "{'alg':'RS256','kid':'unknown-" + i + "'}", claims)))
                    .isFalse();
        }
        assertThat(microsoft.keyFetches()).isEqualTo(1);
        now.set(START.plusSeconds(61));
        assertThat(isSigned(MicrosoftServer.token(microsoft.pair(), "{'alg':'RS256','kid':'unknown'}", claims)))
                .isFalse();
        assertThat(microsoft.keyFetches()).isEqualTo(2);
    }

    @Test
    void keepsItsKeysWhileTheyCannotBeFetched_butNotForever() {
        assertThat(isSigned(microsoft.token(START))).isTrue();
        microsoft.showsKeys = false;

        for (var hours = 1; hours < 24; hours += 11) {
            now.set(START.plus(Duration.ofHours(hours)));
            var unknown = MicrosoftServer.token(
                    microsoft.pair(),
                    "{'alg':'RS256','kid':'new'}",
                    microsoft.claims(MicrosoftServer.APP, now.get().plusSeconds(60)));
            assertThat(isSigned(unknown)).isFalse();
            assertThat(isSigned(microsoft.token(now.get()))).isTrue();
        }
        now.set(START.plus(Duration.ofHours(25)));

        assertThat(failure(verify(microsoft.token(now.get()), microsoft.message("1", "hi"))))
                .isInstanceOf(ApiException.class);
    }
}
