package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Approval: a request to approvers ({@link RequestApproval}), and the older links for users with the wait for a click (contract
 * flows-and-engine 19.3, pieces 14.1).
 */
public final class ApprovalPiece {
    private static final String ACTION = "action";
    private static final String APPROVE = "approve";
    private static final String DISAPPROVE = "disapprove";

    private ApprovalPiece() {}

    public static Piece create(InstantSource clock) {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "approval",
                        "Approval",
                        "Waits for the decision of people before the next step.",
                        "new-core/approvals.svg",
                        List.of(PieceCategory.CORE, PieceCategory.FLOW_CONTROL),
                        List.of("0.1.13")),
                List.of(new RequestApproval(clock), new WaitForApproval(), new CreateLinks()),
                List.of());
    }

    private static ActionSpec spec(String name, String displayName, String description, String note) {
        return new ActionSpec(
                name,
                displayName,
                description,
                Props.of(Props.named("markdown", Props.markdown(note, "INFO"))),
                false,
                false,
                false);
    }

    /** Creates the links before the wait begins, so that they belong to the run and not to a waitpoint. */
    private record CreateLinks() implements Action {
        private static final ActionSpec SPEC = ApprovalPiece.spec(
                "create_approval_links",
                "Create Approval Links (Legacy)",
                "Creates the approval and disapproval links.",
                "Send the links to the approver, and add **Wait for Approval** after this step.");

        @Override
        public ActionSpec spec() {
            return SPEC;
        }

        @Override
        public Future<JsonNode> run(StepContext context) {
            try {
                return Future.succeededFuture(Json.object()
                        .put("approvalLink", context.resumeUrl(Map.of(ACTION, APPROVE), false))
                        .put("disapprovalLink", context.resumeUrl(Map.of(ACTION, DISAPPROVE), false)));
            } catch (PieceFailure refused) {
                return Future.failedFuture(refused);
            }
        }
    }

    private record WaitForApproval() implements Action {
        private static final ActionSpec SPEC = ApprovalPiece.spec(
                "wait_for_approval",
                "Wait for Approval Link (Legacy)",
                "Waits until one of the links is opened.",
                "Waits until one of the links of **Create Approval Links** is opened.");

        @Override
        public ActionSpec spec() {
            return SPEC;
        }

        @Override
        public Future<JsonNode> run(StepContext context) {
            return context.resumePayload()
                    .map(call -> Future.succeededFuture(decision(call)))
                    .orElseGet(() -> context.createWaitpoint(Waitpoint.Request.callOfRun())
                            .map(waitpoint -> {
                                context.waitFor(waitpoint, Optional.empty());
                                return Json.object();
                            }));
        }

        private static JsonNode decision(JsonNode call) {
            var approved = call.path("queryParams").path(ACTION).asText().equals(APPROVE);
            var decision = Json.object().put("approved", approved);
            // Only a decision in the console has it: the server drops it from calls of links.
            call.path("decision").properties().forEach(field -> decision.set(field.getKey(), field.getValue()));
            return decision;
        }
    }
}
