package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.property.Property;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

final class TeamsDirectory {
    /** Limit of a drop-down, equal to the page size limit of Graph. */
    private static final int TEAMS_MAX = 500;

    /** More than a team can have. */
    private static final int CHANNELS_MAX = 2_000;

    private final MicrosoftCalls calls;
    private final TeamsPlaces places;

    TeamsDirectory(MicrosoftCalls calls, TeamsPlaces places) {
        this.calls = calls;
        this.places = places;
    }

    /** Fails with Microsoft's message when the application may not read teams. */
    Future<Void> check(BotAccount account) {
        return list(account, "/teams?$top=1", 1).mapEmpty();
    }

    Future<List<Property.Option>> teams(BotAccount account) {
        return list(account, "/teams?$select=id,displayName&$top=" + TEAMS_MAX, TEAMS_MAX);
    }

    Future<List<Property.Option>> channels(BotAccount account, String teamId) {
        return list(
                account, "/teams/" + MicrosoftCalls.encoded(teamId) + "/channels?$select=id,displayName", CHANNELS_MAX);
    }

    private Future<List<Property.Option>> list(BotAccount account, String target, int most) {
        return calls.token(account, places.graphScope())
                .compose(token -> page(token, places.graphUrl() + "/v1.0" + target, most, new ArrayList<>()));
    }

    /** The next page must be on the same origin, because the token is sent with the request. */
    private Future<List<Property.Option>> page(String token, String url, int most, List<Property.Option> found) {
        return calls.get(url, token).compose(answer -> {
            if (!answer.isGood() || !answer.value().path("value").isArray()) {
                return Future.failedFuture(
                        PieceFailure.of("Microsoft Graph does not list the requested items. " + answer.shown()));
            }
            var before = found.size();
            answer.value()
                    .path("value")
                    .forEach(item -> found.add(new Property.Option(
                            item.path("displayName").asText(item.path("id").asText()),
                            TextNode.valueOf(item.path("id").asText()))));
            var next = answer.value().path("@odata.nextLink").asText();
            var goesOn = found.size() > before && found.size() < most && next.startsWith(places.graphUrl() + "/");
            return goesOn
                    ? page(token, next, most, found)
                    : Future.succeededFuture(found.size() > most ? List.copyOf(found.subList(0, most)) : found);
        });
    }
}
