package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import java.util.Optional;
import java.util.Set;

/** Reads the expressions of a text without evaluating them. */
@FunctionalInterface
public interface ExpressionReader {
    /** Parses the tokens of a text. */
    Reading read(String text);

    /** Reads by the grammar that runs use; what is beyond it is for the sandbox to judge, and no problem here. */
    static ExpressionReader ofGrammar() {
        return text -> {
            var template = InputTemplate.compile(TextNode.valueOf(text));
            var problem = template.syntaxIssues().stream()
                    .filter(issue -> issue.kind() == SyntaxIssue.Kind.SYNTAX)
                    .map(issue -> issue.message() + " in {{" + issue.token() + "}}")
                    .findFirst();
            return new Reading(template.references(), problem);
        };
    }

    /**
     * Result of parsing.
     *
     * @param references free names of all tokens: neither globals of the language nor parameters
     * @param problem syntax error of a token; empty when all tokens are valid
     */
    record Reading(Set<String> references, Optional<String> problem) {
        public Reading {
            references = Set.copyOf(references);
        }
    }
}
