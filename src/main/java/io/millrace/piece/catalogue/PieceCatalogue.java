package io.millrace.piece.catalogue;

import io.millrace.piece.Piece;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The pieces this server knows, by name and exact version (contract pieces 13, 14): built-ins, and packages installed
 * for all platforms or for one. Several pieces may share a name with different versions, and several packages a version
 * with different platforms, so every lookup has a scope.
 *
 * <p>Asked on every event loop. Changes are copy-on-write; a reader sees the old or the new snapshot.
 */
public final class PieceCatalogue {
    private final Map<String, NavigableMap<PieceVersion, Piece>> builtIn = new LinkedHashMap<>();
    private final AtomicReference<Map<PackageKey, NavigableMap<PieceVersion, Piece>>> installed =
            new AtomicReference<>(Map.of());

    private record PackageKey(PieceScope owner, String name) {}

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

    /** Replaces the owner's piece of the same name and version. */
    public void install(Piece piece) {
        change(
                placeOf(piece),
                versions -> piece.spec().versions().forEach(text -> versions.put(exact(piece, text), piece)));
    }

    /** Removes a piece that was installed for exactly this scope. */
    public void remove(PieceScope owner, String name, String version) {
        change(
                new PackageKey(owner, name),
                versions -> PieceVersion.parse(version).ifPresent(versions::remove));
    }

    /** Replaces all installed pieces atomically; callers that hold a removed piece may continue to use it. */
    public void installOnly(List<? extends Piece> pieces) {
        var all = new LinkedHashMap<PackageKey, NavigableMap<PieceVersion, Piece>>();
        for (var piece : pieces) {
            var versions = all.computeIfAbsent(placeOf(piece), _ -> newestFirst());
            piece.spec().versions().forEach(text -> versions.put(exact(piece, text), piece));
        }
        installed.set(all);
    }

    private static PackageKey placeOf(Piece piece) {
        return new PackageKey(new PieceScope(piece.platformId()), piece.spec().name());
    }

    private void change(PackageKey place, Consumer<NavigableMap<PieceVersion, Piece>> edit) {
        installed.updateAndGet(before -> {
            var after = new LinkedHashMap<>(before);
            var versions = newestFirst();
            versions.putAll(before.getOrDefault(place, newestFirst()));
            edit.accept(versions);
            after.put(place, versions);
            after.values().removeIf(Map::isEmpty);
            return after;
        });
    }

    /**
     * The piece for a version that a flow pins: the platform's own package, else one that was installed for all
     * platforms, else the built-in that lists it, else the newest built-in of the same major and minor version, else a
     * substitute: the newest built-in of the same major version (decision 0076). A leading {@code ~} or {@code ^} is
     * ignored.
     */
    public Optional<Piece> find(PieceScope scope, String name, String exactVersion) {
        return PieceVersion.parse(withoutRange(exactVersion))
                .flatMap(wanted -> find(scope, name, wanted).or(() -> standIn(name, wanted)));
    }

    /** Returns whether an exact version is available without a stand-in. */
    public boolean has(PieceScope scope, String name, String exactVersion) {
        return PieceVersion.parse(withoutRange(exactVersion))
                .flatMap(wanted -> find(scope, name, wanted))
                .isPresent();
    }

    public List<Piece> newest(PieceScope scope) {
        return Stream.concat(
                        builtIn.keySet().stream(),
                        installed.get().keySet().stream()
                                .filter(place -> isWithin(scope, place.owner()))
                                .map(PackageKey::name))
                .distinct()
                .flatMap(name -> newest(scope, name).stream())
                .toList();
    }

    public Optional<Piece> newest(PieceScope scope, String name) {
        return versionsOf(scope, name).values().stream().findFirst();
    }

    private static boolean isWithin(PieceScope scope, PieceScope owner) {
        return owner.equals(PieceScope.EVERYBODY) || owner.equals(scope);
    }

    /** Exact versions of a piece, newest first; empty when the piece is unknown. */
    public List<String> versions(PieceScope scope, String name) {
        return versionsOf(scope, name).keySet().stream()
                .map(PieceVersion::toString)
                .toList();
    }

    /**
     * Resolves the version of a metadata request (contract flows-and-engine 29).
     *
     * @param wanted an exact version, a version with {@code ~} or {@code ^} for the newest compatible one, or null for
     *     the newest
     * @return a version for which {@link #find} has an answer
     */
    public Optional<String> resolve(PieceScope scope, String name, String wanted) {
        var versions = versionsOf(scope, name);
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
                            .or(() -> find(scope, name, base).map(_ -> base)))
                    .map(PieceVersion::toString);
        }
        return PieceVersion.parse(wanted)
                .filter(_ -> find(scope, name, wanted).isPresent())
                .map(PieceVersion::toString);
    }

    private Optional<Piece> find(PieceScope scope, String name, PieceVersion wanted) {
        var listed = versionsOf(scope, name).get(wanted);
        if (listed != null) {
            return Optional.of(listed);
        }
        return Optional.of(builtIn.getOrDefault(name, newestFirst()))
                .flatMap(versions -> versions.entrySet().stream()
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

    /** Versions by precedence: the scope's own packages, then packages for all platforms, then built-ins. */
    private NavigableMap<PieceVersion, Piece> versionsOf(PieceScope scope, String name) {
        var packages = installed.get();
        var versions = newestFirst();
        versions.putAll(builtIn.getOrDefault(name, newestFirst()));
        versions.putAll(packages.getOrDefault(new PackageKey(PieceScope.EVERYBODY, name), newestFirst()));
        versions.putAll(packages.getOrDefault(new PackageKey(scope, name), newestFirst()));
        return versions;
    }

    private static boolean satisfies(PieceVersion version, String wanted, PieceVersion base) {
        return wanted.startsWith("~") ? version.satisfiesTilde(base) : version.satisfiesCaret(base);
    }

    private static String withoutRange(String version) {
        return version.startsWith("~") || version.startsWith("^") ? version.substring(1) : version;
    }
}
