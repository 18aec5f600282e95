package io.millrace.piece.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MovableClock;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepted image formats of logos, and eviction from the cache. */
final class PieceLogoTest {
    private static final String SVG = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

    @ParameterizedTest
    @ValueSource(
            strings = {
                SVG,
                "\uFEFF \n" + SVG,
                "<?xml version=\"1.0\"?>\n<!-- a - comment -->\n" + SVG,
                "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\">" + SVG,
                "<svg\n>"
            })
    void anSvgIsOne(String text) {
        assertThat(PieceLogo.of(Buffer.buffer(text)).map(PieceLogo::mediaType)).contains("image/svg+xml");
    }

    @Test
    void aPngIsOne() {
        var bytes = Buffer.buffer(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1});

        assertThat(PieceLogo.of(bytes).map(PieceLogo::mediaType)).contains("image/png");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "PNG",
                "<html><svg></svg></html>",
                "<script>alert(1)</script>" + SVG,
                "<!DOCTYPE svg [<!ENTITY a \"b\">]>" + SVG,
                "<svgx/>",
                "GIF89a",
                "<!-- no end " + SVG
            })
    void nothingElseIsOne(String text) {
        assertThat(PieceLogo.of(Buffer.buffer(text))).isEmpty();
    }

    @Test
    void theOneNotAskedForLongestGoesFirst_whenTheMemoryIsFull() {
        // given logos that each cost 1 kB in addition to the picture
        var cache = new PieceLogoCache(3 * 2_048, new MovableClock());
        cache.keep("a", logo(1_024));
        cache.keep("b", logo(1_024));
        cache.keep("c", logo(1_024));
        cache.find("a");

        // When
        cache.keep("d", logo(1_024));

        // Then
        assertThat(cache.find("b")).isEmpty();
        assertThat(cache.find("a")).isPresent();
        assertThat(cache.find("c")).isPresent();
        assertThat(cache.find("d")).isPresent();

        // when one is larger than the whole cache
        cache.keep("e", logo(8_192));

        // Then
        assertThat(cache.find("e")).isEmpty();
    }

    @Test
    void whatIsMissingIsAskedForAgainSooner() {
        // Given
        var clock = new MovableClock();
        var cache = new PieceLogoCache(8_192, clock);
        cache.keep("there", logo(1));
        cache.keep("missing", Optional.empty());

        // Then
        assertThat(cache.find("missing")).contains(Optional.empty());

        // When
        clock.advance(PieceLogoCache.MISSING_KEPT.plus(Duration.ofSeconds(1)));

        // Then
        assertThat(cache.find("missing")).isEmpty();
        assertThat(cache.find("there")).isPresent();

        // When
        clock.advance(PieceLogoCache.KEPT);

        // Then
        assertThat(cache.find("there")).isEmpty();
    }

    private static Optional<PieceLogo> logo(int bytes) {
        return Optional.of(new PieceLogo("image/png", Buffer.buffer(new byte[bytes]), Duration.ofDays(1)));
    }
}
