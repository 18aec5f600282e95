package io.millrace.base.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.hostile.HostileKind;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@HostileKind("text formats")
class DomainTextTest {
    @Test
    void writesADomainInAscii() {
        assertThat(DomainText.ascii("m\u00fcller.de")).isEqualTo("xn--mller-kva.de");
        assertThat(DomainText.ascii("Example.org.")).isEqualTo("Example.org.");
    }

    static Stream<String> hostileNames() {
        return Stream.of(
                "\ufdfa".repeat(60),
                "\ufdfa".repeat(254),
                "\u00e9".repeat(10_000),
                "a" + "\u0301\u0316".repeat(2_000_000),
                "a.".repeat(128),
                "\ud800.org");
    }

    @ParameterizedTest
    @MethodSource("hostileNames")
    void refusesWhatIsNoDomain(String name) {
        assertThatThrownBy(() -> DomainText.ascii(name)).isInstanceOf(IllegalArgumentException.class);
    }
}
