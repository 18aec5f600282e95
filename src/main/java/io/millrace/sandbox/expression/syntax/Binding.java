package io.millrace.sandbox.expression.syntax;

import java.util.List;
import java.util.Set;

/** Target of a parameter of an arrow function: the names that it declares. */
public sealed interface Binding {
    record Name(String name) implements Binding {}

    record Elements(List<Binding> elements) implements Binding {}

    record ObjectPattern(List<Field> fields) implements Binding {}

    record Field(String key, Binding target) {}

    record Rest(Binding target) implements Binding {}

    default void names(Set<String> into) {
        switch (this) {
            case Name(var name) -> into.add(name);
            case Elements(var elements) -> elements.forEach(element -> element.names(into));
            case ObjectPattern(var fields) ->
                fields.forEach(field -> field.target().names(into));
            case Rest(var target) -> target.names(into);
        }
    }
}
