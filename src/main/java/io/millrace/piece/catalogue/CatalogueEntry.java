package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.Action;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceTrigger;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A piece in lists, installed or installable. Search texts are in lower case.
 *
 * @param version the newest
 * @param text search text of the piece itself
 */
public record CatalogueEntry(
        String name,
        String version,
        String displayName,
        Set<String> categories,
        Times times,
        String text,
        Parts parts,
        EntryDocuments documents) {
    public record Times(Instant created, Instant updated) {}

    /**
     * Search texts of actions and triggers.
     *
     * @param actions search text of each action, in display order
     */
    public record Parts(List<Part> actions, List<Part> triggers) {
        public Parts {
            actions = List.copyOf(actions);
            triggers = List.copyOf(triggers);
        }
    }

    /**
     * JSON for clients.
     *
     * @param summary as a list shows it, without suggestions; read, and never changed
     * @param definitions the {@code actions} and {@code triggers} by name, as suggestions show them; read, and never changed
     */
    public record EntryDocuments(ObjectNode summary, Supplier<ObjectNode> definitions) {}

    private static final List<String> PARTS = List.of("actions", "triggers");

    public record Part(String name, String text) {
        public static Part of(String name, String displayName, String description) {
            return new Part(name, searched(displayName, name, description));
        }
    }

    public CatalogueEntry {
        categories = Set.copyOf(categories);
    }

    public static CatalogueEntry of(Piece piece) {
        var spec = piece.spec();
        var version = spec.versions().getFirst();
        var actions = piece.actions().values().stream().map(Action::spec).toList();
        var triggers =
                piece.triggers().values().stream().map(PieceTrigger::spec).toList();
        var summary = piece.describe(version).without(PARTS);
        return new CatalogueEntry(
                spec.name(),
                version,
                spec.displayName(),
                Set.copyOf(spec.categories()),
                new Times(piece.created(), piece.updated()),
                searched(spec.displayName(), spec.name(), spec.description()),
                new Parts(
                        actions.stream()
                                .map(action -> Part.of(action.name(), action.displayName(), action.description()))
                                .toList(),
                        triggers.stream()
                                .map(trigger -> Part.of(trigger.name(), trigger.displayName(), trigger.description()))
                                .toList()),
                new EntryDocuments(
                        ((ObjectNode) summary)
                                .put("actions", actions.size())
                                .put("triggers", triggers.size())
                                .put("installed", true),
                        () -> piece.describe(version)));
    }

    public static String searched(String... texts) {
        return String.join("\n", texts).toLowerCase(Locale.ROOT);
    }
}
