package io.millrace.piece.builtin.subflow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.Piece;
import io.millrace.piece.Subflows;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComposedPiece;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.OptionsQuestion;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Sub Flows: calls other flows, and is called by them (contract flows-and-engine 14, pieces 14.1). */
public final class SubflowsPiece implements ComposedPiece {
    public static final String NAME = "@activepieces/piece-subflows";

    /** Name of the trigger that a flow must begin with to be called. */
    public static final String CALLABLE = "callableFlow";

    static final Props.NamedProperty MODE = Props.named(
            "mode",
            Props.choice("Mode", true, "Simple", "simple", "Advanced", "advanced")
                    .describedAs("Simple takes names and values, advanced takes any JSON.")
                    .defaultingTo(TextNode.valueOf("simple")));

    private final Subflows subflows;
    private final Piece parts;

    public SubflowsPiece(Subflows subflows) {
        this.subflows = subflows;
        this.parts = BuiltinPiece.of(
                BuiltinPiece.spec(
                        "subflows",
                        "Sub Flows",
                        "Calls other flows, and receives their calls.",
                        "new-core/subflows.svg",
                        List.of(PieceCategory.CORE, PieceCategory.FLOW_CONTROL),
                        List.of("0.6.3", "0.4.11")),
                List.of(new CallFlow(subflows), new ReturnToCaller(subflows)),
                List.of(new CallableFlow()));
    }

    @Override
    public Piece parts() {
        return parts;
    }

    @Override
    public Future<ObjectNode> options(OptionsQuestion question) {
        return question.step().equals(CallFlow.NAME) && question.property().equals(CallFlow.FLOW)
                ? subflows.callable(question.projectId()).map(question::dropDown)
                : ComposedPiece.super.options(question);
    }

    static Property valueFor(ObjectNode input, String displayName) {
        var advanced = input.path("mode").asText().equals("advanced");
        return Property.of(advanced ? PropertyType.JSON : PropertyType.OBJECT, displayName, true);
    }

    static Property dynamic(String displayName, String child, String childDisplayName) {
        return Property.of(PropertyType.DYNAMIC, displayName, true)
                .refreshedBy(List.of("mode"), input -> Map.of(child, valueFor(input, childDisplayName)));
    }

    static String callbackKey(String runId) {
        return "callableFlow_" + runId;
    }
}
