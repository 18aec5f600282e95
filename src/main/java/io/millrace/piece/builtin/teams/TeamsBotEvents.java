package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.AppEvents;
import io.vertx.core.Future;
import java.time.InstantSource;

/**
 * Requests of the Bot Framework to the bots of this server. Only messages become events; other well-formed requests are
 * acknowledged. Signed with published keys of Microsoft, for the bot's application.
 */
final class TeamsBotEvents implements AppEvents {
    static final String MESSAGE = "message";

    private static final String BOT = "28:";

    private final BotFrameworkKeys keys;
    private final TeamsPlaces places;
    private final InstantSource clock;

    TeamsBotEvents(BotFrameworkKeys keys, TeamsPlaces places, InstantSource clock) {
        this.keys = keys;
        this.places = places;
        this.clock = clock;
    }

    @Override
    public Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl) {
        var body = payload.path("body");
        var tenant = body.at("/channelData/tenant/id").asText();
        return Future.succeededFuture(
                body.path("type").asText().equals(MESSAGE)
                                && !tenant.isEmpty()
                                && !appId(body).isEmpty()
                        ? ParseResult.event(MESSAGE, BotAccount.identifier(tenant, appId(body)), deliveryId(body))
                        : new ParseResult.Irrelevant());
    }

    /** Ids of activities count within their conversation. */
    private static String deliveryId(JsonNode body) {
        var id = body.path("id").asText();
        return id.isEmpty() ? null : body.at("/conversation/id").asText() + "/" + id;
    }

    private static String appId(JsonNode body) {
        var id = body.at("/recipient/id").asText();
        return id.startsWith(BOT) ? id.substring(BOT.length()) : "";
    }

    @Override
    public boolean needsSecret() {
        return false;
    }

    @Override
    public Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl) {
        var body = payload.path("body");
        return BotFrameworkToken.read(payload.at("/headers/authorization").asText())
                .map(token -> keys.find(token.keyId(), body.path("channelId").asText())
                        .map(found -> found.filter(token::isSignedWith).isPresent()
                                && token.isFor(
                                        places.issuer(),
                                        appId(body),
                                        body.path("serviceUrl").asText(),
                                        clock.instant())))
                .orElseGet(() -> Future.succeededFuture(false));
    }
}
