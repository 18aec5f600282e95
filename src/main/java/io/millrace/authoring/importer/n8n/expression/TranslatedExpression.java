package io.millrace.authoring.importer.n8n.expression;

import java.util.List;
import java.util.Set;

/**
 * Translation of one value of a parameter.
 *
 * @param template input of a step with tokens; empty if it needs code
 * @param script the value as one expression of this server, or as JavaScript of a code step if it needs code
 * @param nodes nodes that a code step reads
 * @param variables project variables that a code step reads
 * @param counts fidelity of each expression in the value
 * @param notes differences and gaps
 */
public record TranslatedExpression(
        String template,
        String script,
        boolean needsCode,
        Set<String> nodes,
        Set<String> variables,
        List<Fidelity> counts,
        List<String> notes) {
    public TranslatedExpression {
        nodes = Set.copyOf(nodes);
        variables = Set.copyOf(variables);
        counts = List.copyOf(counts);
        notes = List.copyOf(notes);
    }

    public Fidelity fidelity() {
        return counts.stream().reduce(Fidelity.EXACT, Fidelity::and);
    }
}
