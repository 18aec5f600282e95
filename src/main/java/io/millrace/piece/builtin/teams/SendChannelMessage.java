package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;

final class SendChannelMessage implements Action {
    static final String NAME = "microsoft_teams_send_channel_message_as_bot";
    static final String TEAM = "teamId";
    static final String CHANNEL = "channelId";

    /** The constant text of the seed (Errors). */
    static final String NOT_IN_ROSTER = "The bot is not part of the conversation roster";

    private static final String ROSTER_CODE = "BotNotInConversationRoster";
    private static final String INSTALL = "Install the bot's app in the team, then run the flow again.";

    private static final Property CONTENT_TYPE =
            Props.choice("Content Type", true, "Text", "text", "HTML", "html").defaultingTo(TextNode.valueOf("text"));

    private static final ActionSpec SPEC = new ActionSpec(
            NAME,
            "Send Channel Message as Bot",
            "Sends a message to a channel of a team, as the bot.",
            Props.of(
                    Props.named(TEAM, Property.of(PropertyType.DROPDOWN, "Team", true)),
                    Props.named(CHANNEL, dependingOn(TEAM)),
                    Props.named("contentType", CONTENT_TYPE),
                    Props.named("content", Props.longText("Message", true))),
            true,
            true,
            false);

    private final MicrosoftCalls calls;
    private final TeamsPlaces places;

    SendChannelMessage(MicrosoftCalls calls, TeamsPlaces places) {
        this.calls = calls;
        this.places = places;
    }

    private static Property dependingOn(String name) {
        return Property.of(PropertyType.DROPDOWN, "Channel", true).refreshedBy(List.of(name));
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            var account = BotAccount.of(context.auth().orElse(NullNode.instance));
            var conversation = conversation(account, context.props());
            var fenced = calls.of(context);
            return fenced.token(account, places.botScope())
                    .compose(token -> fenced.post(places.serviceUrl() + "/v3/conversations", token, conversation))
                    .map(answer -> answer.isGood() ? output(account, context.props(), answer) : refused(answer));
        } catch (PieceFailure bad) {
            return Future.failedFuture(bad);
        }
    }

    private static ObjectNode conversation(BotAccount account, ObjectNode props) {
        var type = Props.chosen(props, "contentType", CONTENT_TYPE, "text");
        var body = Json.object().put("isGroup", true);
        body.putObject("bot").put("id", "28:" + account.appId()).put("name", "Bot");
        var data = body.putObject("channelData");
        data.putObject("channel").put("id", props.path(CHANNEL).asText());
        data.putObject("tenant").put("id", account.tenantId());
        body.putObject("activity")
                .put("type", "message")
                .put("text", props.path("content").asText())
                .put("textFormat", type.equals("html") ? "xml" : "plain");
        return body;
    }

    private static JsonNode output(BotAccount account, ObjectNode props, MicrosoftCalls.Answer answer) {
        var id = answer.value().path("id").asText();
        var activityId = answer.value().path("activityId").asText();
        var team = props.path(TEAM).asText();
        var channel = props.path(CHANNEL).asText();
        var messageId = activityId.isEmpty() ? messageIdOf(id) : activityId;
        return Json.object()
                .put("id", id)
                .put("activityId", activityId)
                .put("messageId", messageId)
                .put("messageType", "message")
                .put("webUrl", webUrl(account, team, channel, messageId))
                .put(TEAM, team)
                .put(CHANNEL, channel)
                .put("tenantId", account.tenantId());
    }

    private static String messageIdOf(String conversationId) {
        var at = conversationId.indexOf("messageid=");
        return at < 0 ? "" : conversationId.substring(at + "messageid=".length());
    }

    private static String webUrl(BotAccount account, String team, String channel, String messageId) {
        return "https://teams.microsoft.com/l/message/" + MicrosoftCalls.encoded(channel) + "/"
                + MicrosoftCalls.encoded(messageId) + "?groupId=" + MicrosoftCalls.encoded(team) + "&tenantId="
                + MicrosoftCalls.encoded(account.tenantId());
    }

    private static JsonNode refused(MicrosoftCalls.Answer answer) {
        var code = answer.value().at("/error/code").asText();
        var text = switch (answer.status()) {
            case 401 ->
                "The Bot Connector rejects the bot's token; enable the Teams channel on the bot. " + answer.shown();
            case 403 ->
                code.isEmpty() || code.equals(ROSTER_CODE)
                        ? NOT_IN_ROSTER + ". " + INSTALL
                        : "The bot may not send this message. " + answer.shown();
            case 404 -> "The bot's app is not installed in the team, or the channel was deleted. " + INSTALL;
            default -> "The message could not be sent. " + answer.shown();
        };
        var details = Json.object().put("status", answer.status());
        if (answer.value().isObject()) {
            details.set("responseBody", answer.value());
        }
        throw PieceFailure.of(text, details);
    }
}
