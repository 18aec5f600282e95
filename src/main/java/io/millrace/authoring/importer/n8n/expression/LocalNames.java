package io.millrace.authoring.importer.n8n.expression;

import io.millrace.authoring.importer.n8n.expression.ScriptToken.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Local names of a script: parameters of arrow functions and declared names. They hide the names that a target translates. */
final class LocalNames {
    private static final Set<String> DECLARING = Set.of("const", "let", "var", "function", "catch");

    private final List<ScriptToken> tokens;
    private final Set<String> locals;

    private LocalNames(List<ScriptToken> tokens, Set<String> outer) {
        this.tokens = tokens;
        this.locals = new HashSet<>(outer);
    }

    /**
     * Names that are local to the tokens.
     *
     * @param outer names that are local around them
     */
    static Set<String> of(List<ScriptToken> tokens, Set<String> outer) {
        var names = new LocalNames(tokens, outer);
        names.find();
        return names.locals;
    }

    private void find() {
        for (var index = 0; index < tokens.size(); index++) {
            var token = tokens.get(index);
            if (token.is("=>") && index > 0) {
                var before = index - 1;
                if (tokens.get(before).kind() == Kind.NAME) {
                    locals.add(tokens.get(before).text());
                } else if (tokens.get(before).is(")")) {
                    addGroup(before);
                }
            } else if (token.kind() == Kind.NAME && DECLARING.contains(token.text())) {
                for (var next = index + 1; next < tokens.size() && !isEndOfDeclaration(tokens.get(next)); next++) {
                    addLocal(tokens.get(next));
                }
            }
        }
    }

    private static boolean isEndOfDeclaration(ScriptToken token) {
        return token.is("=")
                || token.is(";")
                || token.is(")")
                || token.kind() == Kind.NAME && token.text().equals("of");
    }

    private void addGroup(int close) {
        var depth = 0;
        for (var index = close; index >= 0; index--) {
            depth += tokens.get(index).is(")") ? 1 : 0;
            depth -= tokens.get(index).is("(") ? 1 : 0;
            addLocal(tokens.get(index));
            if (depth == 0) {
                return;
            }
        }
    }

    private void addLocal(ScriptToken token) {
        if (token.kind() == Kind.NAME && !token.text().startsWith("$")) {
            locals.add(token.text());
        }
    }
}
