package io.millrace.sandbox.expression.closure;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class ClosureScope {
    private final @Nullable ClosureScope outer;
    private final ClosureLevel level;
    private final Map<String, Meaning> meanings = new HashMap<>();

    /** @param declared names that the statements of the scope declare: until then, their use would be an error */
    ClosureScope(@Nullable ClosureScope outer, ClosureLevel level, Set<String> declared) {
        this.outer = outer;
        this.level = level;
        declared.forEach(name -> meanings.put(name, new Meaning.Undeclared()));
    }

    sealed interface Meaning {
        /**
         * A variable.
         *
         * @param owned whether its value is a list or object that the code has made and no other variable was given before
         */
        record FrameVariable(int depth, int slot, boolean isConstant, boolean owned) implements Meaning {}

        record Function(int depth, ClosureFunction function) implements Meaning {}

        record Undeclared() implements Meaning {}
    }

    ClosureLevel level() {
        return level;
    }

    Meaning.FrameVariable variable(String name, boolean isConstant, boolean owned) {
        var variable = new Meaning.FrameVariable(level.depth(), level.newSlot(), isConstant, owned);
        meanings.put(name, variable);
        return variable;
    }

    void function(String name, ClosureFunction function) {
        meanings.put(name, new Meaning.Function(level.depth(), function));
    }

    /** Null for a name that no scope has. */
    @Nullable
    Meaning find(String name) {
        for (var scope = this; scope != null; scope = scope.outer) {
            var found = scope.meanings.get(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
