package io.millrace.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.secret.LinkSecrets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestIdsTest {
    private static final String RUN = "0123456789abcdefghijk";

    /** Issued by release 0.1.0 under the secret "secret"; a change of this text breaks links in mail. */
    private static final String ISSUED = "AAAAAAAAAAAAAAAAAAAAA3dJP0saM8i3mLWYJ0HtzsQ";

    private final RequestIds ids = new RequestIds(LinkSecrets.of("secret"));

    @Test
    void takesTheIdOfTheRelease() {
        assertThat(ids.isOf(RUN, ISSUED)).isTrue();
        assertThat(ids.isOf(Ids.next(), ISSUED)).isFalse();
        assertThat(RequestIds.isUnsigned(ISSUED)).isFalse();
    }

    @Test
    void takesIdsOfThePreviousSecret_andSignsWithTheCurrentOne() {
        var rotated = new RequestIds(new LinkSecrets("new secret", Optional.of("secret")));

        assertThat(rotated.isOf(RUN, ISSUED)).isTrue();
        assertThat(rotated.isOf(RUN, rotated.issue(RUN))).isTrue();
        assertThat(ids.isOf(RUN, rotated.issue(RUN))).isFalse();
        assertThat(new RequestIds(LinkSecrets.of("new secret")).isOf(RUN, ISSUED))
                .isFalse();
    }
}
