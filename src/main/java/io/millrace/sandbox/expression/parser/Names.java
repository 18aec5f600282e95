package io.millrace.sandbox.expression.parser;

import io.millrace.sandbox.expression.evaluator.Globals;
import io.millrace.sandbox.expression.syntax.Binding;
import io.millrace.sandbox.expression.syntax.Lexeme;
import io.millrace.sandbox.expression.syntax.Reference;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.syntax.SyntaxProblem;
import io.millrace.sandbox.expression.value.MemberPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public final class Names {
    private static final Set<String> BEYOND = Set.of(
            "function",
            "class",
            "async",
            "await",
            "yield",
            "let",
            "const",
            "var",
            "if",
            "for",
            "while",
            "do",
            "switch",
            "return",
            "throw",
            "try",
            "delete",
            "this",
            "super",
            "import",
            "export",
            "debugger",
            "with",
            "arguments",
            "break",
            "continue");

    private static final Set<String> FOREIGN_GLOBALS = Set.of(
            "Set",
            "Map",
            "WeakMap",
            "WeakSet",
            "Symbol",
            "BigInt",
            "Promise",
            "Intl",
            "URL",
            "URLSearchParams",
            "Error",
            "TypeError",
            "RangeError",
            "SyntaxError",
            "Reflect",
            "Proxy",
            "globalThis",
            "eval",
            "Function",
            "Buffer",
            "TextEncoder",
            "TextDecoder",
            "Uint8Array",
            "ArrayBuffer",
            "structuredClone",
            "atob",
            "btoa",
            "escape",
            "unescape",
            "console",
            "require",
            "crypto");

    /** Words that cannot begin an expression. */
    private static final Set<String> RESERVED =
            Set.of("else", "case", "default", "catch", "finally", "extends", "enum", "in", "instanceof");

    private final Deque<Set<String>> locals = new ArrayDeque<>();
    private final List<Reference> references = new ArrayList<>();

    Syntax resolve(Lexeme name, boolean shorthand) {
        var text = name.text();
        if (locals.stream().anyMatch(names -> names.contains(text))) {
            return new Syntax.Local(text);
        }
        if (BEYOND.contains(text) || FOREIGN_GLOBALS.contains(text)) {
            throw SyntaxProblem.beyond(name.start(), "'" + text + "'");
        }
        if (RESERVED.contains(text)) {
            throw SyntaxProblem.expected("an expression", name);
        }
        if (Globals.has(text)) {
            return new Syntax.Global(text);
        }
        references.add(new Reference(text, name.start(), name.end(), shorthand));
        return new Syntax.Path(MemberPath.step(text));
    }

    List<Reference> references() {
        return List.copyOf(references);
    }

    int mark() {
        return references.size();
    }

    /** Forgets the references found since the mark: they turned out to be parameters. */
    void forgetSince(int mark) {
        references.subList(mark, references.size()).clear();
    }

    void open(List<Binding> parameters) {
        locals.push(new HashSet<>());
        parameters.forEach(this::declare);
    }

    void declare(Binding target) {
        target.names(locals.element());
    }

    void close() {
        locals.pop();
    }
}
