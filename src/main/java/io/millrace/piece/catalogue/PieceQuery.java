package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Query of the piece list, and its evaluation (contract flows-and-engine 29, pieces 13.4). Pure.
 *
 * @param searchQuery words that must all occur; null or blank finds everything
 * @param categories a piece must have one of these; empty for all
 * @param sortBy null keeps the catalogue's order
 * @param order null means ascending
 * @param suggestionType null lists no matching actions and triggers
 */
public record PieceQuery(
        String searchQuery, Set<PieceCategory> categories, SortBy sortBy, Order order, SuggestionType suggestionType) {

    public enum SortBy {
        NAME,
        UPDATED,
        CREATED,
        POPULARITY
    }

    public enum Order {
        ASC,
        DESC
    }

    public enum SuggestionType {
        ACTION,
        TRIGGER,
        ACTION_AND_TRIGGER
    }

    /**
     * Summaries of the pieces that were asked for; never cut to a page.
     *
     * @param use in how many projects each is used, by name
     */
    public ArrayNode answer(List<CatalogueEntry> entries, Map<String, Integer> use) {
        var words = words();
        var answer = Json.array();
        entries.stream()
                .filter(this::hasCategory)
                .filter(entry -> matches(entry, words))
                .sorted(comparator(use))
                .map(entry -> summary(entry, words).put("projectUsage", use.getOrDefault(entry.name(), 0)))
                .forEach(answer::add);
        return answer;
    }

    private List<String> words() {
        if (searchQuery == null || searchQuery.isBlank()) {
            return List.of();
        }
        return List.of(searchQuery.strip().toLowerCase(Locale.ROOT).split("\\s+"));
    }

    private boolean hasCategory(CatalogueEntry entry) {
        return categories.isEmpty()
                || categories.stream().map(PieceCategory::name).anyMatch(entry.categories()::contains);
    }

    private boolean matches(CatalogueEntry entry, List<String> words) {
        return contains(entry.text(), words)
                || suggestsActions() && entry.parts().actions().stream().anyMatch(part -> contains(part.text(), words))
                || suggestsTriggers()
                        && entry.parts().triggers().stream().anyMatch(part -> contains(part.text(), words));
    }

    /** Ties keep the catalogue's order, in which the most used pieces are first. */
    private Comparator<CatalogueEntry> comparator(Map<String, Integer> use) {
        if (sortBy == null) {
            return (_, _) -> 0;
        }
        Comparator<CatalogueEntry> ascending = switch (sortBy) {
            case NAME -> Comparator.comparing(entry -> entry.displayName().toLowerCase(Locale.ROOT));
            case UPDATED -> Comparator.comparing(each -> each.times().updated());
            // Built-ins have equal times and keep their order.
            case CREATED -> Comparator.comparing(each -> each.times().created());
            case POPULARITY -> Comparator.comparing(entry -> use.getOrDefault(entry.name(), 0));
        };
        return order == Order.DESC ? ascending.reversed() : ascending;
    }

    private ObjectNode summary(CatalogueEntry entry, List<String> words) {
        ObjectNode summary = Json.object().setAll(entry.documents().summary());
        if (suggestionType != null) {
            var definitions = entry.documents().definitions().get();
            if (suggestsActions()) {
                suggest(
                        summary.putArray("suggestedActions"),
                        entry.parts().actions(),
                        definitions.path("actions"),
                        words);
            }
            if (suggestsTriggers()) {
                suggest(
                        summary.putArray("suggestedTriggers"),
                        entry.parts().triggers(),
                        definitions.path("triggers"),
                        words);
            }
        }
        return summary;
    }

    private static void suggest(
            ArrayNode suggested, List<CatalogueEntry.Part> parts, JsonNode definitions, List<String> words) {
        parts.stream()
                .filter(part -> contains(part.text(), words))
                .forEach(part -> suggested.add(definitions.path(part.name())));
    }

    private boolean suggestsActions() {
        return suggestionType == SuggestionType.ACTION || suggestionType == SuggestionType.ACTION_AND_TRIGGER;
    }

    private boolean suggestsTriggers() {
        return suggestionType == SuggestionType.TRIGGER || suggestionType == SuggestionType.ACTION_AND_TRIGGER;
    }

    private static boolean contains(String text, List<String> words) {
        return words.stream().allMatch(text::contains);
    }
}
