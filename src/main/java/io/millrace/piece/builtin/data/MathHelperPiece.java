package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.input.ScriptValues;
import io.millrace.piece.property.Property;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.random.RandomGenerator;

/** Math Helper: one operation on two numbers (contract pieces 14.3). Numbers are doubles, as flows expect them. */
public final class MathHelperPiece {
    private static final Map<String, Property> TWO_NUMBERS = Props.of(
            Props.named("first_number", Props.number("First Number", true)),
            Props.named("second_number", Props.number("Second Number", true)));

    private MathHelperPiece() {}

    public static Piece create(RandomGenerator random) {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "math-helper",
                        "Math Helper",
                        "Calculates with numbers.",
                        "new-core/math-helper.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.0.24", "0.0.16", "0.0.11")),
                List.of(
                        action("addition_math", "Addition", "Adds two numbers.", Double::sum),
                        action(
                                "subtraction_math",
                                "Subtraction",
                                "Subtracts the first number from the second.",
                                (first, second) -> second - first),
                        action(
                                "multiplication_math",
                                "Multiplication",
                                "Multiplies two numbers.",
                                (first, second) -> first * second),
                        action(
                                "division_math",
                                "Division",
                                "Divides the first number by the second.",
                                MathHelperPiece::divide),
                        action(
                                "modulo_math",
                                "Modulo",
                                "Remainder of dividing the first number by the second.",
                                (first, second) -> first % second),
                        random(random)),
                List.of());
    }

    private static ComputedAction action(
            String name, String displayName, String description, DoubleBinaryOperator operator) {
        return new ComputedAction(
                ComputedAction.pure(name, displayName, description, TWO_NUMBERS), props -> calculate(props, operator));
    }

    /** Not pure: calculated again it would be another number. */
    private static ComputedAction random(RandomGenerator random) {
        var spec = ComputedAction.varying(
                "generateRandom_math",
                "Generate Random Number",
                "Generates a random whole number between two numbers, both included.",
                TWO_NUMBERS);
        return new ComputedAction(
                spec,
                props -> calculate(
                        props, (first, second) -> Math.floor(random.nextDouble() * (second - first + 1) + first)));
    }

    private static JsonNode calculate(ObjectNode props, DoubleBinaryOperator operator) {
        return ScriptValues.node(operator.applyAsDouble(
                props.path("first_number").doubleValue(),
                props.path("second_number").doubleValue()));
    }

    private static double divide(double first, double second) {
        if (second == 0) {
            throw PieceFailure.of("Expected a second number other than 0 to divide by, found 0");
        }
        return first / second;
    }
}
