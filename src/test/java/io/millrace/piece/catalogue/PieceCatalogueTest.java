package io.millrace.piece.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.builtin.Builtins;
import io.millrace.support.piece.BarePiece;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
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
        assertThat(catalogue.find(PieceScope.EVERYBODY, name, version).isPresent())
                .isEqualTo(found);
    }

    @Test
    void tellsAStandIn_fromAPieceOfItsOwn() {
        assertThat(catalogue.has(PieceScope.EVERYBODY, WEBHOOK, "0.1.3")).isTrue();
        assertThat(catalogue.has(PieceScope.EVERYBODY, WEBHOOK, "0.2.0")).isFalse();
        assertThat(catalogue.has(PieceScope.EVERYBODY, WEBHOOK, "latest")).isFalse();
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
        assertThat(catalogue.resolve(PieceScope.EVERYBODY, WEBHOOK, wanted).orElse(null))
                .isEqualTo(expected);
    }

    @Test
    void listsVersionsNewestFirst() {
        assertThat(catalogue.versions(PieceScope.EVERYBODY, "@activepieces/piece-math-helper"))
                .containsExactly("0.0.24", "0.0.16", "0.0.11");
        assertThat(catalogue.versions(PieceScope.EVERYBODY, "@activepieces/piece-nothing"))
                .isEmpty();
    }

    @Test
    void listsEveryPieceOnce() {
        assertThat(catalogue.newest(PieceScope.EVERYBODY)).containsExactlyElementsOf(pieces);
    }

    /** A package of a platform, or of all platforms. */
    private record Installed(PieceSpec spec, Optional<String> platformId) implements BarePiece {
        static Installed of(String owner, String name, String version) {
            return new Installed(
                    new PieceSpec(name, name, "", "", List.of(), List.of(), List.of(version), null),
                    Optional.ofNullable(owner));
        }
    }

    @Test
    void keepsPackagesOfOneNameAndVersionApart_andPutsTheOwnBeforeThatOfEverybody() {
        // Given
        var official = Installed.of(null, "piece-x", "1.0.0");
        var ofAda = Installed.of("ada", "piece-x", "1.0.0");
        var ofBob = Installed.of("bob", "piece-x", "1.0.0");
        var newer = Installed.of("bob", "piece-x", "2.0.0");
        List.of(ofAda, official, ofBob, newer).forEach(catalogue::install);

        // Then
        assertThat(catalogue.find(PieceScope.of("ada"), "piece-x", "1.0.0")).contains(ofAda);
        assertThat(catalogue.find(PieceScope.of("bob"), "piece-x", "1.0.0")).contains(ofBob);
        assertThat(catalogue.find(PieceScope.of("cid"), "piece-x", "1.0.0")).contains(official);
        assertThat(catalogue.find(PieceScope.EVERYBODY, "piece-x", "1.0.0")).contains(official);
        assertThat(catalogue.find(PieceScope.of("ada"), "piece-x", "2.0.0")).isEmpty();
        assertThat(catalogue.has(PieceScope.of("ada"), "piece-x", "2.0.0")).isFalse();
        assertThat(catalogue.versions(PieceScope.of("ada"), "piece-x")).containsExactly("1.0.0");
        assertThat(catalogue.newest(PieceScope.of("bob"), "piece-x")).contains(newer);
        assertThat(catalogue.newest(PieceScope.of("cid"))).contains(official).doesNotContain(ofAda, ofBob, newer);
        assertThat(catalogue.resolve(PieceScope.of("ada"), "piece-x", "2.0.0")).isEmpty();
        assertThat(catalogue.resolve(PieceScope.of("bob"), "piece-x", null)).contains("2.0.0");
    }

    @Test
    void removesAPackageOfOnePlatform_andNoOther() {
        // Given
        var official = Installed.of(null, "piece-x", "1.0.0");
        var ofBob = Installed.of("bob", "piece-x", "1.0.0");
        List.of(Installed.of("ada", "piece-x", "1.0.0"), official, ofBob).forEach(catalogue::install);

        // When
        catalogue.remove(PieceScope.of("ada"), "piece-x", "1.0.0");

        // Then
        assertThat(catalogue.find(PieceScope.of("ada"), "piece-x", "1.0.0")).contains(official);
        assertThat(catalogue.find(PieceScope.of("bob"), "piece-x", "1.0.0")).contains(ofBob);
    }

    @Test
    void refusesTwoPiecesOfOneVersion() {
        var twice = List.of(pieces.getFirst(), pieces.getFirst());

        assertThatThrownBy(() -> new PieceCatalogue(twice)).hasMessageContaining("found two");
    }
}
