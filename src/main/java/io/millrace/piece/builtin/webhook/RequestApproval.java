package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.Waitpoint;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;

/** Requests a decision of one or more approvers and waits for it (decision 0470). */
final class RequestApproval implements Action {
    static final String NAME = "request_approval";

    private static final String DECISION = "decision";
    private static final String APPROVED = "APPROVED";
    private static final String NO_DECISION = "NO_DECISION";

    private static final ActionSpec SPEC = new ActionSpec(
            NAME,
            "Request Approval",
            "Asks people to approve or decline, and waits for their decision.",
            ApprovalProps.ALL,
            false,
            true,
            false);

    private final InstantSource clock;

    RequestApproval(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            if (context.resumePayload().isPresent()) {
                return Future.succeededFuture(
                        output(context.props(), context.resumePayload().get()));
            }
            var props = new ApprovalProps(context.props());
            var now = clock.instant();
            var wait = Waitpoint.Request.decision(
                    props.request(now), props.deadline(now).orElse(null));
            return context.createWaitpoint(wait).map(waitpoint -> {
                context.waitFor(waitpoint, Optional.empty());
                return Json.object();
            });
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    /** Checks the input and returns the output of an approval; a test asks no person. */
    @Override
    public Future<JsonNode> test(StepContext context) {
        try {
            new ApprovalProps(context.props()).request(clock.instant());
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
        var sample = Json.object().put("approved", true).put(DECISION, APPROVED);
        sample.put("decidedBy", "approver@example.com").put("comment", "A comment of the approver");
        sample.putObject("answers");
        sample.putArray("decisions");
        return Future.succeededFuture(sample);
    }

    private static JsonNode output(ObjectNode props, ObjectNode payload) {
        var result = payload.path("approval");
        var decision = result.path(DECISION).asText(NO_DECISION);
        var decisions = result.path("decisions");
        if (decision.equals(NO_DECISION)) {
            return undecided(props, decisions);
        }
        var last = decisions.path(decisions.size() - 1);
        var output = Json.object().put("approved", decision.equals(APPROVED)).put(DECISION, decision);
        output.put("decidedBy", last.path("by").asText());
        output.put("comment", last.path("comment").asText());
        output.set("answers", last.path("answers"));
        output.set("decisions", decisions);
        return output;
    }

    private static JsonNode undecided(ObjectNode props, JsonNode decisions) {
        var choice = ApprovalProps.onDeadline(props);
        if (choice.equals(ApprovalProps.FAIL)) {
            throw PieceFailure.named(
                    "ApprovalDeadlineError",
                    "The deadline passed with " + decisions.size()
                            + (decisions.size() == 1 ? " decision" : " decisions")
                            + ", which is not enough; see the property On Deadline");
        }
        var output = Json.object()
                .put("approved", choice.equals(ApprovalProps.APPROVE))
                .put(DECISION, NO_DECISION);
        output.put("decidedBy", "").put("comment", "");
        output.putObject("answers");
        output.set("decisions", decisions.isArray() ? decisions : Json.array());
        return output;
    }
}
