package io.millrace.sandbox.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.evaluator.FlattenNestedKeys;
import io.millrace.sandbox.expression.formula.Formula;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.parser.Tokeniser;
import io.millrace.sandbox.expression.value.JsText;
import java.util.ArrayList;
import java.util.List;

/** Compiles the value of an input: texts, lists element by element, objects key by key (contract 7.2, 7.3, 32.1). */
final class TemplateCompiler {
    private TemplateCompiler() {}

    static CompiledValue compile(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> ofText(value);
            case ARRAY -> ofList(value);
            case OBJECT -> ofObject(value);
            case NUMBER, BOOLEAN, NULL, MISSING, BINARY, POJO -> new CompiledValue.Constant(value);
        };
    }

    private static CompiledValue ofList(JsonNode list) {
        var parts = new ArrayList<CompiledValue>(list.size());
        list.forEach(item -> parts.add(compile(item)));
        return areConstant(parts)
                ? new CompiledValue.Constant(list)
                : new CompiledValue.Elements(List.copyOf(parts), parts.stream().anyMatch(CompiledValue::isSecret));
    }

    private static CompiledValue ofObject(JsonNode object) {
        var fields = object.properties().stream()
                .map(property -> new CompiledValue.Field(property.getKey(), compile(property.getValue())))
                .toList();
        var parts = fields.stream().map(CompiledValue.Field::value).toList();
        return areConstant(parts)
                ? new CompiledValue.Constant(object)
                : new CompiledValue.ObjectFields(fields, parts.stream().anyMatch(CompiledValue::isSecret));
    }

    private static boolean areConstant(List<CompiledValue> parts) {
        return parts.stream().allMatch(CompiledValue.Constant.class::isInstance);
    }

    private static CompiledValue ofText(JsonNode value) {
        var text = value.textValue();
        return text.contains(Tokeniser.FORMULA_OPEN) ? ofFormulas(value) : ofTokens(value);
    }

    /** Compiles a text with formulas. A formula that is not closed stays text, with its tokens resolved. */
    private static CompiledValue ofFormulas(JsonNode value) {
        var text = value.textValue();
        var parts = new ArrayList<CompiledValue>();
        var from = 0;
        var open = text.indexOf(Tokeniser.FORMULA_OPEN);
        var close = text.indexOf(Tokeniser.FORMULA_CLOSE, Math.max(open, 0) + Tokeniser.FORMULA_OPEN.length());
        while (open >= 0 && close >= 0) {
            addText(text.substring(from, open), parts);
            parts.add(new CompiledValue.OfFormula(
                    Formula.of(text.substring(open + Tokeniser.FORMULA_OPEN.length(), close))));
            from = close + Tokeniser.FORMULA_CLOSE.length();
            open = text.indexOf(Tokeniser.FORMULA_OPEN, from);
            close = text.indexOf(Tokeniser.FORMULA_CLOSE, Math.max(open, 0) + Tokeniser.FORMULA_OPEN.length());
        }
        if (parts.isEmpty()) {
            return ofTokens(value);
        }
        addText(text.substring(from), parts);
        var formula =
                parts.stream().filter(CompiledValue.OfFormula.class::isInstance).toList();
        return formula.size() == 1 && parts.stream().allMatch(TemplateCompiler::isFormulaOrBlank)
                ? formula.getFirst()
                : new CompiledValue.Concatenation(
                        List.copyOf(parts), parts.stream().anyMatch(CompiledValue::isSecret));
    }

    private static void addText(String text, List<CompiledValue> parts) {
        if (!text.isEmpty()) {
            parts.add(ofTokens(TextNode.valueOf(text)));
        }
    }

    private static boolean isFormulaOrBlank(CompiledValue part) {
        return part instanceof CompiledValue.OfFormula
                || part instanceof CompiledValue.Constant(var text)
                        && JsText.trim(text.textValue()).isEmpty();
    }

    private static CompiledValue ofTokens(JsonNode value) {
        var text = value.textValue();
        var tokens = Tokeniser.tokens(text);
        if (tokens.isEmpty()) {
            return new CompiledValue.Constant(value);
        }
        var expressions =
                tokens.stream().map(token -> Expression.of(token.inner())).toList();
        var first = tokens.getFirst();
        if (tokens.size() == 1 && first.start() == 0 && first.end() == text.length()) {
            return new CompiledValue.Typed(expressions.getFirst());
        }
        var asColumns = tokens.stream().anyMatch(token -> token.inner().startsWith(FlattenNestedKeys.NAME));
        return new CompiledValue.Mixed(
                between(text, tokens),
                expressions,
                asColumns,
                expressions.stream().anyMatch(Expression::isSecret));
    }

    private static List<String> between(String text, List<Tokeniser.Token> tokens) {
        var texts = new ArrayList<String>(tokens.size() + 1);
        var from = 0;
        for (var token : tokens) {
            texts.add(text.substring(from, token.start()));
            from = token.end();
        }
        texts.add(text.substring(from));
        return List.copyOf(texts);
    }
}
