package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.engine.run.Runs;
import io.millrace.piece.HttpAnswer;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Messages of the HTTP routes to the webhook intake, handled by {@link WebhookVerticle}. */
public sealed interface Webhooks {
    /** The five ways to call a flow (contract flows-and-engine 17.1), and two as a tool of an agent (agents 5). */
    enum Variant {
        ASYNC(Reach.ENABLED, false),
        SYNC(Reach.ENABLED, true),
        DRAFT(Reach.DRAFT, false),
        DRAFT_SYNC(Reach.DRAFT, true),
        TEST(Reach.DRAFT, false),
        TOOL(Reach.PUBLISHED_OR_DRAFT, false),
        TOOL_SYNC(Reach.PUBLISHED_OR_DRAFT, true);

        /** Version that a call runs, and the flows that it may call. */
        private enum Reach {
            /** The published version of an enabled flow. */
            ENABLED,
            /** The latest version, regardless of the flow's status. */
            DRAFT,
            /** The published version, else the latest one, regardless of the flow's status. */
            PUBLISHED_OR_DRAFT
        }

        private final Reach reach;
        private final boolean waiting;

        Variant(Reach reach, boolean waiting) {
            this.reach = reach;
            this.waiting = waiting;
        }

        /** Returns true if a call runs the latest version instead of the published one. */
        boolean isDraft(boolean published) {
            return switch (reach) {
                case ENABLED -> false;
                case DRAFT -> true;
                case PUBLISHED_OR_DRAFT -> !published;
            };
        }

        /** Returns true for a variant with an HTTP address. */
        boolean hasAddress() {
            return reach != Reach.PUBLISHED_OR_DRAFT;
        }

        /** Returns true if a call runs a version only while the flow is enabled. */
        boolean needsEnabled() {
            return reach == Reach.ENABLED;
        }

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

    sealed interface Outcome {
        /** Durably accepted, or no action required: 200 with an empty object. */
        record Accepted() implements Outcome {}

        record Answered(HttpAnswer answer) implements Outcome {}

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
