package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedirectsTest {
    private static final WebAddress HERE = WebAddress.parse("https://example.com/start");

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET, false",
        "302, POST, GET, false",
        "303, POST, GET, false",
        "303, PUT, GET, false",
        "303, HEAD, HEAD, true",
        "301, PUT, PUT, true",
        "302, DELETE, DELETE, true",
        "301, GET, GET, true",
        "307, POST, POST, true",
        "308, PATCH, PATCH, true"
    })
    void keepsOrDropsMethodAndBody(int status, String method, String expectedMethod, boolean bodyKept) {
        var request = OutboundRequest.of(method, HERE)
                .withHeaders(Map.of("Content-Type", "text/plain", "X-Kept", "1"))
                .withBody(Buffer.buffer("body"));

        var next = Redirects.next(request, status, "/next");

        assertThat(next.method()).isEqualTo(expectedMethod);
        assertThat(next.body().isPresent()).isEqualTo(bodyKept);
        assertThat(next.headers().containsKey("content-type")).isEqualTo(bodyKept);
        assertThat(next.headers()).containsEntry("X-Kept", "1");
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com/other, true",
        "https://example.com:8443/, false",
        "http://example.com/, false",
        "https://sub.example.com/, false"
    })
    void dropsCredentials_whenTheOriginIsLeft(String location, boolean kept) {
        var request = OutboundRequest.of("GET", HERE)
                .withHeaders(
                        Map.of("Authorization", "Bearer t", "Cookie", "c=1", "X-Api-Key", "k", "Host", "h", "X", "1"));

        var next = Redirects.next(request, 302, location);

        assertThat(next.headers()).containsEntry("X", "1");
        assertThat(next.headers().containsKey("authorization")).isEqualTo(kept);
        assertThat(next.headers().containsKey("cookie")).isEqualTo(kept);
        assertThat(next.headers().containsKey("x-api-key")).isEqualTo(kept);
        assertThat(next.headers().containsKey("host")).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({"https://example.com/other, true", "https://other.example/, false"})
    void dropsCredentialsOfTheFirstOrigin_underAnyHeaderName(String location, boolean kept) {
        // Given
        var request = OutboundRequest.of("GET", HERE)
                .withCredentials(Map.of("X-Mill-Pass", "flour"))
                .withMoreHeaders(Map.of("Accept", "text/plain"))
                .withTimeoutMs(1_000);

        // When
        var next = Redirects.next(request, 302, location);

        // Then
        assertThat(next.headers().containsKey("x-mill-pass")).isEqualTo(kept);
        assertThat(next.headers()).containsEntry("Accept", "text/plain");
        assertThat(Redirects.next(next, 307, "https://third.example/").headers())
                .doesNotContainKey("x-mill-pass");
    }

    @Test
    void keepsCredentialsOfTheUrl_onTheSameOriginOnly() {
        var request = OutboundRequest.of("GET", WebAddress.parse("https://u:p@example.com/"));

        assertThat(Redirects.next(request, 302, "/x").address().userInfo()).contains("u:p");
        assertThat(Redirects.next(request, 302, "https://other.example/")
                        .address()
                        .userInfo())
                .isEmpty();
    }

    @Test
    void refusesALocationThatIsNoWebAddress() {
        var request = OutboundRequest.of("GET", HERE);

        assertThatThrownBy(() -> Redirects.next(request, 302, "file:///etc/passwd"))
                .isInstanceOf(OutboundFailure.class)
                .hasMessage("example.com redirected to an address that is not an http or https URL");
    }
}
