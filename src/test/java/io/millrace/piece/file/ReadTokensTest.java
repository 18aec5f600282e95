package io.millrace.piece.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.secret.LinkSecrets;
import io.millrace.support.MovableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadTokensTest {
    private final MovableClock clock = new MovableClock();
    private final Optional<Instant> tomorrow = Optional.of(clock.instant().plus(Duration.ofDays(1)));
    private final ReadTokens tokens = new ReadTokens(LinkSecrets.of("secret"), clock);

    @Test
    void opensItsFile() {
        var fileId = Ids.next();

        var token = tokens.issue(fileId, tomorrow);

        assertThat(tokens.verify(token)).contains(fileId);
    }

    @Test
    void opensNothing_whenAnyCharacterIsChanged() {
        var token = tokens.issue(Ids.next(), tomorrow);

        for (var i = 0; i < token.length(); i++) {
            for (var other : "0Az_-.=".toCharArray()) {
                var forged = token.substring(0, i) + other + token.substring(i + 1);
                assertThat(forged.equals(token) || tokens.verify(forged).isEmpty())
                        .as("forged at %d: %s", i, forged)
                        .isTrue();
            }
        }
    }

    @Test
    void opensNothing_whenTheTextIsNoToken() {
        var token = tokens.issue(Ids.next(), tomorrow);

        for (var text : new String[] {"", ".", "..", "null", token + "=", token + ".", " " + token, token.repeat(2)}) {
            assertThat(tokens.verify(text)).as(text).isEmpty();
        }
    }

    @Test
    void opensNothing_fromItsEndOn() {
        var token = tokens.issue(Ids.next(), tomorrow);

        clock.advance(Duration.ofDays(1).minusSeconds(1));
        assertThat(tokens.verify(token)).isPresent();

        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.verify(token)).isEmpty();
    }

    @Test
    void opensForever_whenTheFileStays() {
        var token = tokens.issue(Ids.next(), Optional.empty());

        clock.advance(Duration.ofDays(36_500));

        assertThat(tokens.verify(token)).isPresent();
    }

    @Test
    void opensNothing_whenAnotherServerSigned() {
        var token = new ReadTokens(LinkSecrets.of("another secret"), clock).issue(Ids.next(), tomorrow);

        assertThat(tokens.verify(token)).isEmpty();
    }

    @Test
    void opensWhatThePreviousSecretSigned_andSignsWithTheCurrentOne() {
        var before = tokens.issue(Ids.next(), tomorrow);
        var rotated = new ReadTokens(new LinkSecrets("new secret", Optional.of("secret")), clock);

        assertThat(rotated.verify(before)).isPresent();
        assertThat(tokens.verify(rotated.issue(Ids.next(), tomorrow))).isEmpty();
        assertThat(new ReadTokens(LinkSecrets.of("new secret"), clock).verify(before))
                .isEmpty();
    }
}
