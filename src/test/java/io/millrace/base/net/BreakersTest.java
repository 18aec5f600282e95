package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BreakersTest {
    private final Vertx vertx = Vertx.vertx();
    private final List<String> called = new ArrayList<>();
    private final Breakers breakers = breakers(Duration.ofMinutes(10));

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    private Breakers breakers(Duration pause) {
        return new Breakers(vertx, 3, pause, failure -> failure.getMessage().equals("nobody is there"));
    }

    private Throwable call(Breakers some, String name, Future<String> answer) {
        return Waiting.await(some.call(name, () -> {
                    called.add(name);
                    return answer;
                })
                .transform(done -> Future.succeededFuture(done.cause())));
    }

    private static Future<String> nobody() {
        return Future.failedFuture("nobody is there");
    }

    @Test
    void stopsCallsToAHostThatFailsTooOften_only() {
        // when
        for (var i = 0; i < 3; i++) {
            assertThat(call(breakers, "down", nobody())).hasMessage("nobody is there");
        }
        var refused = call(breakers, "down", Future.succeededFuture("back"));

        // then
        assertThat(Breakers.isLeftAlone(refused)).isTrue();
        assertThat(breakers.leftAlone()).isOne();
        assertThat(call(breakers, "up", Future.succeededFuture("here"))).isNull();
        assertThat(called).containsExactly("down", "down", "down", "up");
    }

    @Test
    void countsFailuresInARowOnly() {
        // when
        for (var i = 0; i < 9; i++) {
            call(breakers, "shaky", i % 3 == 2 ? Future.succeededFuture("here") : nobody());
        }

        // then
        assertThat(called).hasSize(9);
    }

    @Test
    void takesARefusalForAnAnswer() {
        // when
        for (var i = 0; i < 9; i++) {
            assertThat(call(breakers, "strict", Future.failedFuture("no"))).hasMessage("no");
        }

        // then
        assertThat(called).hasSize(9);
    }

    @Test
    void letsOneTryAfterThePause_andAllWhenItGoesWell() {
        // given
        var shortly = breakers(Duration.ofMillis(20));
        for (var i = 0; i < 3; i++) {
            call(shortly, "down", nobody());
        }
        called.clear();
        var held = Promise.<String>promise();
        var first = firstTry(shortly, held.future());

        // when
        var beside = call(shortly, "down", Future.succeededFuture("too early"));
        held.complete("back");
        Waiting.await(first);

        // then
        assertThat(Breakers.isLeftAlone(beside)).isTrue();
        assertThat(call(shortly, "down", Future.succeededFuture("here"))).isNull();
        assertThat(called).containsExactly("down", "down");
    }

    @Test
    void leavesAloneAgain_whenTheTryFails() {
        // given
        var shortly = breakers(Duration.ofMillis(20));
        for (var i = 0; i < 3; i++) {
            call(shortly, "down", nobody());
        }
        called.clear();

        // when
        var failed =
                Waiting.await(firstTry(shortly, nobody()).transform(done -> Future.succeededFuture(done.failed())));

        // then it is tried again only after another pause
        assertThat(failed).isTrue();
        assertThat(Waiting.await(firstTry(shortly, Future.succeededFuture("back"))))
                .isEqualTo("back");
        assertThat(called).containsExactly("down", "down");
    }

    /** The first permitted call, in progress when this returns. */
    private Future<String> firstTry(Breakers some, Future<String> answer) {
        var made = called.size() + 1;
        var tries = new ArrayList<Future<String>>();
        Waiting.until("a try", () -> {
            if (called.size() < made) {
                tries.add(some.call("down", () -> {
                    called.add("down");
                    return answer;
                }));
            }
            return called.size() == made;
        });
        return tries.getLast();
    }
}
