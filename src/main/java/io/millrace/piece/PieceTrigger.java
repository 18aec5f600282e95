package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A trigger of a piece. The trigger module calls its hooks (contract flows-and-engine 18.2, pieces 7); a hook that the
 * trigger does not define has no effect.
 */
public interface PieceTrigger {
    TriggerSpec spec();

    /**
     * Returns whether the trigger uses the oldest calling convention, which passes a connection's bare secret (7.6).
     */
    default boolean takesBareSecrets() {
        return false;
    }

    /**
     * Turns an incoming payload, or the time of a poll, into items, each of which starts one run.
     *
     * @return the items; an empty list starts nothing
     */
    Future<List<JsonNode>> run(TriggerContext context);

    /**
     * Prepares a run that starts with an item of this trigger; it begins when the future completes, and fails at its
     * trigger when the future fails (6.3). Not repeated when the run resumes.
     */
    default Future<Void> onStart(RunStart start) {
        return Future.succeededFuture();
    }

    /**
     * Returns whether {@link #onStart(RunStart, TriggerContext)} must be called. Its arguments are expensive to
     * prepare.
     */
    default boolean preparesRuns() {
        return false;
    }

    /** Variant with the trigger's context; called when {@link #preparesRuns} returns true. */
    default Future<Void> onStart(RunStart start, TriggerContext context) {
        return onStart(start);
    }

    /** Items that an editor shows as samples (18.7). */
    default Future<List<JsonNode>> test(TriggerContext context) {
        return run(context);
    }

    /**
     * Activates the trigger: sets a schedule, registers listeners, or registers the webhook's address with an external
     * system.
     */
    default Future<Void> onEnable(TriggerContext context) {
        return Future.succeededFuture();
    }

    default Future<Void> onDisable(TriggerContext context) {
        return Future.succeededFuture();
    }

    /** Renewal schedule of a WEBHOOK trigger's registration, a cron expression in UTC; empty for none. */
    default Optional<String> renewCron() {
        return Optional.empty();
    }

    /** Renews a registration, at the times of {@link #renewCron}. */
    default Future<Void> onRenew(TriggerContext context) {
        return Future.succeededFuture();
    }

    /** Marker of requests that are a provider's check of the webhook's address instead of events. */
    default Handshake handshake() {
        return Handshake.NONE;
    }

    default Future<HttpAnswer> onHandshake(TriggerContext context) {
        return Future.succeededFuture(new HttpAnswer(200, Map.of(), null));
    }

    /**
     * Returns whether every scheduled instant counts as an event, so that a missed instant is a missed run and not a
     * delayed poll.
     */
    default boolean firesForEachInstant() {
        return false;
    }
}
