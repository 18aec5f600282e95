package io.millrace.piece.builtin.appevent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.AppEvents;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.PieceFailure;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/**
 * Events of Slack as JSON, and interactions as form data. The signature's time limit prevents replay of captured
 * requests.
 */
final class SlackEvents implements AppEvents {
    private static final HmacSignature SIGNATURE =
            new HmacSignature("HmacSHA256", "x-slack-signature", "v0=", HmacSignature.HEX);
    private static final String TIMESTAMP = "x-slack-request-timestamp";
    private static final Set<String> DIALOGUES = Set.of("view_submission", "view_closed");

    /** Seconds since 1970 have ten digits for the next centuries. */
    private static final int TIMESTAMP_DIGITS_MAX = 12;

    private final Duration ageMax;
    private final InstantSource clock;

    SlackEvents(Duration ageMax, InstantSource clock) {
        this.ageMax = ageMax;
        this.clock = clock;
    }

    @Override
    public Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl) {
        var body = payload.path("body");
        if (body.path("challenge").isTextual()) {
            var answer = new HttpAnswer(
                    200,
                    Map.of("content-type", "text/plain"),
                    TextNode.valueOf(body.path("challenge").textValue()));
            return Future.succeededFuture(new ParseResult.Reply(answer));
        }
        if (body.path("payload").isTextual()) {
            try {
                return Future.succeededFuture(
                        interaction(Json.parse(body.path("payload").textValue()), publicUrl));
            } catch (JsonProcessingException malformed) {
                return Future.failedFuture(PieceFailure.of("expected JSON in the field payload"));
            }
        }
        return Future.succeededFuture(ParseResult.event(
                body.at("/event/type").textValue(),
                body.path("team_id").textValue(),
                body.path("event_id").textValue()));
    }

    /** Views have their own type; a button of a message counts if its value is the resume address of a run. */
    private static ParseResult interaction(JsonNode payload, String publicUrl) {
        var type = payload.path("type").asText();
        if (DIALOGUES.contains(type)) {
            return ParseResult.event(
                    type,
                    payload.at("/team/id").textValue(),
                    payload.path("trigger_id").textValue());
        }
        var action = payload.path("actions").path(0);
        var value = action.path("value").asText();
        return type.equals("block_actions")
                        && action.path("type").asText().equals("button")
                        && value.startsWith(publicUrl + "/")
                ? new ParseResult.Press(value, payload)
                : new ParseResult.Irrelevant();
    }

    @Override
    public Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl) {
        var timestamp = HmacSignature.header(payload, TIMESTAMP).orElse("");
        return Future.succeededFuture(
                isRecent(timestamp) && SIGNATURE.isOn(payload, secret, body -> "v0:" + timestamp + ":" + body));
    }

    private boolean isRecent(String timestamp) {
        if (timestamp.isEmpty()
                || timestamp.length() > TIMESTAMP_DIGITS_MAX
                || !timestamp.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            return false;
        }
        var ageSeconds = Math.abs(clock.instant().getEpochSecond() - Long.parseLong(timestamp));
        return ageSeconds <= ageMax.toSeconds();
    }
}
