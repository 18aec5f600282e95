package io.millrace.piece;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The pieces this server knows, by name and exact version (contract pieces 13, 14): those that came with it, and those
 * that were installed since. One name may be answered by several pieces, each for its own versions.
 *
 * <p>Asked on every event loop. A change makes a new picture of what is installed; a reader sees one or the other.
 */
public final class PieceCatalogue {
    private final Map<String, NavigableMap<PieceVersion, Piece>> builtIn = new LinkedHashMap<>();
    private final AtomicReference<Map<String, NavigableMap<PieceVersion, Piece>>> installed =
            new AtomicReference<>(Map.of());

    /** A catalogue of these pieces, listed in this order. */
    public PieceCatalogue(List<Piece> pieces) {
        for (var piece : pieces) {
            var versions = builtIn.computeIfAbsent(piece.spec().name(), _ -> newestFirst());
            for (var text : piece.spec().versions()) {
                if (versions.put(exact(piece, text), piece) != null) {
                    throw new IllegalArgumentException(
                            "expected one " + piece.spec().name() + " " + text + ", found two");
                }
            }
        }
    }

    private static NavigableMap<PieceVersion, Piece> newestFirst() {
        return new TreeMap<>(Comparator.<PieceVersion>reverseOrder());
    }

    private static PieceVersion exact(Piece piece, String version) {
        return PieceVersion.parse(version)
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected an exact version of " + piece.spec().name() + ", found " + version));
    }

    /** Adds a piece, or puts it in the place of one of the same name and version. */
    public void install(Piece piece) {
        change(
                piece.spec().name(),
                versions -> piece.spec().versions().forEach(text -> versions.put(exact(piece, text), piece)));
    }

    /** Takes an installed piece out. */
    public void remove(String name, String version) {
        change(name, versions -> PieceVersion.parse(version).ifPresent(versions::remove));
    }

    private void change(String name, Consumer<NavigableMap<PieceVersion, Piece>> edit) {
        installed.updateAndGet(before -> {
            var after = new LinkedHashMap<>(before);
            var versions = newestFirst();
            versions.putAll(before.getOrDefault(name, newestFirst()));
            edit.accept(versions);
            after.put(name, versions);
            after.values().removeIf(Map::isEmpty);
            return after;
        });
    }

    /**
     * The piece that answers for a version that a flow pins: an installed one, else the built-in that lists it, else the
     * newest built-in of the same major and minor version, else a stand-in: the newest built-in of the same major version
     * (decision 0065). A leading {@code ~} or {@code ^} is ignored.
     */
    public Optional<Piece> find(String name, String exactVersion) {
        return PieceVersion.parse(withoutRange(exactVersion))
                .flatMap(wanted -> find(name, wanted).or(() -> standIn(name, wanted)));
    }

    /** Whether a version has a piece of its own, and needs no stand-in. */
    public boolean has(String name, String exactVersion) {
        return PieceVersion.parse(withoutRange(exactVersion))
                .flatMap(wanted -> find(name, wanted))
                .isPresent();
    }

    /** The newest version of every piece that may be seen. */
    public List<Piece> newest(Predicate<Piece> visible) {
        return Stream.concat(builtIn.keySet().stream(), installed.get().keySet().stream())
                .distinct()
                .flatMap(name -> versionsOf(name, visible).values().stream().limit(1))
                .toList();
    }

    /** Exact versions of a piece, newest first; empty when the piece is unknown. */
    public List<String> versions(String name, Predicate<Piece> visible) {
        return versionsOf(name, visible).keySet().stream()
                .map(PieceVersion::toString)
                .toList();
    }

    /**
     * The exact version that a reader of metadata means (contract flows-and-engine 29).
     *
     * @param wanted an exact version, a version with {@code ~} or {@code ^} for the newest compatible one, or null for
     *     the newest
     * @return a version for which {@link #find} has an answer
     */
    public Optional<String> resolve(String name, String wanted, Predicate<Piece> visible) {
        var versions = versionsOf(name, visible);
        if (versions.isEmpty()) {
            return Optional.empty();
        }
        if (wanted == null) {
            return Optional.of(versions.firstKey().toString());
        }
        if (withoutRange(wanted).length() < wanted.length()) {
            return PieceVersion.parse(withoutRange(wanted))
                    .flatMap(base -> versions.keySet().stream()
                            .filter(version -> satisfies(version, wanted, base))
                            .findFirst()
                            .or(() -> find(name, base).filter(visible).map(_ -> base)))
                    .map(PieceVersion::toString);
        }
        return PieceVersion.parse(wanted)
                .filter(_ -> find(name, wanted).filter(visible).isPresent())
                .map(PieceVersion::toString);
    }

    /** As above, among all pieces. */
    public Optional<String> resolve(String name, String wanted) {
        return resolve(name, wanted, _ -> true);
    }

    private Optional<Piece> find(String name, PieceVersion wanted) {
        var listed = installed.get().getOrDefault(name, newestFirst()).get(wanted);
        if (listed != null) {
            return Optional.of(listed);
        }
        var versions = builtIn.getOrDefault(name, newestFirst());
        return Optional.ofNullable(versions.get(wanted))
                .or(() -> versions.entrySet().stream()
                        .filter(entry -> entry.getKey().sameMinor(wanted))
                        .map(Map.Entry::getValue)
                        .findFirst());
    }

    private Optional<Piece> standIn(String name, PieceVersion wanted) {
        return builtIn.getOrDefault(name, newestFirst()).entrySet().stream()
                .filter(entry -> entry.getKey().major() == wanted.major())
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private NavigableMap<PieceVersion, Piece> versionsOf(String name, Predicate<Piece> visible) {
        var versions = newestFirst();
        versions.putAll(builtIn.getOrDefault(name, newestFirst()));
        versions.putAll(installed.get().getOrDefault(name, newestFirst()));
        versions.values().removeIf(piece -> !visible.test(piece));
        return versions;
    }

    private static boolean satisfies(PieceVersion version, String wanted, PieceVersion base) {
        return wanted.startsWith("~") ? version.satisfiesTilde(base) : version.satisfiesCaret(base);
    }

    private static String withoutRange(String version) {
        return version.startsWith("~") || version.startsWith("^") ? version.substring(1) : version;
    }
}
