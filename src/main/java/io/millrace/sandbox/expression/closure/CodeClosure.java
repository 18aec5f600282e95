package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.parser.CodeModuleSyntax;
import io.millrace.sandbox.expression.value.Meter;
import java.util.Optional;

/** A code step without effects, compiled to closures. Immutable; every thread may call it. */
public final class CodeClosure {
    /** Units of work for a call: some 2 ms of compiled code. */
    public static final long FUEL = 40_000;

    /** Bounds the time of compilation. */
    private static final int SOURCE_LENGTH_MAX = 32 * 1024;

    private final ClosureLevel outerLevel;
    private final Computation declarations;
    private final ClosureFunction code;

    private CodeClosure(ClosureLevel outerLevel, Computation declarations, ClosureFunction code) {
        this.outerLevel = outerLevel;
        this.declarations = declarations;
        this.code = code;
    }

    /** Compiles a module as the code compiler has written it; empty if a worker has to run it. */
    public static Optional<CodeClosure> compile(String javaScript) {
        if (javaScript.length() > SOURCE_LENGTH_MAX) {
            return Optional.empty();
        }
        try {
            return ModuleText.body(javaScript).flatMap(CodeModuleSyntax::of).map(CodeClosure::compiled);
        } catch (SubsetExit | StackOverflowError beyond) {
            return Optional.empty();
        }
    }

    private static CodeClosure compiled(CodeModuleSyntax module) {
        if (module.code().parameters().size() > 1) {
            throw new SubsetExit("a function with further parameters");
        }
        var compiler = new ClosureCompiler();
        var level = new ClosureLevel(0);
        var scope = new ClosureScope(null, level, ClosureCompiler.declaredIn(module.statements()));
        var declarations = compiler.sequence(module.statements(), scope);
        return new CodeClosure(level, declarations, compiler.function(module.code(), scope));
    }

    public Optional<JsonNode> call(JsonNode inputs) {
        return call(inputs, new Meter(FUEL));
    }

    /**
     * Calls the function.
     *
     * @param inputs never changed
     * @param meter meter of the work, which other evaluations may share
     * @return a copy of its value as JSON, the missing node for undefined; empty if a worker has to run the step from its start
     */
    public Optional<JsonNode> call(JsonNode inputs, Meter meter) {
        try {
            PlainData.require(inputs, meter);
            var frame = new ClosureFrame(null, new Evaluator(NoScope.INSTANCE, meter), outerLevel.size());
            declarations.in(frame);
            var value = code.call(frame, inputs);
            meter.surface();
            return Optional.of(value.isMissingNode() ? value : PlainData.copy(value, meter));
        } catch (RuntimeException | StackOverflowError unusual) {
            return Optional.empty();
        }
    }
}
