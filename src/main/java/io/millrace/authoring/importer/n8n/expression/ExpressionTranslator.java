package io.millrace.authoring.importer.n8n.expression;

import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Translates the values of parameters, which are constants or, after an equals sign, texts with expressions. */
public final class ExpressionTranslator {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$vars(?:\\.([A-Za-z0-9_]+)|\\[['\"]([A-Za-z0-9_]+)['\"]\\])");
    private static final int LENGTH_MAX = 100_000;

    private final DataScope scope;

    public ExpressionTranslator(DataScope scope) {
        this.scope = scope;
    }

    private record Segment(boolean isExpression, String text) {}

    public static boolean isExpression(String value) {
        return value.startsWith("=");
    }

    private static List<Segment> segments(String value) {
        var segments = new ArrayList<Segment>();
        var at = 0;
        while (at < value.length()) {
            var open = value.indexOf("{{", at);
            var close = open < 0 ? -1 : value.indexOf("}}", open + 2);
            if (close < 0) {
                break;
            }
            if (open > at) {
                segments.add(new Segment(false, value.substring(at, open)));
            }
            segments.add(new Segment(true, value.substring(open + 2, close)));
            at = close + 2;
        }
        if (at < value.length()) {
            segments.add(new Segment(false, value.substring(at)));
        }
        return segments;
    }

    public TranslatedExpression forInput(String value) {
        return translate(value, false);
    }

    public TranslatedExpression forCode(String value) {
        return translate(value, true);
    }

    /** Translation as one expression, which a condition compares. */
    public TranslatedExpression forOperand(String value) {
        var translated = forInput(value);
        return translated.script() == null ? forCode(value) : translated;
    }

    private TranslatedExpression translate(String value, boolean isCode) {
        if (!isExpression(value)) {
            return constant(value);
        }
        var segments = segments(value.substring(1));
        if (segments.stream().noneMatch(Segment::isExpression)) {
            return constant(value.substring(1));
        }
        if (value.length() > LENGTH_MAX) {
            return gap(value, segments, "the expression is longer than " + LENGTH_MAX + " characters");
        }
        try {
            return isCode ? code(segments) : tokens(segments);
        } catch (CodeDemand needed) {
            try {
                return code(segments);
            } catch (ScriptProblem problem) {
                return gap(value, segments, problem.reason());
            }
        } catch (ScriptProblem problem) {
            return gap(value, segments, problem.reason());
        }
    }

    private static TranslatedExpression constant(String text) {
        return new TranslatedExpression(
                ScriptTexts.literal(text), ScriptTexts.quoted(text), false, Set.of(), Set.of(), List.of(), List.of());
    }

    /** The original stays as a text of the step. */
    private static TranslatedExpression gap(String value, List<Segment> segments, String reason) {
        var counts = segments.stream()
                .filter(Segment::isExpression)
                .map(_ -> Fidelity.BY_HAND)
                .toList();
        var shown = value.length() > 200 ? value.substring(0, 200) + "…" : value;
        return new TranslatedExpression(
                ScriptTexts.literal(value),
                ScriptTexts.quoted(value),
                false,
                Set.of(),
                Set.of(),
                counts,
                List.of("expression \"" + shown + "\": " + reason));
    }

    private TranslatedExpression tokens(List<Segment> segments) {
        var template = new StringBuilder();
        var scripts = new ArrayList<String>();
        var counts = new ArrayList<Fidelity>();
        var notes = new LinkedHashSet<String>();
        for (var segment : segments) {
            if (!segment.isExpression()) {
                template.append(ScriptTexts.literal(segment.text()));
                scripts.add(ScriptTexts.quoted(segment.text()));
                continue;
            }
            var variable = VARIABLE.matcher(segment.text().strip());
            if (variable.matches()) {
                var name = variable.group(1) == null ? variable.group(2) : variable.group(1);
                template.append("{{variables['").append(name).append("']}}");
                scripts.add(null);
                counts.add(Fidelity.EXACT);
                continue;
            }
            var target = new TokenTarget(scope);
            var script = ChainRewriter.rewrite(segment.text(), target);
            check(script);
            template.append(ScriptTexts.token(script));
            scripts.add(script);
            counts.add(target.notes().isEmpty() ? Fidelity.EXACT : Fidelity.NEAR);
            notes.addAll(target.notes());
        }
        var script = scripts.contains(null) ? null : joined(scripts);
        return new TranslatedExpression(
                template.toString(), script, false, Set.of(), Set.of(), counts, List.copyOf(notes));
    }

    private static String joined(List<String> scripts) {
        return scripts.size() == 1 ? "(" + scripts.getFirst() + ")" : "[" + String.join(", ", scripts) + "].join('')";
    }

    private static void check(String script) {
        if (script.isEmpty()) {
            throw new ScriptProblem("it is empty");
        }
        var issue = Expression.of(script).issue();
        if (issue.isPresent()
                && (issue.get().kind() != SyntaxIssue.Kind.BEYOND_GRAMMAR
                        || issue.get().message().contains("a statement"))) {
            throw new ScriptProblem(
                    "it is not a JavaScript expression: " + issue.get().message());
        }
    }

    private TranslatedExpression code(List<Segment> segments) {
        var target = new CodeTarget(scope);
        var scripts = new ArrayList<String>();
        var counts = new ArrayList<Fidelity>();
        for (var segment : segments) {
            if (segment.isExpression()) {
                var before = target.notes().size();
                var script = ChainRewriter.rewrite(segment.text(), target);
                check(script);
                scripts.add("(" + script + "\n)");
                counts.add(target.notes().size() == before ? Fidelity.EXACT : Fidelity.NEAR);
            } else {
                scripts.add(ScriptTexts.quoted(segment.text()));
            }
        }
        var script = scripts.size() == 1 ? scripts.getFirst() : "$text([" + String.join(", ", scripts) + "])";
        return new TranslatedExpression(
                "", script, true, target.nodes(), target.variables(), counts, List.copyOf(target.notes()));
    }
}
