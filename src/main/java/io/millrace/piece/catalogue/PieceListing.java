package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Lists of pieces: installed ones first, then installable ones that are not installed. */
final class PieceListing {
    private static final int ENTRIES_KEPT_MAX = 10_000;
    private static final Duration UNUSED_KEPT_FOR = Duration.ofHours(1);

    private final PieceCatalogue catalogue;
    private final InstallablePieces installable;
    private final PieceUse use;

    /** A piece is immutable, so entries never become stale. */
    private final Cache<Piece, CatalogueEntry> entries = Caches.of("piece.entries", ENTRIES_KEPT_MAX)
            .expireAfterAccess(UNUSED_KEPT_FOR)
            .weakKeys()
            .build();

    PieceListing(PieceCatalogue catalogue, InstallablePieces installable, PieceUse use) {
        this.catalogue = catalogue;
        this.installable = installable;
        this.use = use;
    }

    /**
     * Summaries of the requested pieces that are visible to the caller.
     *
     * @param installableToo as for {@link Pieces.Extras}
     */
    Future<ArrayNode> find(
            PieceQuery query, PieceScope scope, Predicate<String> offered, Optional<Boolean> installableToo) {
        var here = catalogue.newest(scope).stream()
                .filter(piece -> offered.test(piece.spec().name()))
                .toList();
        var others = installableToo.orElseGet(installable::comeWhenNamed)
                ? installable.all()
                : Future.<List<CatalogueEntry>>succeededFuture(List.of());
        return Future.all(others, use.projects(scope.platformId())).compose(known -> {
            List<CatalogueEntry> elsewhere = known.resultAt(0);
            Map<String, Integer> projects = known.resultAt(1);
            return marked(query.answer(together(here, elsewhere, offered), projects), here);
        });
    }

    private List<CatalogueEntry> together(List<Piece> here, List<CatalogueEntry> elsewhere, Predicate<String> offered) {
        var all = new ArrayList<CatalogueEntry>(here.size() + elsewhere.size());
        var names = new HashSet<String>();
        for (var piece : here) {
            all.add(entries.get(piece, CatalogueEntry::of));
            names.add(piece.spec().name());
        }
        elsewhere.stream()
                .filter(entry -> offered.test(entry.name()) && !names.contains(entry.name()))
                .forEach(all::add);
        return all;
    }

    /** Adds to each piece that cannot run at the moment the reason. */
    private static Future<ArrayNode> marked(ArrayNode answer, List<Piece> here) {
        return Future.all(here.stream().map(Piece::trouble).toList()).map(troubles -> {
            for (var index = 0; index < here.size(); index++) {
                var name = here.get(index).spec().name();
                Optional<String> trouble = troubles.resultAt(index);
                trouble.ifPresent(reason -> markUnavailable(answer, name, reason));
            }
            return answer;
        });
    }

    private static void markUnavailable(ArrayNode summaries, String name, String reason) {
        for (var summary : summaries) {
            if (summary.path("name").asText().equals(name)) {
                ((ObjectNode) summary).put("available", false).put("unavailableReason", reason);
            }
        }
    }

    /** Every piece and version that a scope has, then the installable ones, as {@code {name, version}}. */
    Future<ArrayNode> registered(PieceScope scope) {
        var others = installable.comeWhenNamed()
                ? installable.all()
                : Future.<List<CatalogueEntry>>succeededFuture(List.of());
        return others.map(elsewhere -> {
            var registry = Json.array();
            var names = new HashSet<String>();
            for (var piece : catalogue.newest(scope)) {
                var name = piece.spec().name();
                names.add(name);
                catalogue
                        .versions(scope, name)
                        .forEach(version ->
                                registry.addObject().put("name", name).put("version", version));
            }
            elsewhere.stream()
                    .filter(entry -> !names.contains(entry.name()))
                    .forEach(entry ->
                            registry.addObject().put("name", entry.name()).put("version", entry.version()));
            return registry;
        });
    }
}
