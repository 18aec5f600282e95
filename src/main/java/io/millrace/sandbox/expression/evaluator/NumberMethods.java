package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.NumberText;
import java.util.Map;

/** The methods of numbers. */
final class NumberMethods {
    static final Map<String, Methods.Method> TABLE = Map.of(
            "toFixed",
            (_, self, arguments) -> TextNode.valueOf(NumberText.fixed(self.doubleValue(), digits(arguments, 0))),
            "toPrecision",
            (evaluator, self, arguments) -> TextNode.valueOf(
                    arguments.isGiven(0)
                            ? NumberText.precise(self.doubleValue(), digits(arguments, 0))
                            : evaluator.text(self)),
            "toExponential",
            (_, self, arguments) -> TextNode.valueOf(NumberText.exponential(self.doubleValue(), digits(arguments, 6))),
            "toString",
            (evaluator, self, arguments) -> TextNode.valueOf(
                    arguments.isGiven(0)
                            ? NumberText.inRadix(self.doubleValue(), digits(arguments, 10))
                            : evaluator.text(self)),
            "valueOf",
            (_, self, _) -> self);

    private NumberMethods() {}

    private static int digits(Arguments arguments, int whenAbsent) {
        return (int) arguments.integer(0, whenAbsent);
    }
}
