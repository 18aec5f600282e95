package io.millrace.account.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.net.DomainRecords;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Proof of a domain's ownership by a TXT record. */
class SsoDomainTest {
    private static final Platform.SignInRules NONE =
            new Platform.SignInRules(true, true, true, false, List.of(), null, null, false, false);
    private static final Platform.SignInRules RULES = new Platform.SignInRules(
            true,
            true,
            true,
            false,
            List.of(),
            "corp.example",
            SsoDomain.verification(NONE, "corp.example", Instant.EPOCH),
            false,
            false);
    private static final String PROOF =
            RULES.ssoDomainVerification().path("record").path("value").asText();

    private static String result(DomainRecords records) {
        return Waiting.await(SsoDomain.proved(RULES, records).otherwise(failure -> failure.getMessage()));
    }

    @Test
    void provesADomain_byTheRecordAmongOthers() {
        assertThat(result(_ -> Future.succeededFuture(List.of("v=spf1 -all", PROOF))))
                .isEqualTo("corp.example");
    }

    @Test
    void namesTheRecord_whenItIsMissing() {
        assertThat(result(_ -> Future.succeededFuture(List.of())))
                .contains("expected the TXT record _millrace.corp.example", "found no TXT record");
        assertThat(result(_ -> Future.succeededFuture(List.of("other"))))
                .contains("expected the TXT record _millrace.corp.example", "found another");
    }

    @Test
    void asksToTryAgain_whenNoNameServerAnswers() {
        assertThat(result(_ -> Future.failedFuture("DNS query timeout for _millrace.corp.example")))
                .contains("no name server of this host answered", "_millrace.corp.example", "try again")
                .doesNotContain("expected the TXT record");
    }
}
