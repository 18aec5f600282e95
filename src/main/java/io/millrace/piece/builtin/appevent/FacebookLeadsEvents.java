package io.millrace.piece.builtin.appevent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.AppEvents;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Leads of Facebook pages. Facebook verifies the address by a request with a public token. */
final class FacebookLeadsEvents implements AppEvents {
    private static final HmacSignature SIGNATURE =
            new HmacSignature("HmacSHA256", "x-hub-signature-256", "sha256=", HmacSignature.HEX);
    private static final String VERIFY_TOKEN = "activepieces";

    @Override
    public Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl) {
        var query = payload.path("queryParams");
        if (query.path("hub.verify_token").asText().equals(VERIFY_TOKEN)) {
            var challenge = TextNode.valueOf(query.path("hub.challenge").asText());
            return Future.succeededFuture(
                    new ParseResult.Reply(new HttpAnswer(200, Map.of("content-type", "text/plain"), challenge)));
        }
        var lead = payload.at("/body/entry/0/changes/0/value");
        return Future.succeededFuture(
                ParseResult.event("lead", text(lead.path("page_id")), text(lead.path("leadgen_id"))));
    }

    /** Ids are sometimes written as numbers. */
    private static String text(JsonNode id) {
        return id.isTextual() || id.isIntegralNumber() ? id.asText() : null;
    }

    @Override
    public Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl) {
        return Future.succeededFuture(SIGNATURE.isOn(payload, secret, UnaryOperator.identity()));
    }
}
