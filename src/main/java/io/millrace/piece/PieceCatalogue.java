package io.millrace.piece;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pieces this server knows, by name and exact version (contract pieces 13, 14).
 *
 * <p>Immutable. One name may be answered by several pieces, each for its own versions.
 */
public final class PieceCatalogue {
    private final Map<String, NavigableMap<PieceVersion, Piece>> byName = new LinkedHashMap<>();

    /** A catalogue of these pieces, listed in this order. */
    public PieceCatalogue(List<Piece> pieces) {
        for (var piece : pieces) {
            var versions = byName.computeIfAbsent(
                    piece.spec().name(), name -> new TreeMap<>(Comparator.<PieceVersion>reverseOrder()));
            for (var text : piece.spec().versions()) {
                var version = PieceVersion.parse(text)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "expected an exact version of " + piece.spec().name() + ", found " + text));
                if (versions.put(version, piece) != null) {
                    throw new IllegalArgumentException(
                            "expected one " + piece.spec().name() + " " + text + ", found two");
                }
            }
        }
    }

    /**
     * The piece that answers for a version that a flow pins: the listed one, else the newest listed one of the same
     * major and minor version. A leading {@code ~} or {@code ^} is ignored.
     */
    public Optional<Piece> find(String name, String exactVersion) {
        return PieceVersion.parse(withoutRange(exactVersion)).flatMap(wanted -> find(name, wanted));
    }

    /** The newest version of every piece. */
    public List<Piece> newest() {
        return byName.values().stream()
                .map(versions -> versions.firstEntry().getValue())
                .toList();
    }

    /** Exact versions of a piece, newest first; empty when the piece is unknown. */
    public List<String> versions(String name) {
        return versionsOf(name).keySet().stream().map(PieceVersion::toString).toList();
    }

    /**
     * The exact version that a reader of metadata means (contract flows-and-engine 29).
     *
     * @param wanted an exact version, a version with {@code ~} or {@code ^} for the newest compatible one, or null for
     *     the newest
     * @return a version for which {@link #find} has an answer
     */
    public Optional<String> resolve(String name, String wanted) {
        var versions = versionsOf(name);
        if (versions.isEmpty()) {
            return Optional.empty();
        }
        if (wanted == null) {
            return Optional.of(versions.firstKey().toString());
        }
        return PieceVersion.parse(withoutRange(wanted))
                .flatMap(base -> versions.keySet().stream()
                        .filter(version -> satisfies(version, wanted, base))
                        .findFirst()
                        .or(() -> find(name, base).map(piece -> base)))
                .map(PieceVersion::toString);
    }

    private Optional<Piece> find(String name, PieceVersion wanted) {
        var versions = versionsOf(name);
        var listed = versions.get(wanted);
        if (listed != null) {
            return Optional.of(listed);
        }
        return versions.entrySet().stream()
                .filter(entry -> entry.getKey().sameMinor(wanted))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private NavigableMap<PieceVersion, Piece> versionsOf(String name) {
        return byName.getOrDefault(name, new TreeMap<>());
    }

    private static boolean satisfies(PieceVersion version, String wanted, PieceVersion base) {
        return switch (wanted.charAt(0)) {
            case '~' -> version.satisfiesTilde(base);
            case '^' -> version.satisfiesCaret(base);
            default -> version.equals(base);
        };
    }

    private static String withoutRange(String version) {
        return version.startsWith("~") || version.startsWith("^") ? version.substring(1) : version;
    }
}
