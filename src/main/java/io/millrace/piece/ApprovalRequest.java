package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Approval that a waiting step requests (decision 0470).
 *
 * @param shown message, data and form fields: {@code {message, data, fields}}
 * @param approvers e-mail addresses in lower case; empty for none
 * @param role name of a project role whose members may decide; empty for none
 * @param quorum number of decisions that ends the wait
 * @param remindEvery interval of reminder mails; empty for no reminders
 * @param escalation further approvers from a point in time; empty for none
 */
public record ApprovalRequest(
        ObjectNode shown,
        List<String> approvers,
        Optional<String> role,
        Quorum quorum,
        Optional<Duration> remindEvery,
        Optional<Escalation> escalation) {
    public ApprovalRequest {
        approvers = List.copyOf(approvers);
    }

    /** Numbers of equal decisions that end the wait. */
    public record Quorum(int approvals, int declines) {}

    public record Escalation(Instant at, List<String> approvers) {
        public Escalation {
            approvers = List.copyOf(approvers);
        }
    }

    public int approversCount() {
        return approvers.size()
                + escalation.map(further -> further.approvers().size()).orElse(0);
    }

    public ApprovalRequest showing(ObjectNode content) {
        return new ApprovalRequest(content, approvers, role, quorum, remindEvery, escalation);
    }
}
