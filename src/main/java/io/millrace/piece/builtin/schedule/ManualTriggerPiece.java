package io.millrace.piece.builtin.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.vertx.core.Future;
import java.util.List;

/** Manual trigger: a person begins the flow (contract pieces 14.1). */
public final class ManualTriggerPiece {
    private ManualTriggerPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "manual-trigger",
                        "Manual Trigger",
                        "Starts a flow by hand.",
                        "new-core/manual-trigger.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.0", "0.0.4")),
                List.of(),
                List.of(new ByHand()));
    }

    /** One empty item. */
    private static final class ByHand implements PieceTrigger {
        private static final TriggerSpec SPEC = new TriggerSpec(
                "manual_trigger",
                "Manual Trigger",
                "Starts the flow when you run it.",
                Props.of(Props.named(
                        "markdown", Props.markdown("Start this flow with the button Run Flow in the editor.", "INFO"))),
                false,
                TriggerSpec.Strategy.MANUAL,
                Json.object(),
                TriggerSpec.TestStrategy.TEST_FUNCTION);

        @Override
        public TriggerSpec spec() {
            return SPEC;
        }

        @Override
        public Future<List<JsonNode>> run(TriggerContext context) {
            return Future.succeededFuture(List.of(Json.object()));
        }
    }
}
