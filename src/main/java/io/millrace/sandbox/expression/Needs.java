package io.millrace.sandbox.expression;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Values that must be available before a template is resolved, because resolving does not block.
 *
 * @param connectionNames connections, by external id
 * @param variableNames variables
 * @param beyondGrammar tokens that may be JavaScript but are beyond the grammar; the scope may give their values
 */
public record Needs(Set<String> connectionNames, Set<String> variableNames, Set<String> beyondGrammar) {
    public static final Needs NONE = new Needs(Set.of(), Set.of(), Set.of());

    public boolean isEmpty() {
        return connectionNames.isEmpty() && variableNames.isEmpty() && beyondGrammar.isEmpty();
    }

    public boolean hasSecrets() {
        return !connectionNames.isEmpty() || !variableNames.isEmpty();
    }

    public Needs and(Needs other) {
        return new Needs(
                union(connectionNames, other.connectionNames),
                union(variableNames, other.variableNames),
                union(beyondGrammar, other.beyondGrammar));
    }

    private static Set<String> union(Set<String> first, Set<String> second) {
        var both = new LinkedHashSet<>(first);
        both.addAll(second);
        return both;
    }
}
