package io.millrace.piece;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.piece.builtin.Builtins;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PieceCatalogueTest {
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    private final List<Piece> pieces = Builtins.all(InstantSource.system(), new Random(1));
    private final PieceCatalogue catalogue = new PieceCatalogue(pieces);

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource({
        "@activepieces/piece-webhook, 0.1.25, true",
        "@activepieces/piece-webhook, 0.1.29, true",
        "@activepieces/piece-webhook, 0.1.3, true",
        "@activepieces/piece-webhook, ~0.1.25, true",
        "@activepieces/piece-webhook, 0.2.0, true",
        "@activepieces/piece-webhook, 1.1.25, false",
        "@activepieces/piece-webhook, latest, false",
        "@activepieces/piece-nothing, 0.1.25, false",
    })
    void findsAPiece_whenTheMajorVersionIsThatOfAListedOne(String name, String version, boolean found) {
        assertThat(catalogue.find(name, version).isPresent()).isEqualTo(found);
    }

    @Test
    void tellsAStandIn_fromAPieceOfItsOwn() {
        assertThat(catalogue.has(WEBHOOK, "0.1.3")).isTrue();
        assertThat(catalogue.has(WEBHOOK, "0.2.0")).isFalse();
        assertThat(catalogue.has(WEBHOOK, "latest")).isFalse();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            nullValues = "null",
            value = {
                "null, 0.1.29",
                "0.1.25, 0.1.25",
                "0.1.7, 0.1.7",
                "~0.1.0, 0.1.29",
                "^0.1.0, 0.1.29",
                "^0.2.0, null",
                "0.2.0, 0.2.0",
                "1.0.0, null",
                "nonsense, null",
            })
    void resolvesTheVersionOfAReader(String wanted, String expected) {
        assertThat(catalogue.resolve(WEBHOOK, wanted).orElse(null)).isEqualTo(expected);
    }

    @Test
    void listsVersionsNewestFirst() {
        assertThat(catalogue.versions("@activepieces/piece-math-helper", _ -> true))
                .containsExactly("0.0.24", "0.0.16", "0.0.11");
        assertThat(catalogue.versions("@activepieces/piece-nothing", _ -> true)).isEmpty();
    }

    @Test
    void listsEveryPieceOnce() {
        assertThat(catalogue.newest(_ -> true)).containsExactlyElementsOf(pieces);
    }

    @Test
    void refusesTwoPiecesOfOneVersion() {
        var twice = List.of(pieces.getFirst(), pieces.getFirst());

        assertThatThrownBy(() -> new PieceCatalogue(twice)).hasMessageContaining("found two");
    }
}
