package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * A message from a user to the bot. Subscribers must hold the bot's secret: the id alone is not secret and would let
 * any project receive the messages.
 */
final class NewMessage implements PieceTrigger {
    private static final JsonNode SAMPLE = Json.trusted("""
            {"type": "message", "id": "1700000000000", "text": "hello", "channelId": "msteams",
             "from": {"id": "29:1abc", "name": "Ada", "aadObjectId": "00000000-0000-0000-0000-000000000001"},
             "conversation": {"id": "19:abc@thread.tacv2", "conversationType": "channel"},
             "recipient": {"id": "28:00000000-0000-0000-0000-000000000002", "name": "Bot"},
             "channelData": {"tenant": {"id": "00000000-0000-0000-0000-000000000003"}}}
            """);

    private static final TriggerSpec SPEC = new TriggerSpec(
            "new_message_to_bot",
            "New Message to Bot",
            "Starts the flow with each message that is sent to the bot, or mentions it.",
            Map.of(),
            true,
            TriggerSpec.Strategy.APP_WEBHOOK,
            SAMPLE,
            TriggerSpec.TestStrategy.SIMULATION);

    private final MicrosoftCalls calls;
    private final TeamsPlaces places;

    NewMessage(MicrosoftCalls calls, TeamsPlaces places) {
        this.calls = calls;
        this.places = places;
    }

    @Override
    public TriggerSpec spec() {
        return SPEC;
    }

    @Override
    public Future<Void> onEnable(TriggerContext context) {
        try {
            var account = BotAccount.of(context.auth().orElse(NullNode.instance));
            return calls.token(account, places.botScope()).map(_ -> {
                context.createListeners(List.of(TeamsBotEvents.MESSAGE), account.identifier());
                return null;
            });
        } catch (PieceFailure bad) {
            return Future.failedFuture(bad);
        }
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        return Future.succeededFuture(List.of(context.payload().path("body")));
    }
}
