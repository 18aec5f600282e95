package io.millrace.base.tls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Trust stores of clients. */
class ServerTrustTest {
    /** On a throttled processor the parsing of about 150 certificates blocked an event loop at each probe of the database. */
    @Test
    void readsTheAuthoritiesOfTheJdkOnce() {
        var first = ServerTrust.ofSystem();

        assertThat(first.getAcceptedIssuers()).isNotEmpty();
        assertThat(ServerTrust.ofSystem()).isSameAs(first);
    }
}
