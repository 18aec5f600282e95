package io.millrace.piece.builtin.appevent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.AppEvents;
import io.vertx.core.Future;

/** Events of Square, signed together with the address that they are sent to. */
final class SquareEvents implements AppEvents {
    private static final HmacSignature SIGNATURE =
            new HmacSignature("HmacSHA256", "x-square-hmacsha256-signature", "", HmacSignature.BASE64);

    @Override
    public Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl) {
        var body = payload.path("body");
        return Future.succeededFuture(ParseResult.event(
                body.path("type").textValue(),
                body.path("merchant_id").textValue(),
                body.path("event_id").textValue()));
    }

    @Override
    public Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl) {
        return Future.succeededFuture(SIGNATURE.isOn(payload, secret, body -> appWebhookUrl + body));
    }
}
