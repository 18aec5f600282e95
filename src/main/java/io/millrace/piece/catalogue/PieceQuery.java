package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a caller of the piece list asked for, and its answer (contract flows-and-engine 29, pieces 13.4). Pure.
 *
 * @param searchQuery words that must all occur; null or blank finds everything
 * @param categories a piece must have one of these; empty for all
 * @param sortBy null keeps the catalogue's order
 * @param order null means ascending
 * @param suggestionType null lists no matching actions and triggers
 */
public record PieceQuery(
        String searchQuery, Set<PieceCategory> categories, SortBy sortBy, Order order, SuggestionType suggestionType) {

    /** Keys to sort by. */
    public enum SortBy {
        NAME,
        UPDATED,
        CREATED,
        POPULARITY
    }

    /** Directions to sort in. */
    public enum Order {
        ASC,
        DESC
    }

    /** Whether matching actions and triggers are listed with a piece. */
    public enum SuggestionType {
        ACTION,
        TRIGGER,
        ACTION_AND_TRIGGER
    }

    /** Summaries of the pieces that were asked for; never cut to a page. */
    public ArrayNode answer(List<Piece> pieces) {
        var words = words();
        var answer = Json.array();
        pieces.stream()
                .filter(this::hasCategory)
                .filter(piece -> matches(piece, words))
                .sorted(comparator())
                .map(piece -> summary(piece, words))
                .forEach(answer::add);
        return answer;
    }

    /** Every piece and version that a scope has, as {@code {name, version}} (registry list). */
    public static ArrayNode registry(PieceCatalogue catalogue, PieceScope scope) {
        var registry = Json.array();
        for (var piece : catalogue.newest(scope)) {
            var name = piece.spec().name();
            catalogue
                    .versions(scope, name)
                    .forEach(version -> registry.addObject().put("name", name).put("version", version));
        }
        return registry;
    }

    private List<String> words() {
        if (searchQuery == null || searchQuery.isBlank()) {
            return List.of();
        }
        return List.of(searchQuery.strip().toLowerCase(Locale.ROOT).split("\\s+"));
    }

    private boolean hasCategory(Piece piece) {
        return categories.isEmpty()
                || piece.spec().categories().stream()
                        .anyMatch(category ->
                                categories.stream().map(PieceCategory::name).anyMatch(category::equals));
    }

    private boolean matches(Piece piece, List<String> words) {
        var spec = piece.spec();
        return contains(words, spec.displayName(), spec.name(), spec.description())
                || suggestsActions()
                        && piece.actions().values().stream().anyMatch(action -> matches(action.spec(), words))
                || suggestsTriggers()
                        && piece.triggers().values().stream().anyMatch(trigger -> matches(trigger.spec(), words));
    }

    private Comparator<Piece> comparator() {
        if (sortBy == null) {
            return (_, _) -> 0;
        }
        Comparator<Piece> ascending = switch (sortBy) {
            case NAME ->
                Comparator.comparing(piece -> piece.spec().displayName().toLowerCase(Locale.ROOT));
            case UPDATED -> Comparator.comparing(Piece::updated);
            // Built-ins share one moment and keep their order.
            case CREATED -> Comparator.comparing(Piece::created);
            // Their use is not counted.
            case POPULARITY -> (_, _) -> 0;
        };
        return order == Order.DESC ? ascending.reversed() : ascending;
    }

    private ObjectNode summary(Piece piece, List<String> words) {
        var description = piece.describe(piece.spec().versions().getFirst());
        var summary = description
                .deepCopy()
                .put("actions", piece.actions().size())
                .put("triggers", piece.triggers().size());
        if (suggestsActions()) {
            var suggested = summary.putArray("suggestedActions");
            piece.actions().values().stream()
                    .map(Action::spec)
                    .filter(spec -> matches(spec, words))
                    .forEach(spec -> suggested.add(description.path("actions").path(spec.name())));
        }
        if (suggestsTriggers()) {
            var suggested = summary.putArray("suggestedTriggers");
            piece.triggers().values().stream()
                    .map(PieceTrigger::spec)
                    .filter(spec -> matches(spec, words))
                    .forEach(spec -> suggested.add(description.path("triggers").path(spec.name())));
        }
        return summary;
    }

    private boolean suggestsActions() {
        return suggestionType == SuggestionType.ACTION || suggestionType == SuggestionType.ACTION_AND_TRIGGER;
    }

    private boolean suggestsTriggers() {
        return suggestionType == SuggestionType.TRIGGER || suggestionType == SuggestionType.ACTION_AND_TRIGGER;
    }

    private static boolean matches(ActionSpec spec, List<String> words) {
        return contains(words, spec.displayName(), spec.name(), spec.description());
    }

    private static boolean matches(TriggerSpec spec, List<String> words) {
        return contains(words, spec.displayName(), spec.name(), spec.description());
    }

    private static boolean contains(List<String> words, String... texts) {
        var haystack = String.join("\n", texts).toLowerCase(Locale.ROOT);
        return words.stream().allMatch(haystack::contains);
    }
}
