package io.millrace.workspace.connection;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.account.sealing.SealingService;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.core.ApiException;
import io.millrace.support.FaultyProxy;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tokens of connections are renewed in time, once for all nodes. */
class OAuthRenewalIT extends OAuthConnectionBench {
    @Test
    void renewsBeforeTheEnd_onceForAllWhoWait() {
        // given
        save(request("OAUTH2"));
        clock.advance(Duration.ofMinutes(44));
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-1");
        provider.say(200, "{'access_token':'token-new','expires_in':'3600'}");

        // when
        clock.advance(Duration.ofMinutes(2));
        var all = new ArrayList<Future<Map<String, ConnectionUse>>>();
        for (var i = 0; i < 50; i++) {
            all.add(bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS));
        }
        await(Future.all(all));

        // then
        assertThat(all)
                .allSatisfy(
                        one -> assertThat(((ConnectionUse.Usable) one.result().get("mill"))
                                        .value()
                                        .path("access_token")
                                        .asText())
                                .isEqualTo("token-new"));
        assertThat(provider.asked()).hasSize(2);
        assertThat(provider.lastAsked().form())
                .containsEntry("grant_type", "refresh_token")
                .containsEntry("refresh_token", "refresh-1");

        // when it is due again, the first refresh token is still valid, because no other was issued
        clock.advance(Duration.ofMinutes(50));
        usable(bus);
        assertThat(provider.lastAsked().form()).containsEntry("refresh_token", "refresh-1");
    }

    @Test
    void renewsOnOneNodeOnly() {
        // given
        var otherNode = node();
        save(request("OAUTH2"));
        clock.advance(Duration.ofMinutes(50));
        provider.hold();

        // when
        var first = bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);
        var second = usable(otherNode);
        provider.release();

        // then
        assertThat(second.path("access_token").asText()).isEqualTo("token-1");
        assertThat(((ConnectionUse.Usable) await(first).get("mill"))
                        .value()
                        .path("access_token")
                        .asText())
                .isEqualTo("token-2");
        assertThat(provider.asked()).hasSize(2);
        clock.advance(Duration.ofSeconds(6));
        assertThat(usable(otherNode).path("access_token").asText()).isEqualTo("token-2");
    }

    @Test
    void waitsForTheOtherNode_whenTheTokenIsDead() {
        // given
        var otherNode = node();
        save(request("OAUTH2"));
        clock.advance(Duration.ofHours(2));
        provider.hold();

        // when
        var first = bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);
        var second = otherNode.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.release();

        // then
        for (var use : List.of(await(first), await(second))) {
            assertThat(((ConnectionUse.Usable) use.get("mill"))
                            .value()
                            .path("access_token")
                            .asText())
                    .isEqualTo("token-2");
        }
        assertThat(provider.asked()).hasSize(2);
    }

    @Test
    void takesOverFromANodeThatIsGone() {
        // given
        save(request("OAUTH2"));
        await(database.query(
                "update app_connection set refresh_claim = 'gone', refresh_claimed = now() - interval '61 seconds'"
                        + " where project_id = $1",
                projectId));

        // when
        clock.advance(Duration.ofHours(2));

        // then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
    }

    @Test
    void doesNotWriteOverAValueThatWasGivenMeanwhile() {
        // given
        save(request("OAUTH2"));
        clock.advance(Duration.ofHours(2));
        provider.hold();
        var use = bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);

        // when
        var saving = bus.ask(new Connections.Save(by, projectId, request("OAUTH2")), DEADLINE_MS);
        provider.awaitAsked(3);
        var answers = Future.all(use, saving);
        provider.release();
        await(answers);

        // then
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-3");
    }

    @Test
    void keepsARotatedToken_thoughTheDatabaseIsAway_andAnotherNodeWasRefused() {
        // given a node whose database connection is cut while the provider issues the token
        var way = FaultyProxy.to(settings.port());
        var cutOff = node(way.seen(settings));
        var id = save(request("OAUTH2")).connection().id();
        clock.advance(Duration.ofHours(2));
        provider.hold();
        var use = cutOff.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);
        way.cut();

        // when the claim expires, and the provider rejects the old refresh token
        await(database.query(
                "update app_connection set refresh_claimed = now() - interval '61 seconds' where id = $1", id));
        provider.release();
        provider.say(400, "{'error':'invalid_grant'}");
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Expired.class);
        way.mend();

        // then
        assertThat(((ConnectionUse.Usable) await(use).get("mill"))
                        .value()
                        .path("access_token")
                        .asText())
                .isEqualTo("token-2");
        Waiting.until("the rotated token is stored", () -> status(id) == ConnectionStatus.ACTIVE);
        clock.advance(Duration.ofSeconds(6));
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
        way.close();
    }

    @Test
    void givesTheRotatedToken_beforeTheDatabaseCanStoreIt() {
        // given
        var way = FaultyProxy.to(settings.port());
        var cutOff = node(way.seen(settings));
        save(request("OAUTH2"));
        clock.advance(Duration.ofHours(2));
        provider.hold();
        var use = cutOff.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);

        // when
        way.cut();
        provider.release();

        // then
        assertThat(((ConnectionUse.Usable) await(use).get("mill"))
                        .value()
                        .path("access_token")
                        .asText())
                .isEqualTo("token-2");
        way.mend();
        Waiting.until("the rotated token is stored", () -> tokenSeenBy(bus).equals("token-2"));
        assertThat(provider.asked()).hasSize(2);
        way.close();
    }

    /** Token of the stored value; the claim of the other node keeps this node from renewing it. */
    private String tokenSeenBy(Bus node) {
        clock.advance(Duration.ofSeconds(6));
        return use(node) instanceof ConnectionUse.Usable usable
                ? usable.value().path("access_token").asText()
                : "";
    }

    @Test
    void usesTheLivingToken_whenTheDatabaseFailsAtTheClaim() {
        // given a cached value that becomes due
        var way = FaultyProxy.to(settings.port());
        var cutOff = node(way.seen(settings));
        save(request("OAUTH2"));
        clock.advance(Duration.ofMinutes(45).minusSeconds(2));
        assertThat(usable(cutOff).path("access_token").asText()).isEqualTo("token-1");

        // when
        way.cut();
        clock.advance(Duration.ofSeconds(3));

        // then
        assertThat(usable(cutOff).path("access_token").asText()).isEqualTo("token-1");
        way.close();
    }

    @Test
    void isUnavailable_whenTheDatabaseFailsAtTheClaimOfADeadToken() {
        // given
        var way = FaultyProxy.to(settings.port());
        var cutOff = node(way.seen(settings));
        provider.say(200, "{'access_token':'token-short','refresh_token':'refresh-short','expires_in':4}");
        save(request("OAUTH2"));
        clock.advance(Duration.ofSeconds(1));
        assertThat(usable(cutOff).path("access_token").asText()).isEqualTo("token-short");

        // when
        way.cut();
        clock.advance(Duration.ofSeconds(4));

        // then
        assertThatThrownBy(() -> use(cutOff)).matches(ApiException::isUnavailable);
        way.mend();
        Waiting.until(
                "the token is renewed",
                () -> cutOff.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS)
                        .map(uses -> uses.get("mill") instanceof ConnectionUse.Usable)
                        .otherwise(false)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join());
        way.close();
    }

    @Test
    void isUnavailable_whenTheRefusalCannotBeStored() {
        // given
        var way = FaultyProxy.to(settings.port());
        var cutOff = node(way.seen(settings));
        var id = save(request("OAUTH2")).connection().id();
        clock.advance(Duration.ofHours(2));
        provider.hold();
        provider.say(400, "{'error':'invalid_grant'}");
        var use = cutOff.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);

        // when
        way.cut();
        provider.release();

        // then
        assertThatThrownBy(() -> await(use)).matches(ApiException::isUnavailable);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ACTIVE);
        way.close();
    }

    @Test
    void keepsARotatedToken_thoughTheEncryptionKeyIsRotatedMeanwhile() {
        // given
        save(request("OAUTH2"));
        clock.advance(Duration.ofHours(2));
        provider.hold();
        var use = bus.ask(new Connections.Use(projectId, Set.of("mill")), DEADLINE_MS);
        provider.awaitAsked(2);
        var before = sealedValue();

        // when
        BOX.use("fedcba9876543210fedcba9876543210");
        var vertx = TestPostgres.vertx();
        nodes.add(vertx);
        await(new SealingService(vertx, database, new Cluster(bus, true), BOX, Optional.empty()).rotateOffline());
        var resealed = sealedValue();
        provider.release();
        await(use);

        // then
        assertThat(resealed).isNotEqualTo(before);
        clock.advance(Duration.ofSeconds(6));
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-2");
        assertThat(provider.asked()).hasSize(2);

        // when it is due again, the provider gets the refresh token that it issued last
        clock.advance(Duration.ofHours(2));
        usable(bus);
        assertThat(provider.lastAsked().form()).containsEntry("refresh_token", "refresh-2");
    }

    private String sealedValue() {
        return await(database.query(
                        "select encode(sealed_value, 'hex') as sealed from app_connection where project_id = $1",
                        projectId))
                .iterator()
                .next()
                .getString("sealed");
    }

    @Test
    void staysUnchanged_whenAProxyAnswersInPlaceOfTheProvider() {
        // given
        var id = save(request("OAUTH2")).connection().id();
        provider.say(403, "<html>blocked</html>");

        // when
        clock.advance(Duration.ofHours(2));

        // then
        assertThat(use(bus)).isNotInstanceOf(ConnectionUse.Usable.class);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-3");
    }

    @Test
    void isInError_onceTheProviderRefusesToRenew_untilItIsSavedAnew() {
        // given
        var id = save(request("OAUTH2")).connection().id();
        provider.say(400, "{'error':'invalid_grant'}");

        // when
        clock.advance(Duration.ofMinutes(50));

        // then
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Expired.class);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ERROR);
        assertThat(use(bus)).isInstanceOf(ConnectionUse.Expired.class);
        assertThat(provider.asked()).hasSize(2);

        // when the recheck renews it, the error is cleared
        assertThat(await(bus.ask(new Connections.Revalidate(id, projectId), DEADLINE_MS))
                        .connection()
                        .status())
                .isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(usable(bus).path("access_token").asText()).isEqualTo("token-3");
    }

    @Test
    void staysInError_whenTheRecheckIsRefusedToo() {
        // given
        var id = save(request("OAUTH2")).connection().id();
        provider.say(400, "{'error':'invalid_grant'}");
        provider.say(401, "{'error':'invalid_client'}");
        clock.advance(Duration.ofMinutes(50));
        use(bus);

        // when
        var rechecked = await(bus.ask(new Connections.Revalidate(id, projectId), DEADLINE_MS));

        // then
        assertThat(rechecked.connection().status()).isEqualTo(ConnectionStatus.ERROR);
    }

    @Test
    void bearsAProviderThatIsDown_whileTheTokenLives_andThenLeavesItAlone() {
        // given
        var id = save(request("OAUTH2")).connection().id();
        for (var i = 0; i < 20; i++) {
            provider.say(503, "{}");
        }

        // when
        clock.advance(Duration.ofMinutes(50));
        var alive = use(bus);
        clock.advance(Duration.ofMinutes(20));
        var dead = use(bus);
        for (var i = 0; i < 10; i++) {
            use(bus);
        }

        // then
        assertThat(alive).isInstanceOf(ConnectionUse.Usable.class);
        assertThat(dead).isInstanceOf(ConnectionUse.Unloadable.class);
        assertThat(status(id)).isEqualTo(ConnectionStatus.ACTIVE);
        assertThat(provider.asked()).hasSize(1 + 5);
    }
}
