package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.Meter;
import java.util.ArrayList;
import java.util.Optional;
import java.util.regex.Matcher;

/**
 * A regular expression with JavaScript's semantics, for callers without an expression. Its work is bounded: the pattern is
 * untrusted input of a flow's author, and some patterns never end.
 */
public final class ScriptPattern {
    /** Character accesses that every expression may make, in addition to accesses per character of text. */
    private static final long LOOKS_FREE = 1_000_000;

    private static final long LOOKS_PER_CHARACTER = 20;

    private final JsPattern pattern;

    private ScriptPattern(JsPattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Reads an expression.
     *
     * @return empty when it is not valid or not supported
     */
    public static Optional<ScriptPattern> compile(String expression, boolean ignoreCase) {
        try {
            return Optional.of(new ScriptPattern(JsPattern.compile(expression, ignoreCase ? "i" : "")));
        } catch (JsError invalid) {
            return Optional.empty();
        }
    }

    /**
     * The first match and its groups, as {@code text.match(expression)} answers; a group without a match is null.
     *
     * @throws ExpressionFailure when the search takes more work than it may
     */
    public Optional<ArrayNode> find(String text) {
        var matcher = matcher(text);
        if (!JsPattern.find(matcher)) {
            return Optional.empty();
        }
        var found = Json.array();
        for (var group = 0; group <= matcher.groupCount(); group++) {
            found.add(matcher.group(group));
        }
        return Optional.of(found);
    }

    /**
     * All matches, without their groups.
     *
     * @param most limit of matches
     * @throws ExpressionFailure when the search takes more work than it may, or finds more
     */
    public ArrayNode findAll(String text, int most) {
        var matcher = matcher(text);
        var found = Json.array();
        while (JsPattern.find(matcher)) {
            if (found.size() == most) {
                throw Meter.tooLong();
            }
            found.add(matcher.group());
        }
        return found;
    }

    /**
     * Replaces one match or all; the replacement may name groups as {@code $1}, {@code $<name>} or {@code $&}.
     *
     * @throws ExpressionFailure when the search takes more work than it may
     */
    public String replace(String text, String replacement, boolean onlyFirst) {
        var meter = new Meter(LOOKS_FREE + LOOKS_PER_CHARACTER * (text.length() + replacement.length()));
        var matcher = pattern.on(text, meter);
        var written = ReplaceValue.of(replacement, meter);
        var result = new StringBuilder();
        var from = 0;
        while (JsPattern.find(matcher)) {
            result.append(text, from, matcher.start()).append(written.apply(matchOf(text, matcher)));
            if (result.length() > Meter.TEXT_LENGTH_MAX) {
                throw Meter.tooLong();
            }
            from = matcher.end();
            if (onlyFirst) {
                break;
            }
        }
        return result.append(text, from, text.length()).toString();
    }

    private ReplaceValue.Match matchOf(String text, Matcher matcher) {
        var groups = new ArrayList<String>();
        for (var group = 0; group <= matcher.groupCount(); group++) {
            groups.add(matcher.group(group));
        }
        if (pattern.groupNames().isEmpty()) {
            return new ReplaceValue.Match(text, matcher.start(), groups, null);
        }
        var named = Json.object();
        pattern.groupNames().forEach((name, translated) -> named.put(name, matcher.group(translated)));
        return new ReplaceValue.Match(text, matcher.start(), groups, named);
    }

    private Matcher matcher(String text) {
        return pattern.on(text, new Meter(LOOKS_FREE + LOOKS_PER_CHARACTER * text.length()));
    }
}
