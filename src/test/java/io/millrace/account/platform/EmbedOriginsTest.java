package io.millrace.account.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbedOriginsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://a.com", "http://a.com:8080", "http://localhost:4200", "https://*.a.com",
                "https://*.a.com:8443", "https://a-b.example", "http://127.0.0.1:3000", "https://a.com:80",
                "http://*.localhost:4200", "http://*.localhost"
            })
    void acceptsOrigins(String text) {
        assertThat(EmbedOrigins.isOrigin(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "https://a.com/",
                "HTTPS://A.com",
                "https://A.com",
                "https://a.com:443",
                "http://a.com:80",
                "https://*.a.com/x",
                "ftp://a.com",
                "https://user@a.com",
                "https://*",
                "https://a.*.com",
                "https://*.com",
                "https://*.localhosted",
                "https://-a.com",
                "https://a..com",
                "https://a.com.",
                "https://a.com:0",
                "https://a.com:65536",
                "https://a.com?x",
                "https://a.com#x",
                " https://a.com",
                "https://a.com\n",
                "https://a.com;b.com"
            })
    void refusesWhatIsNoOrigin(String text) {
        assertThat(EmbedOrigins.isOrigin(text)).isFalse();
    }

    @Test
    void refusesAnOriginOfMoreThan300Characters() {
        var label = "a".repeat(62) + ".";

        assertThat(EmbedOrigins.isOrigin("https://" + label.repeat(4) + "a".repeat(40)))
                .isTrue();
        assertThat(EmbedOrigins.isOrigin("https://" + label.repeat(4) + "a".repeat(41)))
                .isFalse();
    }

    @Test
    void keepsPresentOriginsInOrderAndIgnoresDoubles() {
        assertThat(EmbedOrigins.merged(
                        List.of("https://b.com", "https://a.com"), List.of("https://a.com", "https://c.com")))
                .containsExactly("https://b.com", "https://a.com", "https://c.com");
    }

    @Test
    void refusesMoreThanFiftyInAll() {
        var fifty = IntStream.range(0, 50)
                .mapToObj(number -> "https://a" + number + ".com")
                .toList();

        assertThat(EmbedOrigins.merged(fifty, fifty)).hasSize(50);
        assertThatThrownBy(() -> EmbedOrigins.merged(fifty, List.of("https://b.com")))
                .hasMessageContaining("VALIDATION");
    }
}
