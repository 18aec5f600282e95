package io.millrace.workspace.scim;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Locale;

/** Recursive descent parser of {@link ScimFilter}; {@code and} binds closer than {@code or}. */
final class ScimFilterParser {
    private static final int LENGTH_MAX = 2_000;
    private static final int NESTING_MAX = 20;

    /** Bounds the work of filters that the database cannot evaluate: they are applied to each resource in memory. */
    private static final int COMPARISONS_MAX = 50;

    private final String text;
    private int at;
    private int nesting;
    private int comparisons;

    ScimFilterParser(String text) {
        if (text.length() > LENGTH_MAX) {
            throw malformed();
        }
        this.text = text;
    }

    ScimFilter whole() {
        var filter = any();
        skipBlanks();
        if (at < text.length()) {
            throw malformed();
        }
        return filter;
    }

    private ScimFilter any() {
        var parts = new ArrayList<ScimFilter>();
        parts.add(all());
        while (takeWord("or")) {
            parts.add(all());
        }
        return parts.size() == 1 ? parts.getFirst() : new ScimFilter.Any(parts);
    }

    private ScimFilter all() {
        var parts = new ArrayList<ScimFilter>();
        parts.add(one());
        while (takeWord("and")) {
            parts.add(one());
        }
        return parts.size() == 1 ? parts.getFirst() : new ScimFilter.All(parts);
    }

    private ScimFilter one() {
        if (takeWord("not")) {
            return new ScimFilter.Not(grouped());
        }
        skipBlanks();
        return at < text.length() && text.charAt(at) == '(' ? grouped() : comparison();
    }

    private ScimFilter grouped() {
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != '(' || ++nesting > NESTING_MAX) {
            throw malformed();
        }
        at++;
        var filter = any();
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != ')') {
            throw malformed();
        }
        at++;
        nesting--;
        return filter;
    }

    private ScimFilter comparison() {
        if (++comparisons > COMPARISONS_MAX) {
            throw malformed();
        }
        var path = withoutSchema(word());
        skipBlanks();
        if (at < text.length() && text.charAt(at) == '[') {
            return among(path);
        }
        var operator = operator();
        return new ScimFilter.Compares(path, operator, operand(operator));
    }

    private ScimFilter among(String path) {
        if (++nesting > NESTING_MAX) {
            throw malformed();
        }
        at++;
        var like = any();
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != ']') {
            throw malformed();
        }
        at++;
        nesting--;
        var hasSub = at < text.length() && text.charAt(at) == '.';
        var sub = hasSub ? word().substring(1) : "";
        if (hasSub && sub.isEmpty()) {
            throw malformed();
        }
        if (sub.isEmpty() && isEndOfPart()) {
            return new ScimFilter.Among(path, like, "", ScimFilter.Operator.PR, MissingNode.getInstance());
        }
        var operator = operator();
        return new ScimFilter.Among(path, like, sub, operator, operand(operator));
    }

    /** True at the end of a value filter without a comparison (RFC 7644, 3.4.2.2, valuePath). */
    private boolean isEndOfPart() {
        skipBlanks();
        var rest = text.substring(at).toLowerCase(Locale.ROOT);
        return rest.isEmpty() || rest.startsWith(")") || rest.startsWith("and ") || rest.startsWith("or ");
    }

    private JsonNode operand(ScimFilter.Operator operator) {
        return operator == ScimFilter.Operator.PR ? MissingNode.getInstance() : value();
    }

    private static String withoutSchema(String path) {
        return path.regionMatches(true, 0, "urn:", 0, 4) ? path.substring(path.lastIndexOf(':') + 1) : path;
    }

    private ScimFilter.Operator operator() {
        var word = word().toUpperCase(Locale.ROOT);
        for (var operator : ScimFilter.Operator.values()) {
            if (operator.name().equals(word)) {
                return operator;
            }
        }
        throw malformed();
    }

    private JsonNode value() {
        skipBlanks();
        var start = at;
        if (at < text.length() && text.charAt(at) == '"') {
            at++;
            while (at < text.length() && text.charAt(at) != '"') {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
            at = Math.min(at + 1, text.length());
        } else {
            while (at < text.length() && " )]".indexOf(text.charAt(at)) < 0) {
                at++;
            }
        }
        if (start == at) {
            throw malformed();
        }
        try {
            return Json.parse(text.substring(start, at));
        } catch (JsonProcessingException noValue) {
            throw malformed();
        }
    }

    private String word() {
        skipBlanks();
        var start = at;
        while (at < text.length() && " ()[]\"".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (start == at) {
            throw malformed();
        }
        return text.substring(start, at);
    }

    private boolean takeWord(String word) {
        skipBlanks();
        var end = at + word.length();
        var isThere = text.regionMatches(true, at, word, 0, word.length())
                && end < text.length()
                && " (".indexOf(text.charAt(end)) >= 0;
        at = isThere ? end : at;
        return isThere;
    }

    private void skipBlanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private static ApiException malformed() {
        return ScimFailures.invalidFilter("expected a filter like userName eq \"ada@example.com\"");
    }
}
