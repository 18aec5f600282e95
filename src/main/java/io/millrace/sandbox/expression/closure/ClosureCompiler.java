package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import io.millrace.sandbox.expression.closure.ClosureScope.Meaning;
import io.millrace.sandbox.expression.syntax.Binding;
import io.millrace.sandbox.expression.syntax.CodeStatement;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class ClosureCompiler {
    private static final JsonNode CONTINUE = new POJONode("continue");
    private static final JsonNode BREAK = new POJONode("break");

    /** Names that are no variables in every place. */
    private static final Set<String> REFUSED_NAMES = Set.of(
            "undefined", "NaN", "Infinity", "arguments", "eval", "await", "async", "exports", "module", "require");

    private final ClosureExpressions expressions = new ClosureExpressions(this);

    Computation block(List<CodeStatement> statements, ClosureScope outer) {
        return sequence(statements, new ClosureScope(outer, outer.level(), declaredIn(statements)));
    }

    static Set<String> declaredIn(List<CodeStatement> statements) {
        var names = new HashSet<String>();
        for (var statement : statements) {
            if (statement instanceof CodeStatement.Declaration declaration) {
                declaration.target().names(names);
            }
        }
        return names;
    }

    /** Compiles statements in the order of their execution. */
    Computation sequence(List<CodeStatement> statements, ClosureScope scope) {
        var compiled = new ArrayList<Computation>();
        for (var statement : statements) {
            var step = statement(statement, scope);
            if (step != null) {
                compiled.add(step);
            }
        }
        if (compiled.size() == 1) {
            return compiled.getFirst();
        }
        var steps = compiled.toArray(Computation[]::new);
        return frame -> {
            for (var step : steps) {
                var end = step.in(frame);
                if (end != null) {
                    return end;
                }
            }
            return null;
        };
    }

    /** Null for the declaration of a function, which has no effect. */
    private @Nullable Computation statement(CodeStatement statement, ClosureScope scope) {
        return switch (statement) {
            case CodeStatement.Declaration declaration -> declaration(declaration, scope);
            case CodeStatement.Branch(var test, var whenTrue, var whenFalse) -> {
                var condition = expressions.value(test, scope);
                var first = block(whenTrue, scope);
                var second = block(whenFalse, scope);
                yield frame -> JsValues.isTruthy(condition.in(frame)) ? first.in(frame) : second.in(frame);
            }
            case CodeStatement.ForOf loop -> loop(loop, scope);
            case CodeStatement.Assignment assignment -> assignment(assignment, scope);
            case CodeStatement.MemberAssignment assignment -> memberAssignment(assignment, scope);
            case CodeStatement.Call(var expression) -> {
                var value = expressions.dropped(expression, scope);
                yield frame -> {
                    value.in(frame);
                    return null;
                };
            }
            case CodeStatement.Return(var value) -> expressions.value(value, scope);
            case CodeStatement.Jump(var isBreak) -> {
                var end = isBreak ? BREAK : CONTINUE;
                yield _ -> end;
            }
        };
    }

    private @Nullable Computation declaration(CodeStatement.Declaration declaration, ClosureScope scope) {
        if (declaration.value() instanceof Syntax.Arrow arrow) {
            if (!(declaration.target() instanceof Binding.Name(var name)) || !declaration.isConstant()) {
                throw new SubsetExit("a function that is no constant");
            }
            requirePlain(name);
            scope.function(name, function(arrow, scope));
            return null;
        }
        var value = expressions.value(declaration.value(), scope);
        var owned = declaration.isConstant() && OwnedValues.isMadeBy(declaration.value(), scope);
        var target = target(declaration.target(), scope, declaration.isConstant(), owned);
        return frame -> {
            target.accept(frame, value.in(frame));
            return null;
        };
    }

    @SuppressWarnings("ReferenceEquality") // The ends are two nodes that no value is.
    private Computation loop(CodeStatement.ForOf loop, ClosureScope scope) {
        var names = new HashSet<String>();
        loop.target().names(names);
        // The names of the loop exist while its list is evaluated, but have no value.
        var values = expressions.value(loop.values(), new ClosureScope(scope, scope.level(), names));
        var inner = new ClosureScope(scope, scope.level(), Set.of());
        var target = target(loop.target(), inner, true, false);
        var body = block(loop.body(), inner);
        return frame -> {
            var list = ExactValues.requireList(values.in(frame));
            for (var index = 0; index < list.size(); index++) {
                frame.meter().spend(2);
                target.accept(frame, list.get(index));
                var end = body.in(frame);
                if (end == BREAK) {
                    return null;
                }
                if (end != null && end != CONTINUE) {
                    return end;
                }
            }
            return null;
        };
    }

    private Computation assignment(CodeStatement.Assignment assignment, ClosureScope scope) {
        if (!(scope.find(assignment.name()) instanceof Meaning.FrameVariable variable) || variable.isConstant()) {
            throw new SubsetExit("an assignment to something other than a variable");
        }
        var levels = scope.level().depth() - variable.depth();
        var operand = expressions.value(assignment.operand(), scope);
        var operator = assignment.operator();
        return frame -> {
            var owner = frame.up(levels);
            var before = owner.get(variable.slot());
            var value = operand.in(frame);
            owner.set(
                    variable.slot(),
                    operator == null ? value : ExactValues.apply(operator, before, value, frame.meter()));
            return null;
        };
    }

    private Computation memberAssignment(CodeStatement.MemberAssignment assignment, ClosureScope scope) {
        var owner = OwnedValues.require(assignment.name(), scope);
        var levels = scope.level().depth() - owner.depth();
        var key = expressions.value(assignment.key(), scope);
        var operand = expressions.value(assignment.operand(), scope);
        var operator = assignment.operator();
        return frame -> {
            if (!(frame.up(levels).get(owner.slot()) instanceof ObjectNode object)) {
                throw new SubsetExit("an assignment to a member of a value that is no object");
            }
            var name = ExactValues.requireText(key.in(frame));
            var value = changed(operator, object, name, operand, frame);
            ExactValues.put(object, name, value, frame.meter());
            return null;
        };
    }

    private static JsonNode changed(
            @Nullable InfixOperator operator, ObjectNode object, String name, Computation operand, ClosureFrame frame) {
        if (operator == null) {
            return operand.in(frame);
        }
        var before = ExactValues.member(object, name);
        return ExactValues.apply(operator, before, operand.in(frame), frame.meter());
    }

    ClosureFunction function(Syntax.Arrow arrow, ClosureScope scope) {
        var level = scope.level().inner();
        var inner = new ClosureScope(scope, level, Set.of());
        var parameters = arrow.parameters().stream()
                .map(parameter -> target(parameter, inner, false, false))
                .toList();
        var body = arrow.body() instanceof Syntax.Block(var statements)
                ? block(statements, inner)
                : expressions.value(arrow.body(), inner);
        return new ClosureFunction(level, parameters, body);
    }

    private ClosureTarget target(Binding binding, ClosureScope scope, boolean isConstant, boolean owned) {
        return switch (binding) {
            case Binding.Name(var name) -> {
                requirePlain(name);
                var slot = scope.variable(name, isConstant, owned).slot();
                yield (frame, value) -> frame.set(slot, value);
            }
            case Binding.Elements(var elements) -> elements(elements, scope, isConstant);
            case Binding.ObjectPattern(var fields) -> fields(fields, scope, isConstant);
            case Binding.Rest _ -> throw new SubsetExit("the remaining values");
        };
    }

    private ClosureTarget elements(List<Binding> elements, ClosureScope scope, boolean isConstant) {
        if (elements.isEmpty()) {
            throw new SubsetExit("a pattern without names");
        }
        var targets = elements.stream()
                .map(element -> target(element, scope, isConstant, false))
                .toList();
        return (frame, value) -> {
            var list = ExactValues.requireList(value);
            for (var index = 0; index < targets.size(); index++) {
                frame.meter().spend(1);
                targets.get(index).accept(frame, index < list.size() ? list.get(index) : ExactValues.UNDEFINED);
            }
        };
    }

    private ClosureTarget fields(List<Binding.Field> fields, ClosureScope scope, boolean isConstant) {
        var targets = fields.stream()
                .map(field -> target(field.target(), scope, isConstant, false))
                .toList();
        return (frame, value) -> {
            if (!(value instanceof ObjectNode)) {
                throw new SubsetExit("a pattern for a value that is no object");
            }
            for (var index = 0; index < targets.size(); index++) {
                frame.meter().spend(1);
                targets.get(index)
                        .accept(
                                frame,
                                ExactValues.member(value, fields.get(index).key()));
            }
        };
    }

    private static void requirePlain(String name) {
        if (REFUSED_NAMES.contains(name)) {
            throw new SubsetExit("a variable named " + name);
        }
    }
}
