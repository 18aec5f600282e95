package io.millrace.sandbox.expression.parser;

import io.millrace.sandbox.expression.syntax.Lexeme;
import io.millrace.sandbox.expression.syntax.Lexer;
import io.millrace.sandbox.expression.syntax.Reference;
import io.millrace.sandbox.expression.syntax.SyntaxProblem;
import io.millrace.sandbox.expression.value.MemberPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds and rewrites references in the tokens of a text: for duplicating, migrating and indexing flows. */
public final class References {
    private static final String QUOTED = "(?:'[^']*+'|\"[^\"]*+\")";
    /** Possessive: a group with backtracking would take a stack frame for each name of a long list. */
    private static final String MORE = "(?:\\s*+,\\s*+" + QUOTED + ")";

    private static final Pattern CONNECTION_LIST =
            Pattern.compile("connections\\s*\\[\\s*(" + QUOTED + MORE + "++)\\s*\\].*", Pattern.DOTALL);
    private static final Pattern CONNECTIONS =
            Pattern.compile("connections\\s*\\[\\s*(" + QUOTED + MORE + "*+)\\s*\\].*", Pattern.DOTALL);
    private static final Pattern CONNECTION = Pattern.compile("connections\\s*+(?:\\?\\.|[.\\[])");
    private static final Pattern NAME_IN_QUOTES = Pattern.compile(QUOTED);
    private static final Set<String> DECLARING = Set.of("let", "const", "var", "function", "class");
    private static final int PARAMETER_WORDS_MAX = 200;
    private static final Pattern WORD = Pattern.compile("\\w+");

    private References() {}

    /**
     * Names of the connections that a text uses in bracket form, also as a list (contract flows-and-engine 2.13), in order, with
     * repetitions.
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

    /** Renames a connection inside the tokens of a text, in bracket form, also in a list (contract admin-api 7.6). */
    public static String renameConnection(String text, String name, String newName) {
        return Tokeniser.rewrite(text, inner -> {
            var connections = CONNECTIONS.matcher(inner.strip());
            if (!connections.matches()) {
                return inner;
            }
            var names = NAME_IN_QUOTES.matcher(connections.group(1)).replaceAll(quoted -> {
                var isIt =
                        quoted.group().substring(1, quoted.group().length() - 1).equals(name);
                return Matcher.quoteReplacement(isIt ? quoted(newName) : quoted.group());
            });
            var token = inner.strip();
            return token.substring(0, connections.start(1)) + names + token.substring(connections.end(1));
        });
    }

    private static String quoted(String name) {
        return name.indexOf('\'') < 0 ? "'" + name + "'" : '"' + name + '"';
    }

    /** The same text without the tokens that begin with a connection, in dotted or in bracket form. */
    public static String withoutConnections(String text) {
        var result = new StringBuilder(text.length());
        var kept = 0;
        for (var token : Tokeniser.tokens(text)) {
            if (CONNECTION.matcher(token.inner()).lookingAt()) {
                result.append(text, kept, token.start());
                kept = token.end();
            }
        }
        return result.append(text, kept, text.length()).toString();
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
     * 2.14). Members, keys and parameters keep their names; a token that cannot be read stays unchanged.
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

    /**
     * Returns true if a token of a text cannot be read but contains the name of a step: {@link #appendOutput} has left
     * it unchanged.
     */
    public static boolean hidesReference(String text, Predicate<String> isStep) {
        return Tokeniser.tokens(text).stream()
                .map(Tokeniser.Token::inner)
                .filter(References::isUnreadable)
                .anyMatch(inner -> WORD.matcher(inner).results().anyMatch(word -> isStep.test(word.group())));
    }

    private static boolean isUnreadable(String source) {
        try {
            Parser.parse(source, MemberPath.Root.STEP);
            return false;
        } catch (SyntaxProblem problem) {
            return !problem.isBeyondGrammar() || words(source).isEmpty();
        }
    }

    private static Optional<List<Lexeme>> words(String source) {
        try {
            return Optional.of(new Lexer(source).read());
        } catch (SyntaxProblem unreadable) {
            return Optional.empty();
        }
    }

    private static List<Reference> free(String source) {
        try {
            return Parser.parse(source, MemberPath.Root.STEP).references();
        } catch (SyntaxProblem problem) {
            return problem.isBeyondGrammar() ? byWords(source) : List.of();
        }
    }

    /** References in a token that the parser does not read: names that are neither a member nor a key. */
    private static List<Reference> byWords(String source) {
        var found = new ArrayList<Reference>();
        var words = words(source).orElse(List.of());
        var declared = declared(words);
        for (var i = 0; i < words.size() - 1; i++) {
            var word = words.get(i);
            var isMember =
                    i > 0 && (words.get(i - 1).is(".") || words.get(i - 1).is("?."));
            var isKey = words.get(i + 1).is(":")
                    && i > 0
                    && (words.get(i - 1).is("{") || words.get(i - 1).is(","));
            if (word.kind() == Lexeme.Kind.NAME && !isMember && !isKey && !declared.contains(word.text())) {
                found.add(new Reference(word.text(), word.start(), word.end(), false));
            }
        }
        return found;
    }

    private static Set<String> declared(List<Lexeme> words) {
        var names = new HashSet<String>();
        for (var i = 0; i < words.size() - 1; i++) {
            var word = words.get(i);
            var next = words.get(i + 1);
            if (DECLARING.contains(word.text()) && next.kind() == Lexeme.Kind.NAME) {
                names.add(next.text());
            }
            if (word.text().equals("function") || word.text().equals("catch")) {
                parametersFrom(words, i, names);
            } else if (next.is("=>") && word.kind() == Lexeme.Kind.NAME) {
                names.add(word.text());
            } else if (next.is("=>") && word.is(")")) {
                parametersBefore(words, i, names);
            }
        }
        return names;
    }

    private static void parametersFrom(List<Lexeme> words, int start, Set<String> names) {
        var last = Math.min(words.size() - 1, start + PARAMETER_WORDS_MAX);
        for (var i = start + 1; i <= last && !words.get(i).is(")"); i++) {
            if (words.get(i).kind() == Lexeme.Kind.NAME) {
                names.add(words.get(i).text());
            }
        }
    }

    private static void parametersBefore(List<Lexeme> words, int end, Set<String> names) {
        var first = Math.max(0, end - PARAMETER_WORDS_MAX);
        for (var i = end - 1; i >= first && !words.get(i).is("("); i--) {
            if (words.get(i).kind() == Lexeme.Kind.NAME) {
                names.add(words.get(i).text());
            }
        }
    }
}
