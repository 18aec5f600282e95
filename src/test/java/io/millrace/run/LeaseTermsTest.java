package io.millrace.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseTermsTest {
    private static final long LEASE = LeaseTerms.LEASE.toNanos();

    private final AtomicLong clock = new AtomicLong(42);
    private final LeaseTerms terms = new LeaseTerms(clock::get);

    @Test
    void lastsAsLongAsTheLeaseIsRenewedInTime() {
        var first = terms.term();

        for (var renewal = 0; renewal < 5; renewal++) {
            clock.addAndGet(LEASE - 1);
            terms.renewed(terms.now());
        }

        assertThat(terms.term()).isEqualTo(first).isNotEqualTo(LeaseTerms.NONE);
    }

    @Test
    void isNone_fromTheEndOfTheLeaseToItsNextRenewal_andThenAnother() {
        var first = terms.term();

        clock.addAndGet(LEASE);
        var meanwhile = terms.term();
        terms.renewed(terms.now());

        assertThat(meanwhile).isEqualTo(LeaseTerms.NONE);
        assertThat(terms.term()).isNotEqualTo(first).isNotEqualTo(LeaseTerms.NONE);
    }

    @Test
    void countsFromTheQuestion_notFromTheAnswer() {
        var askedAt = terms.now();
        clock.addAndGet(LEASE - 1);
        terms.renewed(askedAt);

        clock.addAndGet(1);

        assertThat(terms.term()).isEqualTo(LeaseTerms.NONE);
    }
}
