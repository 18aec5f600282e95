package io.millrace.piece.builtin.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.input.ScriptValues;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.millrace.piece.store.StoreEdit;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Storage: values under keys that outlive a run (contract pieces 14.2, flows-and-engine 23). Updates are atomic, so
 * concurrent runs lose no change.
 */
public final class StorePiece {
    private static final int KEY_LENGTH_MAX = 128;

    private static final Property KEY = Props.shortText("Key", true);

    private static final Property SCOPE = Props.choice(
                    "Store Scope", true, "Project", "COLLECTION", "Flow", "FLOW", "Run", "RUN")
            .describedAs("Who shares the value.")
            .defaultingTo(TextNode.valueOf("COLLECTION"));

    private StorePiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "store",
                        "Storage",
                        "Keeps values under keys.",
                        "new-core/store.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.6.20", "0.6.6")),
                List.of(
                        action("get", "Get", "Reads a value.", getProps(), StorePiece::get),
                        action("put", "Put", "Writes a value.", putProps(), StorePiece::put),
                        action("append", "Append", "Appends to a text.", appendProps(), StorePiece::append),
                        action("remove_value", "Remove", "Removes a value.", keyAndScope(), StorePiece::remove),
                        action("add_to_list", "Add To List", "Adds items to a list.", addProps(), StoreLists::add),
                        action(
                                "remove_from_list",
                                "Remove from List",
                                "Removes an item from a list.",
                                putProps(),
                                StoreLists::remove)),
                List.of());
    }

    record Slot(StepContext context, StoreScope scope, String key) {
        Future<Optional<JsonNode>> read() {
            return context.storeGet(scope, key).map(value -> value.filter(found -> !found.isNull()));
        }

        Future<JsonNode> write(JsonNode value) {
            return context.storePut(scope, key, value).map(written -> value);
        }

        Future<JsonNode> edit(Function<Optional<JsonNode>, JsonNode> change) {
            return context.storeEdit(
                            scope,
                            key,
                            value -> StoreEdit.EditResult.to(change.apply(value.filter(found -> !found.isNull()))))
                    .map(answer -> answer.orElse(null));
        }

        ObjectNode props() {
            return context.props();
        }
    }

    private static Future<JsonNode> get(Slot slot, JsonNode value) {
        return slot.read().map(found -> found.orElse(slot.props().get("defaultValue")));
    }

    private static Future<JsonNode> put(Slot slot, JsonNode value) {
        return slot.write(value);
    }

    private static Future<JsonNode> append(Slot slot, JsonNode value) {
        var added = ScriptValues.text(value);
        var separator = slot.props().path("separator").asText("").replace("\\n", "\n");
        return slot.edit(found -> {
            if (found.filter(old -> !old.isTextual()).isPresent()) {
                throw PieceFailure.of("Key " + slot.key() + " is not a string");
            }
            var old = found.map(JsonNode::asText).orElse("");
            return TextNode.valueOf(old.isEmpty() || added.isEmpty() ? old + added : old + separator + added);
        });
    }

    private static Future<JsonNode> remove(Slot slot, JsonNode value) {
        return slot.context()
                .storeDelete(slot.scope(), slot.key())
                .map(removed -> Json.object().put("success", true));
    }

    private static Map<String, Property> keyAndScope() {
        return Props.of(Props.named("key", KEY), Props.named("store_scope", SCOPE));
    }

    private static Map<String, Property> getProps() {
        return Props.of(
                Props.named("key", KEY),
                Props.named("defaultValue", Props.shortText("Default Value", false)),
                Props.named("store_scope", SCOPE));
    }

    private static Map<String, Property> putProps() {
        return Props.of(
                Props.named("key", KEY),
                Props.named("value", Props.shortText("Value", true)),
                Props.named("store_scope", SCOPE));
    }

    private static Map<String, Property> appendProps() {
        return Props.of(
                Props.named("key", KEY),
                Props.named("value", Props.shortText("Value", true)),
                Props.named(
                        "separator",
                        Props.shortText("Separator", false)
                                .describedAs("Separator between the parts; \\n is a new line.")),
                Props.named("store_scope", SCOPE));
    }

    private static Map<String, Property> addProps() {
        return Props.of(
                Props.named("key", KEY),
                Props.named("value", Property.of(PropertyType.ARRAY, "Value", true)),
                Props.named("ignore_if_exists", Props.checkbox("Ignore if value exists", false)),
                Props.named("store_scope", SCOPE));
    }

    private static Action action(
            String name,
            String displayName,
            String description,
            Map<String, Property> props,
            BiFunction<Slot, JsonNode, Future<JsonNode>> run) {
        return new StoreAction(new ActionSpec(name, displayName, description, props, true, false, false), run);
    }

    /** An action on one slot; the second argument is the input's value, an empty text when it has none. */
    private record StoreAction(ActionSpec spec, BiFunction<Slot, JsonNode, Future<JsonNode>> body) implements Action {
        @Override
        public Future<JsonNode> run(StepContext context) {
            try {
                var value = context.props().path("value");
                return body.apply(slot(context), value.isMissingNode() ? TextNode.valueOf("") : value);
            } catch (PieceFailure refused) {
                return Future.failedFuture(refused);
            }
        }
    }

    private static Slot slot(StepContext context) {
        var key = context.props().path("key").asText();
        if (key.isEmpty() || key.length() > KEY_LENGTH_MAX) {
            throw PieceFailure.named(
                    "StorageInvalidKeyError",
                    Json.pretty(Json.object()
                            .put(
                                    "message",
                                    "Expected a key of 1 to " + KEY_LENGTH_MAX + " characters, found one of "
                                            + key.length())));
        }
        var name = context.props().path("store_scope").asText("COLLECTION");
        var scope = Arrays.stream(StoreScope.values())
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> PieceFailure.of("Expected COLLECTION, FLOW or RUN as the scope, found " + name));
        return new Slot(context, scope, key);
    }
}
