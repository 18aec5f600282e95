package io.millrace.piece.builtin.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
    private final OneAtATime line = new OneAtATime();

    @Test
    void beginsTheNext_whenTheOneBeforeHasEnded_howeverItEnds() {
        // given three tasks, of which the first has begun
        var begun = new ArrayList<String>();
        var first = Promise.<String>promise();
        var second = Promise.<String>promise();
        var firstDone = line.next(() -> begin(begun, "first", first.future()));
        var secondDone = line.next(() -> begin(begun, "second", second.future()));
        var thirdDone = line.next(() -> {
            throw new IllegalStateException("third");
        });
        assertThat(begun).containsExactly("first");

        // when they end, one of them with a failure
        first.fail("no");
        assertThat(begun).containsExactly("first", "second");
        assertThat(thirdDone.isComplete()).isFalse();
        second.complete("yes");

        // then each caller has its own result
        assertThat(firstDone.failed()).isTrue();
        assertThat(secondDone.result()).isEqualTo("yes");
        assertThat(thirdDone.cause()).hasMessage("third");
    }

    @Test
    void runsEachOnTheContextOfItsCaller() {
        var vertx = Vertx.vertx();
        var held = Promise.<String>promise();
        var other = vertx.getOrCreateContext();
        var asker = vertx.getOrCreateContext();
        var seen = new ArrayList<Context>();
        other.runOnContext(_ -> line.next(held::future));
        var answered = Promise.<String>promise();
        asker.runOnContext(_ -> line.next(() -> {
                    seen.add(Vertx.currentContext());
                    return Future.succeededFuture("done");
                })
                .onComplete(done -> {
                    seen.add(Vertx.currentContext());
                    answered.complete(done.result());
                }));

        other.runOnContext(_ -> held.complete("held"));

        assertThat(Waiting.await(answered.future())).isEqualTo("done");
        assertThat(seen).isEqualTo(List.of(asker, asker));
        Waiting.await(vertx.close());
    }

    private static Future<String> begin(List<String> begun, String name, Future<String> end) {
        begun.add(name);
        return end;
    }
}
