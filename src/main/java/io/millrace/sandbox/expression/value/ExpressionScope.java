package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Values accessible to an expression. Synchronous: the caller first loads the values in {@link InputTemplate#needs()}, connections
 * and variables as {@code Secrets}. An expression never changes nodes of the scope, and a result may share them.
 */
public interface ExpressionScope {
    /** The step of that name as seen from here, enclosing iterations included; null when it has not run. */
    StepView step(String name);

    /**
     * The value of a connection.
     *
     * @throws ExpressionFailure when it is missing, expired or cannot be loaded; the step then fails
     */
    JsonNode connection(String name);

    /** The value of a variable; null when there is none. */
    JsonNode variable(String name);

    InstantSource clock();

    RandomGenerator random();

    /** Meter of one resolution; a scope may share its meter between resolutions. */
    default Meter meter() {
        return new Meter(Meter.FUEL);
    }

    /**
     * Value of a token that is beyond the grammar, evaluated in advance by another engine; null gives empty text.
     *
     * @param source inside of the token, one of {@link Needs#beyondGrammar()}
     */
    default JsonNode beyondGrammar(String source) {
        return null;
    }
}
