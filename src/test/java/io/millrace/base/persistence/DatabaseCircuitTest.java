package io.millrace.base.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The circuit to the database opens and closes automatically. */
final class DatabaseCircuitTest {
    private final Vertx vertx = Vertx.vertx();
    private final List<Promise<Void>> probes = new CopyOnWriteArrayList<>();
    private final DatabaseCircuit circuit = new DatabaseCircuit(
            vertx, this::probe, new DatabaseCircuit.Times(Duration.ofMillis(1), Duration.ofMillis(20)));

    @AfterEach
    void close() {
        circuit.stop();
        Waiting.await(vertx.close());
    }

    @Test
    void staysClosed_whenASuspicionIsUnfounded() {
        circuit.suspect();
        circuit.suspect();
        assertThat(circuit.isOpen()).isFalse();

        probes.getFirst().complete();

        assertThat(probes).hasSize(1);
        assertThat(circuit.isOpen()).isFalse();
    }

    @Test
    void opensWhenAProbeFails_andClosesWithTheFirstThatIsAnswered() {
        circuit.suspect();
        refuse(0);
        assertThat(circuit.isOpen()).isTrue();

        refuse(1);
        awaitProbes(3);
        assertThat(circuit.isOpen()).isTrue();

        probes.get(2).complete();
        assertThat(circuit.isOpen()).isFalse();

        // and it may open again
        circuit.suspect();
        refuse(3);
        assertThat(circuit.isOpen()).isTrue();
    }

    @Test
    void probesNoMore_whenItIsClosed() {
        circuit.suspect();
        circuit.stop();
        probes.getFirst().fail(new ConnectException("refused"));
        circuit.suspect();

        assertThat(circuit.isOpen()).isFalse();
        assertThat(probes).hasSize(1);
    }

    @Test
    void probesByItself_andLetsGoOfWhatIsUnderWay_whenNothingIsAnswered() {
        // given a query without an answer
        var lost = Promise.<String>promise();
        var asked = circuit.guard(new WorkEffect(), lost::future);

        // when the probe after it fails
        refuse(0);

        // then its caller fails, and the next call is refused without a query
        Waiting.until("the circuit is open", circuit::isOpen);
        assertThat(asked.cause()).isInstanceOf(ApiException.class);
        assertThat(circuit.guard(new WorkEffect(), () -> Future.succeededFuture("never asked"))
                        .failed())
                .isTrue();
        Waiting.until("it counts as unavailable", () -> circuit.unavailableMs() > 0);

        // when the answer arrives, and the probe gets one, too
        lost.complete("late");
        awaitProbes(2);
        probes.getLast().complete();

        // then the circuit is closed
        Waiting.until("the circuit is closed", () -> !circuit.isOpen());
        assertThat(circuit.unavailableMs()).isZero();
        assertThat(circuit.guard(new WorkEffect(), () -> Future.succeededFuture("asked"))
                        .result())
                .isEqualTo("asked");
    }

    @ParameterizedTest
    @CsvSource({"false, UNAVAILABLE, false", "true, OUTCOME_UNKNOWN, true"})
    void reportsWhetherAbandonedWorkMayTakeEffect(boolean sent, ErrorCode told, boolean sendsLater) {
        // given transactions that have sent a change, or have not yet
        var effect = new WorkEffect();
        if (sent) {
            effect.begin();
        }
        var asked = circuit.guard(effect, () -> Promise.promise().future());

        // when
        refuse(0);
        Waiting.until("the work is abandoned", asked::isComplete);

        // then a transaction that has changed nothing never will
        assertThat(((ApiException) asked.cause()).code()).isEqualTo(told);
        assertThat(effect.begin()).isEqualTo(sendsLater);
    }

    @Test
    void leavesWhatTakesLongAlone_whileProbesAreAnswered() {
        var asked = circuit.guard(new WorkEffect(), () -> Promise.promise().future());

        for (var probe = 0; probe < 3; probe++) {
            awaitProbes(probe + 1);
            probes.get(probe).complete();
        }

        assertThat(circuit.isOpen()).isFalse();
        assertThat(asked.isComplete()).isFalse();
    }

    @Test
    void sendsNoProbe_withoutRequests() {
        circuit.guard(new WorkEffect(), () -> Future.succeededFuture("answered"));

        Waiting.await(vertx.timer(100));

        assertThat(probes).isEmpty();
        assertThat(circuit.unavailableMs()).isZero();
    }

    private void refuse(int probe) {
        awaitProbes(probe + 1);
        probes.get(probe).fail(new ConnectException("refused"));
    }

    private void awaitProbes(int count) {
        Waiting.until("somebody probes", () -> probes.size() >= count);
    }

    private Future<?> probe() {
        var promise = Promise.<Void>promise();
        probes.add(promise);
        return promise.future();
    }
}
