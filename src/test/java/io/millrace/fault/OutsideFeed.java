package io.millrace.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.LastItemPolling;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.support.piece.BarePiece;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Piece that polls the feed of a {@link Sink}: each entry is a numbered event. */
final class OutsideFeed implements BarePiece {
    static final String NAME = "@activepieces/piece-outside-feed";
    static final String VERSION = "1.0.0";
    static final String TRIGGER = "new_entry";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI feed;

    OutsideFeed(String feedUrl) {
        this.feed = URI.create(feedUrl);
    }

    @Override
    public PieceSpec spec() {
        return new PieceSpec(
                NAME, "Feed", "A feed.", "https://mill.example/feed.svg", List.of(), List.of(), List.of(VERSION), null);
    }

    @Override
    public Map<String, PieceTrigger> triggers() {
        return Map.of(TRIGGER, new NewEntry());
    }

    private Future<List<LastItemPolling.IdentifiedItem>> read() {
        var asked = http.sendAsync(HttpRequest.newBuilder(feed).build(), HttpResponse.BodyHandlers.ofString());
        return Future.fromCompletionStage(asked, Vertx.currentContext())
                .map(answer -> Json.trusted(answer.body())
                        .valueStream()
                        .map(OutsideFeed::named)
                        .toList());
    }

    private static LastItemPolling.IdentifiedItem named(JsonNode number) {
        var event = Json.object();
        event.putObject("body").set("sequence", number);
        return new LastItemPolling.IdentifiedItem(number.asText(), event);
    }

    private final class NewEntry implements PieceTrigger {
        private final LastItemPolling polling = new LastItemPolling((_, _) -> read(), OptionalInt.empty());

        @Override
        public TriggerSpec spec() {
            return new TriggerSpec(
                    TRIGGER,
                    "New entry",
                    "",
                    Map.of(),
                    false,
                    TriggerSpec.Strategy.POLLING,
                    Json.object(),
                    TriggerSpec.TestStrategy.TEST_FUNCTION);
        }

        @Override
        public Future<Void> onEnable(TriggerContext context) {
            return polling.onEnable(context);
        }

        @Override
        public Future<List<JsonNode>> run(TriggerContext context) {
            return polling.run(context);
        }
    }
}
