package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.engine.run.Runs;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Messages of the HTTP routes to the webhook intake, handled by {@link WebhookVerticle}. */
public sealed interface Webhooks {
    /** The five ways to call a flow (contract flows-and-engine 17.1). */
    enum Variant {
        ASYNC(false, false),
        SYNC(false, true),
        DRAFT(true, false),
        DRAFT_SYNC(true, true),
        TEST(true, false);

        private final boolean draft;
        private final boolean waiting;

        Variant(boolean draft, boolean waiting) {
            this.draft = draft;
            this.waiting = waiting;
        }

        /** Returns true for the latest version, regardless of the flow's status. */
        boolean isDraft() {
            return draft;
        }

        /** Returns true if the caller waits for the run's answer. */
        boolean isWaiting() {
            return waiting;
        }
    }

    /** A file among the fields of a form, or the whole body when {@code field} is null. */
    record Upload(String field, String fileName, String contentType, Buffer data) {}

    /**
     * A call with its payload; uploads are not part of it yet.
     *
     * @param payload {@code {method, headers, queryParams, body, rawBody?}}
     */
    record Received(
            String flowId,
            Variant variant,
            ObjectNode payload,
            List<Upload> uploads,
            Runs.Start.ParentRun parent,
            CallMarks marks,
            long deadlineMs)
            implements Webhooks, BusRequest<Outcome> {

        /**
         * Marks of the call.
         *
         * @param idempotencyKey key by which the caller marks a repeated call, or null
         * @param callId id of the call in the response, or null
         * @param runId id of the run that the call starts, or null for a new one
         */
        public record CallMarks(String idempotencyKey, String callId, String runId) {}
    }

    /** Checks that a call of this flow would be accepted; sent before an excessive payload is refused. */
    record Look(String flowId, Variant variant) implements Webhooks, BusRequest<Outcome> {}

    /** Response to the caller. */
    sealed interface Outcome {
        /** Durably accepted, or no action required: 200 with an empty object. */
        record Accepted() implements Outcome {}

        /** The run's own answer. */
        record Answered(HttpAnswer answer) implements Outcome {}

        /** A provider's check of the address, answered by the trigger. */
        record HandshakeAnswered(HttpAnswer answer) implements Outcome {}

        /** The run failed: 500 with the constant message. */
        record RunFailed() implements Outcome {}

        /** The run has ended and will never answer: 408 when the time is up. */
        record NeverAnswers() implements Outcome {}

        /**
         * Repeated call: answered with the outcome and the id of the first.
         *
         * @param callId null when the first had none
         */
        record Repeated(String callId, Outcome first) implements Outcome {}

        /** No such flow: 410. */
        record Gone() implements Outcome {}

        /** The flow is disabled: 404. */
        record Disabled() implements Outcome {}

        /** The trigger refused the caller's credentials: 401. */
        record Unauthorized() implements Outcome {}
    }
}
