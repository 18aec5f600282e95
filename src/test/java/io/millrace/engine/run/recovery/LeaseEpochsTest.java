package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseEpochsTest {
    private static final long LEASE = LeaseEpochs.LEASE.toNanos();

    private final AtomicLong clock = new AtomicLong(42);
    private final AtomicLong wallMs = new AtomicLong(1_000_000);
    private final LeaseEpochs epochs = new LeaseEpochs(LeaseEpochs.LEASE, clock::get, wallMs::get);

    @Test
    void lastsAsLongAsTheLeaseIsRenewedInTime() {
        var first = epochs.term();

        for (var renewal = 0; renewal < 5; renewal++) {
            clock.addAndGet(LEASE - 1);
            epochs.renewed(epochs.now());
        }

        assertThat(epochs.term()).isEqualTo(first).isNotEqualTo(LeaseEpochs.NONE);
    }

    @Test
    void isNone_fromTheEndOfTheLeaseToItsNextRenewal_andThenAnother() {
        var first = epochs.term();

        clock.addAndGet(LEASE);
        var meanwhile = epochs.term();
        epochs.renewed(epochs.now());

        assertThat(meanwhile).isEqualTo(LeaseEpochs.NONE);
        assertThat(epochs.term()).isNotEqualTo(first).isNotEqualTo(LeaseEpochs.NONE);
    }

    @Test
    void countsFromTheQuestion_notFromTheAnswer() {
        var askedAt = epochs.now();
        clock.addAndGet(LEASE - 1);
        epochs.renewed(askedAt);

        clock.addAndGet(1);

        assertThat(epochs.term()).isEqualTo(LeaseEpochs.NONE);
    }

    @Test
    void endsBeforeOthersMayTakeTheNodeForGone_whereThereAreOthers() {
        assertThat(LeaseEpochs.SILENCE).isLessThan(LeaseEpochs.LEASE);
        var amongOthers = new LeaseEpochs(LeaseEpochs.SILENCE, clock::get, wallMs::get);

        clock.addAndGet(LeaseEpochs.SILENCE.toNanos());

        assertThat(amongOthers.term()).isEqualTo(LeaseEpochs.NONE);
        assertThat(epochs.term()).isNotEqualTo(LeaseEpochs.NONE);
    }

    @Test
    void isNone_whenTheMachineWasSuspended_whichTheMonotonicClockDoesNotCount() {
        var first = epochs.term();

        wallMs.addAndGet(LeaseEpochs.LEASE.toMillis());
        var meanwhile = epochs.term();
        epochs.renewed(epochs.now());

        assertThat(meanwhile).isEqualTo(LeaseEpochs.NONE);
        assertThat(epochs.term()).isNotEqualTo(first);
    }

    @Test
    void keepsItsTerm_whenTheWallClockGoesBack() {
        var first = epochs.term();

        wallMs.addAndGet(-3_600_000);
        assertThat(epochs.term()).isEqualTo(first);
        epochs.renewed(epochs.now());
        clock.addAndGet(LEASE - 1);

        assertThat(epochs.term()).isEqualTo(first);
    }

    @Test
    void losesTheFence_withTheTermInWhichTheWorkWasConfirmed() {
        var fence = epochs.fence();
        var exchange = epochs.exchangeFence();
        assertThat(fence.isHeld()).isTrue();

        clock.addAndGet(LEASE);
        assertThat(fence.isHeld()).isFalse();
        assertThat(exchange.isHeld()).isFalse();
        epochs.renewed(epochs.now());

        assertThat(fence.isHeld())
                .as("a renewal does not restore a former term")
                .isFalse();
        assertThat(exchange.isHeld()).isFalse();
        assertThat(epochs.fence().isHeld()).isTrue();
    }

    @Test
    void issuesNoFenceToWork_andOneToExchanges_whileTheLeaseIsOver() {
        clock.addAndGet(LEASE);

        var fence = epochs.fence();
        var exchange = epochs.exchangeFence();
        epochs.renewed(epochs.now());

        assertThat(fence.isHeld()).isFalse();
        assertThat(exchange.isHeld()).isTrue();
    }
}
