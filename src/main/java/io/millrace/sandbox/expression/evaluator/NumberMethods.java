package io.millrace.sandbox.expression.evaluator;

import io.millrace.sandbox.expression.value.NumberText;
import java.util.Map;

final class NumberMethods {
    static final Map<String, Methods.Method> TABLE = Map.of(
            "toFixed",
            (evaluator, self, arguments) ->
                    evaluator.made(NumberText.fixed(self.doubleValue(), digits(evaluator, arguments, 0))),
            "toPrecision",
            (evaluator, self, arguments) -> evaluator.made(
                    arguments.isGiven(0)
                            ? NumberText.precise(self.doubleValue(), digits(evaluator, arguments, 0))
                            : evaluator.text(self)),
            "toExponential",
            (evaluator, self, arguments) ->
                    evaluator.made(NumberText.exponential(self.doubleValue(), digits(evaluator, arguments, 6))),
            "toString",
            (evaluator, self, arguments) -> evaluator.made(
                    arguments.isGiven(0)
                            ? NumberText.inRadix(self.doubleValue(), digits(evaluator, arguments, 10))
                            : evaluator.text(self)),
            "valueOf",
            (_, self, _) -> self);

    private NumberMethods() {}

    private static int digits(Evaluator evaluator, Arguments arguments, int whenAbsent) {
        return (int) arguments.integer(evaluator, 0, whenAbsent);
    }
}
