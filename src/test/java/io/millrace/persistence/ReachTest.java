package io.millrace.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the circuit to the database opens, and that it closes by itself. */
final class ReachTest {
    private final Vertx vertx = Vertx.vertx();
    private final List<Promise<Void>> knocks = new CopyOnWriteArrayList<>();
    private final Reach reach = new Reach(vertx, this::knock, Duration.ofMillis(1));

    @AfterEach
    void close() {
        reach.close();
        Waiting.await(vertx.close());
    }

    @Test
    void staysClosed_whenADoubtIsUnfounded() {
        reach.doubt();
        reach.doubt();
        assertThat(reach.isAway()).isFalse();

        knocks.getFirst().complete();

        assertThat(knocks).hasSize(1);
        assertThat(reach.isAway()).isFalse();
    }

    @Test
    void opensWhenAKnockFails_andClosesWithTheFirstThatIsAnswered() {
        reach.doubt();
        refuse(0);
        assertThat(reach.isAway()).isTrue();

        refuse(1);
        awaitKnocks(3);
        assertThat(reach.isAway()).isTrue();

        knocks.get(2).complete();
        assertThat(reach.isAway()).isFalse();

        // and it may open again
        reach.doubt();
        refuse(3);
        assertThat(reach.isAway()).isTrue();
    }

    @Test
    void knocksNoMore_whenItIsClosed() {
        reach.doubt();
        reach.close();
        knocks.getFirst().fail(new ConnectException("refused"));
        reach.doubt();

        assertThat(reach.isAway()).isFalse();
        assertThat(knocks).hasSize(1);
    }

    private void refuse(int knock) {
        awaitKnocks(knock + 1);
        knocks.get(knock).fail(new ConnectException("refused"));
    }

    private void awaitKnocks(int count) {
        Waiting.until("somebody knocks", () -> knocks.size() >= count);
    }

    private Future<?> knock() {
        var promise = Promise.<Void>promise();
        knocks.add(promise);
        return promise.future();
    }
}
