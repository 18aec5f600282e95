package io.millrace.piece.file;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.base.net.WebAddress;
import io.millrace.support.MovableClock;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of a role, from a token service (contract admin-api 37.6). */
class RoleKeysIT {
    private final MovableClock clock = new MovableClock();
    private final StsPeer service = new StsPeer(clock);
    private final Vertx vertx = Vertx.vertx();

    @TempDir
    private Path directory;

    private Path tokenFile;
    private RoleKeys keys;

    @BeforeEach
    void start() throws IOException {
        tokenFile = directory.resolve("token");
        Files.writeString(tokenFile, "first token\n");
        keys = allowing("127.0.0.1");
    }

    private RoleKeys allowing(String addresses) {
        var http = new OutboundHttp(vertx, AddressGuard.allowing(addresses), OutboundLimits.defaults());
        var role = new RoleKeys.Role(StsPeer.ROLE, tokenFile, WebAddress.parse(service.endpoint()));
        return new RoleKeys(vertx, http, role, clock);
    }

    @AfterEach
    void stop() {
        await(vertx.close());
        service.close();
    }

    private String current() {
        return await(keys.current()).accessKeyId();
    }

    @Test
    void exchangesTheTokenOnce_forAllWhoAsk() {
        // given
        service.gate = Promise.promise();

        // when
        var asked = Stream.generate(keys::current).limit(20).toList();
        service.gate.complete();
        await(Future.all(asked));

        // then
        assertThat(asked).allMatch(key -> key.result().accessKeyId().equals("ASIA1"));
        assertThat(asked.getFirst().result().sessionToken()).contains("session 1");
        assertThat(service.tokens).containsExactly("first token");
        assertThat(current()).isEqualTo("ASIA1");
        assertThat(service.tokens).hasSize(1);
    }

    @Test
    void asksForTheNextKey_whileTheOneBeforeIsGood() throws IOException {
        // given
        current();
        clock.advance(Duration.ofMinutes(39));
        assertThat(current()).isEqualTo("ASIA1");
        assertThat(service.tokens).hasSize(1);

        // when
        Files.writeString(tokenFile, "second token");
        service.gate = Promise.promise();
        clock.advance(Duration.ofMinutes(2));
        var meanwhile = current();
        service.gate.complete();

        // then
        assertThat(meanwhile).isEqualTo("ASIA1");
        Waiting.until("the next key", () -> current().equals("ASIA2"));
        assertThat(service.tokens).containsExactly("first token", "second token");
    }

    @Test
    void keepsToItsKey_untilItEnds_whenTheRoleIsRefused() {
        // given
        current();
        service.refuses = true;

        // when
        clock.advance(Duration.ofMinutes(55));
        var late = current();
        clock.advance(Duration.ofMinutes(6));

        // then
        assertThat(late).isEqualTo("ASIA1");
        assertThat(service.tokens).hasSize(2);
        assertThatThrownBy(this::current).hasMessageContaining("403 AccessDenied Not allowed");
        service.refuses = false;
        assertThat(current()).isEqualTo("ASIA4");
    }

    @Test
    void asksAgain_afterARefusal() {
        // given
        current();
        service.refuses = true;
        clock.advance(Duration.ofMinutes(41));
        current();
        Waiting.until("the refusal", () -> service.tokens.size() == 2);

        // when the refusal of the service is reported, some time after it, and the pause is over
        service.refuses = false;
        Waiting.until("the next key", () -> {
            clock.advance(Duration.ofSeconds(5));
            return current().equals("ASIA3");
        });

        // then
        assertThat(service.tokens).hasSize(3);
    }

    @Test
    void fails_whenThereIsNoToken_orTheServiceIsNotAllowed() throws IOException {
        // given
        var guarded = allowing("");

        // then
        assertThatThrownBy(() -> await(guarded.current())).hasMessageContaining("127.0.0.1");
        Files.delete(tokenFile);
        assertThatThrownBy(this::current).hasMessageContaining("token");
        assertThat(service.tokens).isEmpty();
    }
}
