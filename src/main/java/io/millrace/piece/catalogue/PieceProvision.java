package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Installs requested pieces that are missing. Only names in the index of published pieces are looked up, so unknown
 * names cause no request to a registry. A caller without a token installs nothing.
 */
final class PieceProvision {
    private static final long PROVIDE_MS_MAX = 25_000;

    private final PieceCatalogue catalogue;
    private final InstallablePieces installable;
    private final Bus bus;

    PieceProvision(PieceCatalogue catalogue, InstallablePieces installable, Bus bus) {
        this.catalogue = catalogue;
        this.installable = installable;
        this.bus = bus;
    }

    /** Always completes successfully. */
    Future<Void> provide(PieceScope scope, String name, Optional<String> wanted) {
        if (catalogue.resolve(scope, name, wanted.orElse(null)).isPresent()
                || scope.platformId().isEmpty()) {
            return Future.succeededFuture();
        }
        return version(name, wanted)
                .compose(version -> version.map(exact -> bus.ask(new Pieces.Provide(scope, name, exact), PROVIDE_MS_MAX)
                                .<Void>mapEmpty())
                        .orElseGet(Future::succeededFuture))
                .otherwiseEmpty();
    }

    Future<Optional<ObjectNode>> details(String name, Optional<String> wanted) {
        return version(name, wanted)
                .compose(version -> version.map(exact -> installable.details(name, exact))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }

    /** Installed and installable versions, newest first. */
    Future<List<String>> versions(PieceScope scope, String name) {
        var here = catalogue.versions(scope, name);
        return newest(name)
                .map(newest -> Stream.concat(here.stream(), newest.stream())
                        .flatMap(version -> PieceVersion.parse(version).stream())
                        .distinct()
                        .sorted((one, other) -> other.compareTo(one))
                        .map(PieceVersion::toString)
                        .toList());
    }

    private Future<Optional<String>> newest(String name) {
        return installable
                .all()
                .map(all -> all.stream()
                        .filter(entry -> entry.name().equals(name))
                        .map(CatalogueEntry::version)
                        .findFirst());
    }

    /** Exact version of a piece in the index, not newer than its newest. */
    private Future<Optional<String>> version(String name, Optional<String> wanted) {
        return newest(name)
                .map(found -> found.flatMap(
                        newest -> wanted.map(text -> meant(text, newest)).orElse(found)));
    }

    private static Optional<String> meant(String wanted, String newest) {
        var isRange = wanted.startsWith("~") || wanted.startsWith("^");
        var base = PieceVersion.parse(isRange ? wanted.substring(1) : wanted);
        var limit = PieceVersion.parse(newest).orElseThrow();
        return base.filter(version -> version.compareTo(limit) <= 0)
                .map(version -> isRange && satisfies(limit, wanted, version) ? limit : version)
                .map(PieceVersion::toString);
    }

    private static boolean satisfies(PieceVersion version, String wanted, PieceVersion base) {
        return wanted.startsWith("~") ? version.satisfiesTilde(base) : version.satisfiesCaret(base);
    }
}
