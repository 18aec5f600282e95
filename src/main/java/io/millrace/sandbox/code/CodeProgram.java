package io.millrace.sandbox.code;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The source of one CODE step, ready to run. A source that does not compile is a program too: it throws its
 * compile error when it runs (contract pieces 12.1), and says so beforehand.
 *
 * @param form how the JavaScript is to be read
 * @param javaScript what is run; empty text when there is a compile error
 * @param compileError why the source does not compile
 * @param npmDependencies entries of the manifest's dependencies, as {@code name@range}, in its order
 * @param nativePackages those whose files lie beside the program, because an operator lets them load native code
 */
public record CodeProgram(
        Form form,
        String javaScript,
        Optional<String> compileError,
        List<String> npmDependencies,
        Optional<NativePackages> nativePackages) {
    /** Which kind of module the JavaScript is. */
    public enum Form {
        COMMON_JS,
        /** ECMAScript modules run directly where the transpiler cannot. */
        MODULE,
        /** One file for Node.js, its packages inside and its source map at the end. */
        NODE,
        /** The source itself, in Python. */
        PYTHON
    }

    public CodeProgram {
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(javaScript, "javaScript");
        Objects.requireNonNull(compileError, "compileError");
        Objects.requireNonNull(nativePackages, "nativePackages");
        npmDependencies = List.copyOf(npmDependencies);
    }

    public CodeProgram(Form form, String javaScript, Optional<String> compileError, List<String> npmDependencies) {
        this(form, javaScript, compileError, npmDependencies, Optional.empty());
    }

    /** The same program with files of packages beside it. */
    public CodeProgram beside(NativePackages packages) {
        return new CodeProgram(form, javaScript, compileError, npmDependencies, Optional.of(packages));
    }

    /** Whether a worker runs it. */
    public boolean isForWorkers() {
        return compileError.isEmpty() && (form == Form.COMMON_JS || form == Form.MODULE);
    }

    /** A program that throws its compile error. */
    public static CodeProgram broken(String compileError, List<String> npmDependencies) {
        return new CodeProgram(Form.COMMON_JS, "", Optional.of(compileError), npmDependencies);
    }
}
