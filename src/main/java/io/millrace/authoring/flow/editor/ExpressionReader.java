package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import java.util.Optional;
import java.util.Set;

/** Parses the expressions of a text without evaluating them. */
@FunctionalInterface
public interface ExpressionReader {
    Reading read(String text);

    /** Parses with the grammar of runs; other syntax is evaluated in the sandbox, and is not reported as a problem. */
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
