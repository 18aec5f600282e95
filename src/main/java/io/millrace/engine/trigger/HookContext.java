package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceLog;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.TriggerContext;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Context of one call of a hook, with its results. Stored values are written at once, or buffered until they are saved together
 * with the result of the call.
 */
final class HookContext implements TriggerContext {
    private static final int LISTENED_EVENTS_MAX = 1_000;

    private final HookPlace place;
    private final TriggerHook.OfPiece hook;
    private final ObjectNode props;
    private final JsonNode payload;
    private final String webhookUrl;
    private final HookServices services;
    /** Buffered values by key; an empty one is a removal. Null when writes are not buffered. */
    private final Map<String, Optional<JsonNode>> held;

    private final List<Listening> listeners = new ArrayList<>();
    private final PieceLog log;
    private CronSchedule schedule;

    record Listening(String event, String identifier) {
        private static final int LENGTH_MAX = 500;

        /** Returns true if the text is a valid event name or identifier: it must fit the database index. */
        static boolean fits(String text) {
            return text != null && text.length() <= LENGTH_MAX && text.indexOf('\0') < 0;
        }
    }

    HookContext(
            HookPlace place,
            TriggerHook.OfPiece hook,
            ObjectNode props,
            JsonNode payload,
            String webhookUrl,
            HookServices services,
            boolean holding,
            PieceLog log) {
        this.place = place;
        this.hook = hook;
        this.props = props;
        this.payload = payload;
        this.webhookUrl = webhookUrl;
        this.services = services;
        this.log = log;
        this.held = holding ? new LinkedHashMap<>() : null;
    }

    Optional<CronSchedule> schedule() {
        return Optional.ofNullable(schedule);
    }

    List<Listening> listeners() {
        return List.copyOf(listeners);
    }

    /** Buffered changes, in the order of writing. */
    List<StoreChange> changes() {
        return held == null
                ? List.of()
                : held.entrySet().stream()
                        .map(entry ->
                                new StoreChange(entry.getKey(), entry.getValue().orElse(null)))
                        .toList();
    }

    @Override
    public ObjectNode props() {
        return props;
    }

    @Override
    public JsonNode payload() {
        return payload;
    }

    @Override
    public String projectId() {
        return place.projectId();
    }

    @Override
    public String flowId() {
        return place.flowId();
    }

    @Override
    public String flowVersionId() {
        return place.flowVersionId();
    }

    @Override
    public String webhookUrl() {
        return webhookUrl;
    }

    @Override
    public boolean isRepublish() {
        return place.republish();
    }

    @Override
    public boolean testing() {
        return place.testing();
    }

    @Override
    public void setSchedule(CronSchedule wanted) {
        schedule = wanted;
    }

    @Override
    public void createListeners(List<String> events, String identifierValue) {
        if (listeners.size() + events.size() > LISTENED_EVENTS_MAX) {
            throw PieceFailure.of("expected at most " + LISTENED_EVENTS_MAX + " events to listen to");
        }
        if (!Listening.fits(identifierValue) || !events.stream().allMatch(Listening::fits)) {
            throw PieceFailure.of("expected names of events and an identifier of at most " + Listening.LENGTH_MAX
                    + " characters to listen to");
        }
        events.forEach(event -> listeners.add(new Listening(event, identifierValue)));
    }

    @Override
    public void wrote(String standardOutput, String standardError, List<String> warnings) {
        log.wrote(standardOutput, standardError);
        log.warn(warnings);
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(StoreScope scope, String key) {
        var composed = composed(scope, key);
        var known = held == null ? null : held.get(composed);
        return known == null ? services.storeGet(place.projectId(), composed) : Future.succeededFuture(known);
    }

    @Override
    public Future<Void> storePut(StoreScope scope, String key, JsonNode value) {
        var composed = composed(scope, key);
        if (held == null) {
            return services.storePut(place.projectId(), composed, value);
        }
        held.put(composed, Optional.of(value.deepCopy()));
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> storeDelete(StoreScope scope, String key) {
        var composed = composed(scope, key);
        if (held == null) {
            return services.storeDelete(place.projectId(), composed);
        }
        held.put(composed, Optional.empty());
        return Future.succeededFuture();
    }

    /** Key of a stored value: scope, and apart from production for tests (contract flows-and-engine 23). */
    private String composed(StoreScope scope, String key) {
        var scoped = switch (scope) {
            case COLLECTION -> key;
            case FLOW -> "flow_" + place.flowId() + "/" + key;
            case RUN -> throw PieceFailure.of("a trigger has no run whose values it could store");
        };
        return place.testing() ? "test" + scoped : scoped;
    }

    @Override
    public Future<String> writeFile(String fileName, Buffer data) {
        return services.writeFile(place.projectId(), place.flowId(), hook.stepName(), fileName, data);
    }
}
