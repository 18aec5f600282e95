package io.millrace.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Finds and rewrites what the tokens of a text refer to: for duplicating, migrating and indexing flows. */
public final class References {
    private static final String QUOTED = "(?:'[^']*+'|\"[^\"]*+\")";
    /** Possessive: a group that could give back would take a frame of the stack for each name of a long list. */
    private static final String MORE = "(?:\\s*+,\\s*+" + QUOTED + ")";

    private static final Pattern CONNECTION_LIST =
            Pattern.compile("connections\\s*\\[\\s*(" + QUOTED + MORE + "++)\\s*\\].*", Pattern.DOTALL);
    private static final Pattern CONNECTIONS =
            Pattern.compile("connections\\s*\\[\\s*(" + QUOTED + MORE + "*+)\\s*\\].*", Pattern.DOTALL);
    private static final Pattern NAME_IN_QUOTES = Pattern.compile(QUOTED);
    private static final Pattern WORD = Pattern.compile("\\w+");

    private References() {}

    /**
     * Names of the connections that a text uses in bracket form, also as a list (contract flows-and-engine 2.13), in
     * order, repeated when they are.
     */
    public static List<String> connectionNames(String text) {
        var names = new ArrayList<String>();
        for (var token : Tokeniser.tokens(text)) {
            var connections = CONNECTIONS.matcher(token.inner());
            if (connections.matches()) {
                NAME_IN_QUOTES
                        .matcher(connections.group(1))
                        .results()
                        .map(quoted ->
                                quoted.group().substring(1, quoted.group().length() - 1))
                        .forEach(names::add);
            }
        }
        return names;
    }

    static boolean isConnectionList(String token) {
        return CONNECTION_LIST.matcher(token).matches();
    }

    /** Renames whole words inside the tokens of a text (contract flows-and-engine 4.10), all at the same time. */
    public static String rename(String text, Map<String, String> newNames) {
        return Tokeniser.rewrite(
                text,
                inner -> WORD.matcher(inner).replaceAll(word -> newNames.getOrDefault(word.group(), word.group())));
    }

    /**
     * Appends {@code ['output']} to every reference to a step inside the tokens of a text (contract flows-and-engine
     * 2.14). Members, keys and parameters keep their names; a token that cannot be read stays as it is.
     */
    public static String appendOutput(String text, Predicate<String> isStep) {
        return Tokeniser.rewrite(text, inner -> {
            var result = new StringBuilder(inner);
            for (var reference : free(inner).reversed()) {
                if (isStep.test(reference.name())) {
                    var output = reference.name() + "['output']";
                    result.replace(
                            reference.start(),
                            reference.end(),
                            reference.shorthand() ? reference.name() + ": " + output : output);
                }
            }
            return result.toString();
        });
    }

    private static List<Reference> free(String source) {
        try {
            return Parser.parse(source, MemberPath.Root.STEP).references();
        } catch (SyntaxProblem problem) {
            return problem.isBeyondGrammar() ? byWords(source) : List.of();
        }
    }

    /** Of a token that the parser does not read: the names that are neither a member nor a key. */
    private static List<Reference> byWords(String source) {
        var found = new ArrayList<Reference>();
        try {
            var words = new Lexer(source).read();
            for (var i = 0; i < words.size() - 1; i++) {
                var word = words.get(i);
                var isMember =
                        i > 0 && (words.get(i - 1).is(".") || words.get(i - 1).is("?."));
                var isKey = words.get(i + 1).is(":")
                        && i > 0
                        && (words.get(i - 1).is("{") || words.get(i - 1).is(","));
                if (word.kind() == Lexeme.Kind.NAME && !isMember && !isKey) {
                    found.add(new Reference(word.text(), word.start(), word.end(), false));
                }
            }
            return found;
        } catch (SyntaxProblem unreadable) {
            return List.of();
        }
    }
}
