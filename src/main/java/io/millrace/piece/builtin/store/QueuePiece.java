package io.millrace.piece.builtin.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.millrace.base.core.Json;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import io.millrace.piece.store.StoreEdit;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Queue with first-in, first-out order, shared by the flows of a project (contract pieces 14.2). A queue is a stored
 * list. Push and pull are atomic: no item is lost or delivered twice, even when a step is repeated after a crash. Tests
 * have separate queues, as they have separate stored values.
 */
public final class QueuePiece {
    private static final Property NAME = Props.shortText("Queue Name", true);

    private QueuePiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "queue",
                        "Queue",
                        "Keeps items until a flow takes them.",
                        "queue.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.2.0", "0.1.0", "0.0.3")),
                List.of(push(), pull(), clear(), size(), peek()),
                List.of());
    }

    private static ContextAction push() {
        return action(
                "push-to-queue",
                "Push to Queue",
                "Adds items to the end of a queue.",
                "All flows of the project can take the items. Tests use a separate queue.",
                List.of(Props.named("items", Props.list("Items", true))),
                context -> {
                    var items = context.props().path("items");
                    return edited(context, queue -> {
                        items.forEach(queue::add);
                        return new StoreEdit.EditResult(queue, null);
                    });
                });
    }

    private static ContextAction pull() {
        return action(
                "pull-from-queue",
                "Pull Items from Queue",
                "Removes and returns the oldest items of a queue.",
                "Takes items that any flow of the project added. Tests use a separate queue.",
                List.of(Props.named("numOfItems", Props.number("Number of items", true))),
                context -> {
                    var count = count(context);
                    return edited(
                            context,
                            queue -> new StoreEdit.EditResult(part(queue, count, queue.size()), part(queue, 0, count)));
                });
    }

    private static ContextAction clear() {
        return action(
                "clear-queue",
                "Clear Queue",
                "Removes all items of a queue.",
                "The items cannot be recovered. Tests use a separate queue.",
                List.of(),
                context -> context.storeDelete(StoreScope.COLLECTION, name(context))
                        .map(_ -> Json.object().put("success", true)));
    }

    private static ContextAction size() {
        return action(
                "get-queue-size",
                "Get Queue Size",
                "Counts the items of a queue.",
                "A queue that was never used is empty. Tests use a separate queue.",
                List.of(),
                context -> read(context)
                        .map(queue -> Json.object()
                                .put("queueName", name(context))
                                .put("size", queue.size())
                                .put("isEmpty", queue.isEmpty())));
    }

    private static ContextAction peek() {
        var count = Props.number("Number of items", false)
                .describedAs("Number of oldest items to read.")
                .defaultingTo(IntNode.valueOf(1));
        return action(
                "peek-queue",
                "Peek at Queue",
                "Reads the oldest items of a queue without removing them.",
                "Tests use a separate queue.",
                List.of(Props.named("numOfItems", count)),
                context -> read(context).map(queue -> {
                    var items = part(queue, 0, count(context));
                    var answer = Json.object();
                    answer.set("items", items);
                    return answer.put("itemCount", items.size()).put("queueSize", queue.size());
                }));
    }

    private static ContextAction action(
            String name,
            String displayName,
            String description,
            String note,
            List<Props.NamedProperty> own,
            Function<StepContext, Future<JsonNode>> body) {
        var props = Props.of(Stream.concat(
                        Stream.of(Props.named("info", Props.markdown(note, "INFO")), Props.named("queueName", NAME)),
                        own.stream())
                .toArray(Props.NamedProperty[]::new));
        return new ContextAction(new ActionSpec(name, displayName, description, props, true, true, false), body);
    }

    private static Future<JsonNode> edited(StepContext context, Function<ArrayNode, StoreEdit.EditResult> change) {
        var name = name(context);
        return context.storeEdit(StoreScope.COLLECTION, name, value -> change.apply(queue(value, name)))
                .map(answer -> answer.orElse(null));
    }

    private static Future<ArrayNode> read(StepContext context) {
        var name = name(context);
        return context.storeGet(StoreScope.COLLECTION, name).map(value -> queue(value, name));
    }

    private static ArrayNode queue(Optional<JsonNode> value, String name) {
        return switch (value.filter(found -> !found.isNull()).orElseGet(Json::array)) {
            case ArrayNode list -> list.deepCopy();
            case JsonNode _ ->
                throw PieceFailure.of("Expected a queue under the key " + name + ", found another value");
        };
    }

    private static String name(StepContext context) {
        var name = context.props().path("queueName").asText("");
        if (name.isBlank()) {
            throw PieceFailure.of("queueName: expected the name of a queue, found none");
        }
        return name;
    }

    private static int count(StepContext context) {
        var given = context.props().path("numOfItems");
        var count = given.isMissingNode() || given.isNull() ? 1 : JsNumbers.of(given);
        if (count != Math.rint(count) || count < 0) {
            throw PieceFailure.of("numOfItems: expected a whole number from 0, found " + given.asText());
        }
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    private static ArrayNode part(ArrayNode queue, int from, int to) {
        var part = Json.array();
        for (var i = from; i < Math.min(to, queue.size()); i++) {
            part.add(queue.get(i));
        }
        return part;
    }
}
