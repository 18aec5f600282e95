package io.millrace.piece;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Condition that resumes a paused run (contract flows-and-engine 12.1, pieces 4.2).
 *
 * @param resumeUrl public address that completes it when it is called
 */
public record Waitpoint(String id, String resumeUrl) {
    public enum Type {
        DELAY,
        /** A call of the resume URL. */
        WEBHOOK
    }

    /** Addressing scheme of waitpoints in resume URLs. */
    public enum Version {
        /** By run: any V0 URL of the run completes it. */
        V0,
        /** By waitpoint id. */
        V1
    }

    /**
     * Waitpoint requested by a step.
     *
     * @param resumeAt time that completes a DELAY, or timeout of a WEBHOOK; null for none
     * @param approval the decisions that complete it in place of a call; empty for a wait without an approval
     */
    public record Request(Type type, Version version, Instant resumeAt, Optional<ApprovalRequest> approval) {
        private Request(Type type, Version version, Instant resumeAt) {
            this(type, version, resumeAt, Optional.empty());
        }

        public Request {
            if (type == Type.DELAY && resumeAt == null) {
                throw new IllegalArgumentException("expected a moment for a DELAY");
            }
        }

        public static Request until(Instant moment) {
            return new Request(Type.DELAY, Version.V1, moment);
        }

        public static Request call() {
            return new Request(Type.WEBHOOK, Version.V1, null);
        }

        /** Waits for a call until a deadline; the step fails when the deadline passes without a call. */
        public static Request callBefore(Instant moment) {
            return new Request(Type.WEBHOOK, Version.V1, moment);
        }

        /**
         * Waits for the decisions of an approval.
         *
         * @param deadline time at which the step continues without enough decisions; null for none
         */
        public static Request decision(ApprovalRequest approval, Instant deadline) {
            return new Request(Type.WEBHOOK, Version.V1, deadline, Optional.of(approval));
        }

        public Request with(ApprovalRequest other) {
            return new Request(type, version, resumeAt, Optional.of(other));
        }

        /** A waitpoint for URLs created before it ({@link StepContext#resumeUrl}). */
        public static Request callOfRun() {
            return new Request(Type.WEBHOOK, Version.V0, null);
        }
    }

    /**
     * The address with a query.
     *
     * @param sync true if the caller waits for the run's answer
     */
    public String resumeUrl(Map<String, String> query, boolean sync) {
        return url(resumeUrl, query, sync);
    }

    public static String url(String base, Map<String, String> query, boolean sync) {
        var url = sync ? base + "/sync" : base;
        return query.isEmpty()
                ? url
                : url
                        + query.entrySet().stream()
                                .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
                                .collect(Collectors.joining("&", "?", ""));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
