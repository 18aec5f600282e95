package io.millrace.sandbox.expression.parser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.syntax.Reference;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import io.millrace.sandbox.expression.syntax.SyntaxProblem;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.MemberPath;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The inside of one token, parsed once. A plain path is walked; other expressions are evaluated; a token that the grammar refuses
 * gives nothing, unless the caller had it evaluated by another engine (contract flows-and-engine 7.5).
 */
public final class Expression {
    /** A name with a dash is a connection, although JavaScript would subtract. */
    private static final Pattern DASHED_CONNECTION =
            Pattern.compile("connections\\.([\\w$]+-[\\w$-]*)(.*)", Pattern.DOTALL);

    private final String source;
    private final MemberPath.Root root;
    private final Parser.Result parsed;
    private final MemberPath path;
    private final SyntaxIssue issue;

    private Expression(String source, MemberPath.Root root, Parser.Result parsed, SyntaxIssue issue) {
        this.source = source;
        this.root = root;
        this.parsed = parsed;
        this.path = parsed != null && parsed.syntax() instanceof Syntax.Path(var plain) ? plain : null;
        this.issue = issue;
    }

    public static Expression of(String source) {
        var root = MemberPath.Root.of(source);
        if (source.isEmpty()) {
            return new Expression(source, root, null, null);
        }
        try {
            var parsed = Parser.parse(withoutDash(source), root);
            var namesNothing =
                    root != MemberPath.Root.STEP && parsed.secretNames().isEmpty();
            return new Expression(source, root, namesNothing ? null : parsed, null);
        } catch (SyntaxProblem problem) {
            var isNoIssue = References.isConnectionList(source);
            return new Expression(source, root, null, isNoIssue ? null : problem.in(source));
        }
    }

    private static String withoutDash(String source) {
        var dashed = DASHED_CONNECTION.matcher(source);
        return dashed.matches() ? "connections['" + dashed.group(1) + "']" + dashed.group(2) : source;
    }

    /** Value of the expression; missing if there is none or JavaScript would throw. */
    public JsonNode evaluate(Evaluator evaluator) {
        if (path != null) {
            return path.walk(evaluator.scope());
        }
        if (parsed == null) {
            var elsewhere = isBeyondGrammar() ? evaluator.scope().beyondGrammar(source) : null;
            return elsewhere == null ? MissingNode.getInstance() : elsewhere;
        }
        try {
            return evaluator.run(parsed.syntax());
        } catch (JsError thrown) {
            return MissingNode.getInstance();
        }
    }

    public String source() {
        return source;
    }

    /** True if its value is kept out of logs. */
    public boolean isSecret() {
        return root != MemberPath.Root.STEP;
    }

    public boolean isBeyondGrammar() {
        return root == MemberPath.Root.STEP && issue != null && issue.kind() == SyntaxIssue.Kind.BEYOND_GRAMMAR;
    }

    public Optional<SyntaxIssue> issue() {
        return Optional.ofNullable(issue);
    }

    /** External id of the connection, if the expression is a connection without members. */
    public Optional<String> wholeConnection() {
        return path != null && path.root() == MemberPath.Root.CONNECTION && path.isBare()
                ? Optional.of(path.name())
                : Optional.empty();
    }

    public List<String> steps() {
        return parsed == null
                ? List.of()
                : parsed.references().stream()
                        .map(Reference::name)
                        .filter(name -> !name.equals(root.word()))
                        .toList();
    }

    /** Steps of which, if they are loops, more is read than the current item and its index. */
    public List<String> stepsReadBeyondItem() {
        return path != null && path.readsItem() ? List.of() : steps();
    }

    public List<String> secretNames(MemberPath.Root of) {
        return parsed == null || root != of ? List.of() : parsed.secretNames();
    }
}
