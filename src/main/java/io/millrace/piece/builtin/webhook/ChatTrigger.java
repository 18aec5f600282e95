package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.Props;
import io.vertx.core.Future;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Starts a flow with each message of a chat (contract flows-and-engine 24). */
public final class ChatTrigger implements PieceTrigger {
    public static final String NAME = "chat_submission";

    public static final String BOT_NAME = "AI Bot";

    private static final Pattern FILE = Pattern.compile("files?\\[([0-9]{1,4})]");

    private static final TriggerSpec SPEC = new TriggerSpec(
            NAME,
            "Chat UI",
            "Starts the flow with a chat message.",
            Props.of(
                    Props.named("about", FormTrigger.addresses("chat")),
                    Props.named(
                            "responseMarkdown",
                            Props.markdown("The chat shows the response of the action **Respond on UI**.", "WARNING")),
                    Props.named(
                            "botName",
                            Props.shortText("Bot Name", true)
                                    .describedAs("Name of the bot in the chat.")
                                    .defaultingTo(TextNode.valueOf(BOT_NAME)))),
            true,
            TriggerSpec.Strategy.WEBHOOK,
            Json.object().put("sessionId", "MOCK_CHAT_ID").put("message", "Hello, how are you?"),
            TriggerSpec.TestStrategy.SIMULATION);

    @Override
    public TriggerSpec spec() {
        return SPEC;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        var sent = context.payload().path("body");
        // Older pages send the session under a different name.
        var session = text(sent, "sessionId").isEmpty() ? text(sent, "chatId") : text(sent, "sessionId");
        if (session.isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Chat ID is required"));
        }
        if (text(sent, "message").isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Message is required"));
        }
        var item = Json.object().put("sessionId", session).put("message", text(sent, "message"));
        item.set("files", files(sent));
        return Future.succeededFuture(List.of(item));
    }

    private static String text(JsonNode sent, String name) {
        return sent.hasNonNull(name) ? sent.path(name).asText() : "";
    }

    private static ArrayNode files(JsonNode sent) {
        if (sent.path("files") instanceof ArrayNode list) {
            return list.deepCopy();
        }
        var files = new TreeMap<Integer, JsonNode>();
        for (var field : sent.properties()) {
            var place = FILE.matcher(field.getKey());
            if (place.matches()) {
                files.put(Integer.valueOf(place.group(1)), field.getValue());
            } else if (field.getKey().equals("files") && field.getValue().isTextual()) {
                files.put(0, field.getValue());
            }
        }
        return Json.array().addAll(files.values());
    }
}
