package io.millrace.account.identity.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.bus.Bus;
import io.millrace.base.config.HttpSettings;
import io.millrace.base.config.SignInSettings;
import io.millrace.support.MovableClock;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SignInLimitTest {
    private final MovableClock clock = new MovableClock();

    @AutoClose("close")
    private final Vertx vertx = Vertx.vertx();

    @AutoClose("close")
    private final Vertx otherVertx = Vertx.vertx();

    private final Bus bus = new Bus(vertx);
    private final SignInLimit limit = limit(bus);

    private SignInLimit limit(Bus ofNode) {
        return new SignInLimit(
                ofNode,
                () -> new SignInSettings(
                        new SignInSettings.Limits(true, 2, 1, Duration.ofMinutes(1), 100),
                        false,
                        Optional.empty(),
                        "Editor",
                        Duration.ZERO),
                new HttpSettings.Proxies("x-real-ip", List.of()),
                clock);
    }

    @Test
    void countsWhatOtherNodesAdmit() {
        // Given
        var otherBus = new Bus(otherVertx);
        var received = new ArrayList<Future<Void>>();
        otherBus.toOthers(notice -> received.add(bus.publishConfirmed(notice)), Set::of);
        limit.open(bus);

        // When
        var other = limit(otherBus);
        other.count("2001:db8::1");
        other.count("2001:db8::2");
        Waiting.await(Future.all(received));

        // Then
        assertThat(received).hasSize(2);
        assertThat(limit.count("2001:db8::3")).isPositive();
        assertThat(limit.count("2001:db8:0:1::1")).isZero();
    }

    @Test
    void admitsAgain_whenTheWindowHasEnded() {
        // Given
        limit.count("192.0.2.1");
        clock.advance(Duration.ofMillis(20_500));
        limit.count("192.0.2.1");

        // When
        var refused = limit.count("192.0.2.1");
        clock.advance(Duration.ofMillis(39_500));
        var admitted = limit.count("192.0.2.1");

        // Then
        assertThat(refused).isEqualTo(40);
        assertThat(admitted).isZero();
    }

    @Test
    void countsEachAddressForItself() {
        // Given
        limit.count("192.0.2.1");
        limit.count("192.0.2.1");

        // When
        var other = limit.count("192.0.2.2");

        // Then
        assertThat(other).isZero();
        assertThat(limit.count("192.0.2.1")).isPositive();
    }

    @Test
    void countsANetworkOfIpv6AsOneClient() {
        // Given
        limit.count("2001:db8:1:2::1");
        limit.count("2001:db8:1:2:ffff::2");

        // When
        var neighbour = limit.count("2001:db8:1:2:a:b:c:d");
        var other = limit.count("2001:db8:1:3::1");

        // Then
        assertThat(neighbour).isPositive();
        assertThat(other).isZero();
    }

    @Test
    void forgetsTheOldestWindow_whenThereAreTooManyAddresses() {
        // Given
        limit.count("first");
        limit.count("first");
        for (var i = 0; i < 50_000; i++) {
            limit.count("address " + i);
        }

        // When
        var first = limit.count("first");

        // Then
        assertThat(first).isZero();
    }
}
