package io.millrace.sandbox.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.formula.Formula;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.Meter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

sealed interface CompiledValue {
    /** Replacement of a connection or a variable in the log (contract flows-and-engine 7.8). */
    TextNode REDACTED = TextNode.valueOf(ResolvedInput.REDACTED);

    JsonNode resolve(Evaluator evaluator);

    /** Called only if the part contains a secret. */
    ResolvedInput resolveSecret(Evaluator evaluator);

    void expressions(Consumer<Expression> visitor);

    default void formulas(Consumer<Formula> visitor) {}

    /** Both values; the same node twice if there is no secret. */
    default ResolvedInput resolveBoth(Evaluator evaluator) {
        if (isSecret()) {
            return resolveSecret(evaluator);
        }
        var value = resolve(evaluator);
        return new ResolvedInput(value, value);
    }

    boolean isSecret();

    /** A value without tokens; resolving gives the same node. */
    record Constant(JsonNode value) implements CompiledValue {
        @Override
        public JsonNode resolve(Evaluator evaluator) {
            return value;
        }

        @Override
        public ResolvedInput resolveSecret(Evaluator evaluator) {
            return new ResolvedInput(value, value);
        }

        @Override
        public void expressions(Consumer<Expression> visitor) {}

        @Override
        public boolean isSecret() {
            return false;
        }
    }

    /** A text that is exactly one token: the value keeps its type. */
    record Typed(Expression expression) implements CompiledValue {
        @Override
        public JsonNode resolve(Evaluator evaluator) {
            var value = expression.evaluate(evaluator);
            return JsValues.isNullish(value) ? TextNode.valueOf("") : value;
        }

        @Override
        public ResolvedInput resolveSecret(Evaluator evaluator) {
            return new ResolvedInput(resolve(evaluator), REDACTED);
        }

        @Override
        public void expressions(Consumer<Expression> visitor) {
            visitor.accept(expression);
        }

        @Override
        public boolean isSecret() {
            return expression.isSecret();
        }
    }

    /** A list with at least one token inside. */
    record Elements(List<CompiledValue> parts, boolean isSecret) implements CompiledValue {
        @Override
        public JsonNode resolve(Evaluator evaluator) {
            var list = Json.mapper().getNodeFactory().arrayNode(parts.size());
            for (var part : parts) {
                list.add(part.resolve(evaluator));
            }
            return list;
        }

        @Override
        public ResolvedInput resolveSecret(Evaluator evaluator) {
            var real = Json.array();
            var censored = Json.array();
            for (var part : parts) {
                var both = part.resolveBoth(evaluator);
                real.add(both.value());
                censored.add(both.censored());
            }
            return new ResolvedInput(real, censored);
        }

        @Override
        public void expressions(Consumer<Expression> visitor) {
            parts.forEach(part -> part.expressions(visitor));
        }

        @Override
        public void formulas(Consumer<Formula> visitor) {
            parts.forEach(part -> part.formulas(visitor));
        }
    }

    /** The name is never resolved. */
    record Field(String name, CompiledValue value) {}

    /** An object with at least one token inside. */
    record ObjectFields(List<Field> fields, boolean isSecret) implements CompiledValue {
        @Override
        public JsonNode resolve(Evaluator evaluator) {
            var object = Json.object();
            for (var field : fields) {
                object.set(field.name(), field.value().resolve(evaluator));
            }
            return object;
        }

        @Override
        public ResolvedInput resolveSecret(Evaluator evaluator) {
            var real = Json.object();
            var censored = Json.object();
            for (var field : fields) {
                var both = field.value().resolveBoth(evaluator);
                real.set(field.name(), both.value());
                censored.set(field.name(), both.censored());
            }
            return new ResolvedInput(real, censored);
        }

        @Override
        public void expressions(Consumer<Expression> visitor) {
            fields.forEach(field -> field.value().expressions(visitor));
        }

        @Override
        public void formulas(Consumer<Formula> visitor) {
            fields.forEach(field -> field.value().formulas(visitor));
        }
    }

    /**
     * A text with tokens among other characters: one text more than expressions.
     *
     * @param asColumns true if it makes a list of texts, one for each index of its longest list (contract 7.3)
     */
    record Mixed(List<String> texts, List<Expression> expressions, boolean asColumns, boolean isSecret)
            implements CompiledValue {
        @Override
        public JsonNode resolve(Evaluator evaluator) {
            return assemble(evaluator, values(evaluator));
        }

        @Override
        public ResolvedInput resolveSecret(Evaluator evaluator) {
            var values = values(evaluator);
            var censored = new ArrayList<JsonNode>();
            for (var i = 0; i < values.size(); i++) {
                censored.add(expressions.get(i).isSecret() ? REDACTED : values.get(i));
            }
            return new ResolvedInput(assemble(evaluator, values), assemble(evaluator, censored));
        }

        @Override
        public void expressions(Consumer<Expression> visitor) {
            expressions.forEach(visitor);
        }

        private List<JsonNode> values(Evaluator evaluator) {
            var values = new ArrayList<JsonNode>(expressions.size());
            for (var expression : expressions) {
                values.add(expression.evaluate(evaluator));
            }
            return values;
        }

        private JsonNode assemble(Evaluator evaluator, List<JsonNode> values) {
            evaluator.meter().surface();
            return asColumns ? columns(values, evaluator.meter()) : text(values, evaluator.meter());
        }

        private JsonNode text(List<JsonNode> values, Meter meter) {
            var result = new StringBuilder(texts.getFirst());
            for (var i = 0; i < values.size(); i++) {
                result.append(JsText.inserted(values.get(i), meter)).append(texts.get(i + 1));
                meter.grown(result, texts.get(i + 1).length());
            }
            return TextNode.valueOf(result.toString());
        }

        private JsonNode columns(List<JsonNode> values, Meter meter) {
            var length = values.stream()
                    .filter(JsonNode::isArray)
                    .mapToInt(JsonNode::size)
                    .max()
                    .orElse(0);
            meter.list(length);
            var rows = Json.array();
            for (var row = 0; row < length; row++) {
                var cells = new ArrayList<JsonNode>(values.size());
                for (var value : values) {
                    cells.add(value.isArray() ? value.path(row) : value);
                }
                rows.add(text(cells, meter));
            }
            return rows;
        }
    }

    /** A text that is exactly one formula: the value keeps its type. */
    record OfFormula(Formula formula) implements CompiledValue {
        @Override
        public JsonNode resolve(Evaluator evaluator) {
            var value = formula.evaluate(evaluator);
            return JsValues.isNullish(value) ? TextNode.valueOf("") : value;
        }

        /** The result of a formula with a secret is a secret as well. */
        @Override
        public ResolvedInput resolveSecret(Evaluator evaluator) {
            return new ResolvedInput(resolve(evaluator), REDACTED);
        }

        @Override
        public void expressions(Consumer<Expression> visitor) {
            formula.tokens().forEach(visitor);
        }

        @Override
        public void formulas(Consumer<Formula> visitor) {
            visitor.accept(formula);
        }

        @Override
        public boolean isSecret() {
            return formula.tokens().stream().anyMatch(Expression::isSecret);
        }
    }

    /** A text with formulas among other characters: its pieces in order. */
    record Concatenation(List<CompiledValue> parts, boolean isSecret) implements CompiledValue {
        @Override
        public JsonNode resolve(Evaluator evaluator) {
            return resolveSecret(evaluator).value();
        }

        @Override
        public ResolvedInput resolveSecret(Evaluator evaluator) {
            var real = new StringBuilder();
            var censored = new StringBuilder();
            for (var part : parts) {
                var both = part.resolveBoth(evaluator);
                append(real, both.value(), evaluator.meter());
                append(censored, both.censored(), evaluator.meter());
            }
            return new ResolvedInput(TextNode.valueOf(real.toString()), TextNode.valueOf(censored.toString()));
        }

        @Override
        public void expressions(Consumer<Expression> visitor) {
            parts.forEach(part -> part.expressions(visitor));
        }

        @Override
        public void formulas(Consumer<Formula> visitor) {
            parts.forEach(part -> part.formulas(visitor));
        }

        private static void append(StringBuilder text, JsonNode value, Meter meter) {
            var inserted = value.isNumber() ? JsText.of(value, meter) : JsText.inserted(value, meter);
            text.append(inserted);
            meter.grown(text, inserted.length());
        }
    }
}
