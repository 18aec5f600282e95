package io.millrace.sandbox.expression.formula;

import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;

/**
 * Error of a formula, with the kinds and messages of contract flows-and-engine 32.1. The messages name functions and positions,
 * never a value, because a value may be a secret.
 */
final class FormulaFailure {
    /** Error name of the failed step (contract 11.4). */
    static final String NAME = "FormulaEvaluationError";

    private FormulaFailure() {}

    /** An argument between separators is empty; arguments are counted from 1. */
    static ExpressionFailure missingValue(String function, int position) {
        return of(function + "() is missing value " + position + " — fill in all values");
    }

    static ExpressionFailure divisionByZero() {
        return of("Cannot divide by zero");
    }

    static ExpressionFailure invalid() {
        return of("Invalid formula — check for empty values or mismatched parentheses");
    }

    static ExpressionFailure unknown(String name) {
        return of("\"" + name + "\" is not a known function or variable — check for typos");
    }

    static ExpressionFailure wrongNumberOfValues() {
        return of("Wrong number of values — check the function reference for the expected inputs");
    }

    static ExpressionFailure other() {
        return of("Could not evaluate this formula — check all values are filled in correctly");
    }

    /** The sentence of a failure, which is recorded as JSON. */
    static String sentence(ExpressionFailure failure) {
        return Json.trusted(failure.getMessage()).path("message").asText();
    }

    private static ExpressionFailure of(String text) {
        return new ExpressionFailure(NAME, Json.pretty(Json.object().put("message", text)));
    }
}
