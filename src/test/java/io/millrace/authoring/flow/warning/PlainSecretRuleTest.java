package io.millrace.authoring.flow.warning;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MachineSpeed;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Published formats of credentials in texts. */
class PlainSecretRuleTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final String TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN";

    @Test
    void findsAToken() {
        assertThat(PlainSecretRule.hasKnownFormat(TOKEN)).isTrue();
        assertThat(PlainSecretRule.hasKnownFormat("Authorization: " + TOKEN + ", more"))
                .isTrue();
        assertThat(PlainSecretRule.hasKnownFormat(TOKEN.substring(0, 20))).isFalse();
    }

    @Test
    void searchesBeginningsOfTokensInTheTimeOfAScan() {
        var text = "eyJ-".repeat(2_000_000);

        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(PlainSecretRule.hasKnownFormat(text)).isFalse());
    }
}
