package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.AppEvents;
import io.millrace.piece.Handshake;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.LastItemPolling;
import io.millrace.piece.PieceCrash;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.RunStart;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.millrace.support.piece.BarePiece;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Piece with a trigger of every kind, over a feed that a test fills: {@code new_entry} polls it, {@code on_event}
 * receives events of the app, {@code on_call} has a webhook that is verified by a handshake and renewed every hour.
 */
final class FeedPiece implements BarePiece {
    static final String NAME = "@activepieces/piece-feed";
    static final String VERSION = "1.0.0";

    private static final String REGISTRATION = "registration";

    /** Ids of the entries, newest first. */
    final List<String> entries = new CopyOnWriteArrayList<>();

    /** Hooks in the order they were called, with the flow's webhook. */
    final List<String> hooks = new CopyOnWriteArrayList<>();

    /** Runs after the provider has registered or unregistered a webhook, before its response arrives. */
    volatile Runnable atProvider = () -> {};

    /** True to make reads of the feed fail, and calls of its webhook. */
    volatile boolean broken;

    /** True to make preparations of runs of the webhook fail. */
    volatile boolean unprepared;

    /** Number of preparations of runs of the webhook. */
    final AtomicInteger starts = new AtomicInteger();

    /** Ends the next call of the webhook. */
    final AtomicReference<PieceCrash> crashOfRun = new AtomicReference<>();

    /** Ends the next preparation of a run of the webhook. */
    final AtomicReference<PieceCrash> crashOfStart = new AtomicReference<>();

    @Override
    public PieceSpec spec() {
        return new PieceSpec(
                NAME, "Feed", "A feed.", "https://mill.example/feed.svg", List.of(), List.of(), List.of(VERSION), null);
    }

    @Override
    public Map<String, PieceTrigger> triggers() {
        return Map.of("new_entry", new NewEntry(), "on_event", new OnEvent(), "on_call", new OnCall());
    }

    @Override
    public Optional<AppEvents> appEvents() {
        return Optional.of(new Events());
    }

    private static TriggerSpec spec(String name, TriggerSpec.Strategy strategy) {
        return new TriggerSpec(
                name,
                name,
                "",
                Map.of(
                        "team", Property.of(PropertyType.SHORT_TEXT, "Team", false),
                        "refused", Property.of(PropertyType.CHECKBOX, "Refused", false)),
                false,
                strategy,
                Json.object(),
                strategy == TriggerSpec.Strategy.POLLING
                        ? TriggerSpec.TestStrategy.TEST_FUNCTION
                        : TriggerSpec.TestStrategy.SIMULATION);
    }

    private final class NewEntry implements PieceTrigger {
        private final LastItemPolling polling = new LastItemPolling((_, _) -> read(), OptionalInt.empty());

        private Future<List<LastItemPolling.IdentifiedItem>> read() {
            return broken
                    ? Future.failedFuture(PieceFailure.of("the feed is down"))
                    : Future.succeededFuture(entries.stream()
                            .map(id -> new LastItemPolling.IdentifiedItem(id, entry(id)))
                            .toList());
        }

        /** Entries {@code key#n} with the same key are duplicates. */
        private static ObjectNode entry(String id) {
            var entry = Json.object().put("id", id);
            return id.contains("#") ? entry.put("_dedupe_key", id.substring(0, id.indexOf('#'))) : entry;
        }

        @Override
        public TriggerSpec spec() {
            return FeedPiece.spec("new_entry", TriggerSpec.Strategy.POLLING);
        }

        @Override
        public Future<Void> onEnable(TriggerContext context) {
            hooks.add("enable" + (context.isRepublish() ? " again" : ""));
            return polling.onEnable(context);
        }

        @Override
        public Future<Void> onDisable(TriggerContext context) {
            hooks.add("disable");
            return polling.onDisable(context);
        }

        @Override
        public Future<List<JsonNode>> run(TriggerContext context) {
            return polling.run(context);
        }

        @Override
        public Future<List<JsonNode>> test(TriggerContext context) {
            return polling.test(context);
        }
    }

    private static final class OnEvent implements PieceTrigger {
        @Override
        public TriggerSpec spec() {
            return FeedPiece.spec("on_event", TriggerSpec.Strategy.APP_WEBHOOK);
        }

        @Override
        public Future<Void> onEnable(TriggerContext context) {
            context.createListeners(
                    List.of("posted", "edited"), context.props().path("team").asText());
            return Future.succeededFuture();
        }

        @Override
        public Future<List<JsonNode>> run(TriggerContext context) {
            return Future.succeededFuture(List.of(context.payload().path("body")));
        }
    }

    private final class OnCall implements PieceTrigger {
        @Override
        public TriggerSpec spec() {
            return FeedPiece.spec("on_call", TriggerSpec.Strategy.WEBHOOK);
        }

        @Override
        public Future<Void> onEnable(TriggerContext context) {
            if (context.props().path("refused").asBoolean()) {
                return Future.failedFuture(PieceFailure.of("the provider says no"));
            }
            hooks.add("register " + context.webhookUrl());
            atProvider.run();
            return context.storePut(StoreScope.FLOW, REGISTRATION, TextNode.valueOf("registration-1"));
        }

        @Override
        public Future<Void> onDisable(TriggerContext context) {
            return context.storeGet(StoreScope.FLOW, REGISTRATION).compose(known -> {
                hooks.add(known.isPresent() ? "unregister" : "unregister nothing");
                atProvider.run();
                return context.storeDelete(StoreScope.FLOW, REGISTRATION);
            });
        }

        @Override
        public Optional<String> renewCron() {
            return Optional.of("0 * * * *");
        }

        @Override
        public Future<Void> onRenew(TriggerContext context) {
            hooks.add("renew");
            return Future.succeededFuture();
        }

        @Override
        public Handshake handshake() {
            return new Handshake(Handshake.Strategy.QUERY_PRESENT, "challenge");
        }

        @Override
        public Future<HttpAnswer> onHandshake(TriggerContext context) {
            return Future.succeededFuture(new HttpAnswer(
                    202, Map.of("x-feed", "yes"), context.payload().at("/queryParams/challenge")));
        }

        @Override
        public Future<List<JsonNode>> run(TriggerContext context) {
            var crash = crashOfRun.getAndSet(null);
            if (crash != null) {
                return Future.failedFuture(crash);
            }
            return broken
                    ? Future.failedFuture(PieceFailure.of("the feed is down"))
                    : Future.succeededFuture(List.of(context.payload().path("body")));
        }

        @Override
        public Future<Void> onStart(RunStart start) {
            starts.incrementAndGet();
            var crash = crashOfStart.getAndSet(null);
            if (crash != null) {
                return Future.failedFuture(crash);
            }
            return unprepared
                    ? Future.failedFuture(PieceFailure.of("the feed is not ready"))
                    : Future.succeededFuture();
        }
    }

    private static final class Events implements AppEvents {
        @Override
        public Future<ParseResult> parseAndReply(ObjectNode payload, String publicUrl) {
            var body = payload.path("body");
            if (body.has("unreadable")) {
                return Future.failedFuture(PieceFailure.of("cannot be read"));
            }
            return Future.succeededFuture(
                    body.has("challenge")
                            ? new ParseResult.Reply(new HttpAnswer(200, Map.of(), body.path("challenge")))
                            : ParseResult.event(
                                    body.path("event").textValue(),
                                    body.path("team").textValue(),
                                    body.path("delivery").textValue()));
        }

        @Override
        public Future<Boolean> verify(JsonNode secret, ObjectNode payload, String appWebhookUrl) {
            return Future.succeededFuture(
                    secret.asText().equals(payload.at("/headers/x-secret").asText()));
        }
    }
}
