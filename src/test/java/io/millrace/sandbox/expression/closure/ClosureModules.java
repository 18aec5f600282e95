package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/** Modules as the code compiler writes them, for tests of closures. */
public final class ClosureModules {
    private ClosureModules() {}

    /** Module of statements that declare a function named {@code code}. */
    public static String of(String statements) {
        return ModuleText.EXPORTS + statements;
    }

    /** Module of a function with this body. */
    public static String ofBody(String body) {
        return of("const code = async (inputs) => {" + body + "};\n");
    }

    /** JSON text of the result of a body; empty if a worker has to run it. */
    public static Optional<String> result(String body, String inputs) {
        return CodeClosure.compile(ofBody(body))
                .flatMap(closure -> closure.call(read(inputs)))
                .map(value -> value instanceof MissingNode ? "undefined" : Json.text(value));
    }

    /** JSON with single quotes. */
    public static JsonNode read(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
