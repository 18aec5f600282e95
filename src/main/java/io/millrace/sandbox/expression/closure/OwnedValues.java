package io.millrace.sandbox.expression.closure;

import io.millrace.sandbox.expression.closure.ClosureScope.Meaning;
import io.millrace.sandbox.expression.syntax.Syntax;
import java.util.Set;

/**
 * Lists and objects that the code itself has made. Only these may change: inputs are shared with the run, and a worker would have a
 * copy of them.
 */
final class OwnedValues {
    private static final Set<String> LIST_MAKERS =
            Set.of("map", "filter", "flatMap", "flat", "split", "toSorted", "toReversed");
    private static final Set<String> OBJECT_MAKERS = Set.of("keys", "values", "entries", "fromEntries");

    private OwnedValues() {}

    /** True for an expression whose value is always a new list or object. */
    static boolean isMadeBy(Syntax syntax, ClosureScope scope) {
        return switch (syntax) {
            case Syntax.ListLiteral _, Syntax.ObjectLiteral _ -> true;
            case Syntax.Call(Syntax.Member(Syntax.Global(var global), Syntax.Literal(var name), var _), var _, var _) ->
                global.equals("Object") && OBJECT_MAKERS.contains(name.asText()) && scope.find(global) == null;
            case Syntax.Call(Syntax.Member(var _, Syntax.Literal(var name), var isOptional), var _, var _) ->
                !isOptional && LIST_MAKERS.contains(name.asText());
            default -> false;
        };
    }

    static Meaning.FrameVariable require(String name, ClosureScope scope) {
        if (scope.find(name) instanceof Meaning.FrameVariable variable && variable.owned()) {
            return variable;
        }
        throw new SubsetExit("a change of a value that the code has not made");
    }
}
