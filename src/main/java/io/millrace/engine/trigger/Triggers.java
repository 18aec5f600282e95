package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Page;
import io.millrace.engine.trigger.event.TriggerEvents.TriggerEvent;
import io.millrace.piece.Handshake;
import io.millrace.piece.HttpAnswer;
import java.util.List;
import java.util.Optional;

/** What one may ask of triggers, and what triggers announce. Answered by the endpoints of this module. */
public sealed interface Triggers {
    /** How an editor gets a sample (contract flows-and-engine 18.7). */
    enum TestStrategy {
        SIMULATION,
        TEST_FUNCTION
    }

    /** Tests the trigger of a version; answers the samples. A simulation is ended when there is one already. */
    record Test(String projectId, String flowId, String flowVersionId, TestStrategy strategy)
            implements Triggers, BusRequest<Page<TriggerEvent>> {}

    /** Ends a simulation; nothing happens when there is none. */
    record EndTest(String projectId, String flowId) implements Triggers, BusRequest<Nothing> {}

    /** Keeps what the trigger of a version makes of a payload as samples. */
    record Sample(String projectId, String flowId, String flowVersionId, JsonNode payload)
            implements Triggers, BusRequest<Nothing> {}

    /**
     * What a flow listens for besides events.
     *
     * @param handshakes of the versions that have one
     * @param simulating whether an editor waits for samples
     */
    record Listening(List<Shaking> handshakes, boolean simulating) {}

    /** How a version's trigger tells a handshake. */
    record Shaking(String flowVersionId, Handshake handshake) {}

    /** What a flow listens for besides events. */
    record Look(String flowId, List<String> flowVersionIds) implements Triggers, BusRequest<Listening> {}

    /** Lets the trigger of a version answer a handshake; empty when it fails. */
    record Shake(String projectId, String flowId, String flowVersionId, JsonNode payload)
            implements Triggers, BusRequest<Optional<HttpAnswer>> {}

    /**
     * A request to the one address of an app (contract flows-and-engine 25).
     *
     * @param app short name of its piece
     */
    record AppEvent(String app, ObjectNode payload) implements Triggers, BusRequest<AppEventOutcome> {}

    /** What such a request means. */
    sealed interface AppEventOutcome {
        /** No piece of that name takes events. */
        record Unknown() implements AppEventOutcome {}

        /** The app's check of the address is answered. */
        record Replied(HttpAnswer answer) implements AppEventOutcome {}

        /** It cannot be read, says no event, or not whose. */
        record Malformed() implements AppEventOutcome {}

        /** There is nothing to do, or the signature is wrong. */
        record Dropped() implements AppEventOutcome {}

        /** A paused run is to go on with what a person pressed. */
        record Pressed(String resumeUrl, JsonNode payload) implements AppEventOutcome {}

        /**
         * For these flows; none when nobody listens.
         *
         * @param deliveryKey by which a repeated delivery is told from a new event; empty when the app gives no id
         */
        record For(List<Hearing> flows, Optional<String> deliveryKey) implements AppEventOutcome {}
    }

    /**
     * A flow that hears of an event.
     *
     * @param sampling whether only an editor waits for it, and no run is to start
     */
    record Hearing(String flowId, boolean sampling) {}

    /** How often triggers of a platform's projects succeeded and failed, by piece and day (18.9). */
    record Report(String platformId) implements Triggers, BusRequest<ObjectNode> {}

    /** The source of a flow is due at another time than before. */
    record Rearmed(String flowId) implements Triggers, ClusterNotice {}
}
