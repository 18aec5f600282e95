package io.millrace.piece.builtin.appevent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.AppEvents;
import io.vertx.core.Future;
import java.util.function.UnaryOperator;

/** Topics of Intercom. Each Intercom app has its own secret, so secrets may be configured per app id. */
final class IntercomEvents implements AppEvents {
    private static final HmacSignature SIGNATURE =
            new HmacSignature("HmacSHA1", "x-hub-signature", "sha1=", HmacSignature.HEX);

    @Override
    public Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl) {
        var body = payload.path("body");
        return Future.succeededFuture(ParseResult.event(
                body.path("topic").textValue(),
                body.path("app_id").textValue(),
                body.path("id").textValue()));
    }

    @Override
    public Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl) {
        var ofApp = secret != null && secret.isObject()
                ? secret.path(payload.at("/body/app_id").asText())
                : secret;
        return Future.succeededFuture(SIGNATURE.isOn(payload, ofApp, UnaryOperator.identity()));
    }
}
