package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.engine.trigger.event.TriggerEvents.TriggerEvent;
import io.millrace.piece.Handshake;
import io.millrace.piece.HttpAnswer;
import java.util.List;
import java.util.Optional;

public sealed interface Triggers {
    /** Method by which an editor gets a sample (contract flows-and-engine 18.7). */
    enum TestStrategy {
        SIMULATION,
        TEST_FUNCTION
    }

    /** A simulation is ended when there is one already. */
    record Test(String projectId, String flowId, String flowVersionId, TestStrategy strategy)
            implements Triggers, BusRequest<Page<TriggerEvent>> {}

    /** Ends a simulation; has no effect when there is none. */
    record EndTest(String projectId, String flowId) implements Triggers, BusRequest<Nothing> {}

    /** Saves as samples the items that the trigger of a version makes of a payload. */
    record Sample(String projectId, String flowId, String flowVersionId, JsonNode payload)
            implements Triggers, BusRequest<Nothing> {}

    /**
     * Handshakes and simulation of a flow.
     *
     * @param handshakes of the versions that have one
     * @param simulating true if an editor waits for samples
     */
    record Listening(List<Shaking> handshakes, boolean simulating) {}

    record Shaking(String flowVersionId, Handshake handshake) {}

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

    sealed interface AppEventOutcome {
        /** No piece of that name takes events. */
        record Unknown() implements AppEventOutcome {}

        record Replied(HttpAnswer answer) implements AppEventOutcome {}

        /** The request is malformed, or lacks the event or its recipient. */
        record Malformed() implements AppEventOutcome {}

        /** No action is required, or the signature is wrong. */
        record Dropped() implements AppEventOutcome {}

        /** Resumes a paused run with the button that a user pressed. */
        record Pressed(String resumeUrl, JsonNode payload) implements AppEventOutcome {}

        /**
         * Event for these flows; the list is empty without a listening flow.
         *
         * @param deliveryKey key that identifies a repeated delivery; empty when the app gives no id
         */
        record For(List<Hearing> flows, Optional<String> deliveryKey) implements AppEventOutcome {}
    }

    /**
     * A flow that receives an event.
     *
     * @param sampling true if only an editor waits for it, so that no run starts
     */
    record Hearing(String flowId, boolean sampling) {}

    /** Counts successes and failures of the triggers of a platform's projects, by piece and day (18.9). */
    record Report(String platformId) implements Triggers, BusRequest<ObjectNode> {}

    /** The due time of the source of a flow has changed. */
    record Rearmed(String flowId) implements Triggers, ClusterNotice {}
}
