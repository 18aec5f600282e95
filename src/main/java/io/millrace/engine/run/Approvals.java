package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests about approvals that runs wait for (decision 0470). */
public sealed interface Approvals {
    enum Verdict {
        APPROVED,
        DECLINED
    }

    sealed interface Approver {
        record Member(String userId) implements Approver {}

        /** The holder of a personal link. */
        record Guest(String waitpointId, String email) implements Approver {}
    }

    /** Content of a decision: verdict, comment (may be empty) and values of the form. */
    record Vote(Verdict verdict, String comment, ObjectNode answers) {}

    /**
     * Records the decision of an approver, and resumes the run when enough have decided. Fails with VALIDATION when the run waits
     * for no approval of this approver, with INVALID_INPUT for a form that is not complete.
     */
    record Decide(String runId, Approver by, Vote vote) implements Approvals, BusRequest<Outcome> {}

    enum Outcome {
        WAITING,
        DECIDED
    }

    /**
     * The approvals of waitpoints of a project; those without one are absent.
     *
     * @param userId the reader; empty for a caller without a user
     */
    record Find(String projectId, Optional<String> userId, List<String> waitpointIds)
            implements Approvals, BusRequest<List<ApprovalEntry>> {
        public Find {
            waitpointIds = List.copyOf(waitpointIds);
        }
    }

    record ApprovalEntry(Task task, boolean canDecide) {}

    /** Reads the approval of a personal link; empty when it has been decided. */
    record LookAt(String runId, Approver.Guest guest) implements Approvals, BusRequest<Optional<Task>> {}

    /** Queues mails that are due: requests, reminders and escalations; answers their number of approvals. */
    record SendMails(int limit) implements Approvals, BusRequest<Integer> {}

    /**
     * An approval that a run waits for.
     *
     * @param shown message, data and form: {@code {message, data, fields}}
     * @param role name of the project role that may decide; empty for none
     * @param decisions the recorded ones, the oldest first
     */
    record Task(
            String waitpointId,
            ObjectNode shown,
            List<String> approvers,
            Optional<String> role,
            int approvalsNeeded,
            int declinesNeeded,
            List<ApprovalDecision> decisions) {
        public Task {
            approvers = List.copyOf(approvers);
            decisions = List.copyOf(decisions);
        }

        public boolean isOpenToMembers() {
            return approvers.isEmpty() && role.isEmpty();
        }

        public boolean hasDecided(String email) {
            return decisions.stream().anyMatch(decision -> decision.approver().equals(email));
        }

        public long count(Verdict verdict) {
            return decisions.stream().filter(each -> each.verdict() == verdict).count();
        }

        /** Result of the recorded decisions; empty while more are needed. */
        public Optional<Verdict> result() {
            if (count(Verdict.APPROVED) >= approvalsNeeded) {
                return Optional.of(Verdict.APPROVED);
            }
            var hasAll =
                    !approvers.isEmpty() && role.isEmpty() && approvers.stream().allMatch(this::hasDecided);
            return count(Verdict.DECLINED) >= declinesNeeded || hasAll
                    ? Optional.of(Verdict.DECLINED)
                    : Optional.empty();
        }
    }

    /**
     * A recorded decision.
     *
     * @param approver e-mail address in lower case
     * @param userId the member who decided in the console; empty for a personal link
     */
    record ApprovalDecision(
            String approver, String userId, Verdict verdict, String comment, JsonNode answers, Instant decided) {
        /** Returns whether this is the earlier decision of the same approver, sent again. */
        public boolean repeats(ApprovalDecision earlier) {
            return approver.equals(earlier.approver)
                    && verdict == earlier.verdict
                    && comment.equals(earlier.comment)
                    && answers.toString().equals(earlier.answers.toString());
        }

        public ObjectNode toJson() {
            var json = Json.object().put("by", approver).put("decision", verdict.name());
            json.put("comment", comment).put("at", Json.timestamp(decided));
            if (!userId.isEmpty()) {
                json.put("userId", userId);
            }
            json.set("answers", answers);
            return json;
        }
    }
}
