package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Everything that an expression may reach. Synchronous: whoever resolves a template first loads what
 * {@link InputTemplate#needs()} says, connections and variables as {@code Secrets}. Nodes that it gives are never
 * changed by an expression, and a result may share them.
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

    /** What {@code new Date()} and {@code Date.now()} read. */
    InstantSource clock();

    /** What {@code Math.random()} draws from. */
    RandomGenerator random();

    /**
     * The value of a token that is beyond the grammar, evaluated beforehand elsewhere; null gives empty text.
     *
     * @param source inside of the token, one of {@link Needs#beyondGrammar()}
     */
    default JsonNode beyondGrammar(String source) {
        return null;
    }
}
