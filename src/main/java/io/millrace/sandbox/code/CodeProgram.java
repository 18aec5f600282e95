package io.millrace.sandbox.code;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The source of one CODE step, ready to run. A source that does not compile is a program too: it throws its compile error when it
 * runs (contract pieces 12.1), and {@code compileError} holds it before.
 *
 * @param form kind of the JavaScript source
 * @param javaScript compiled source; empty text if there is a compile error
 * @param compileError message for a source that does not compile
 * @param npmDependencies entries of the manifest's dependencies, as {@code name@range}, in its order
 * @param sourceMap positions of the author's source, for a compiled program of a worker; a program for Node.js contains its map
 * @param nativePackages packages stored as separate files with the program, because an operator lets them load native code
 */
public record CodeProgram(
        Form form,
        String javaScript,
        Optional<String> compileError,
        List<String> npmDependencies,
        Optional<SourceMap> sourceMap,
        Optional<NativePackages> nativePackages) {
    public enum Form {
        COMMON_JS,
        /** ECMAScript module, which runs directly if the transpiler cannot run. */
        MODULE,
        /** One file for Node.js, its packages inside and its source map at the end. */
        NODE,
        PYTHON
    }

    public CodeProgram {
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(javaScript, "javaScript");
        Objects.requireNonNull(compileError, "compileError");
        Objects.requireNonNull(sourceMap, "sourceMap");
        Objects.requireNonNull(nativePackages, "nativePackages");
        npmDependencies = List.copyOf(npmDependencies);
    }

    public CodeProgram(Form form, String javaScript, Optional<String> compileError, List<String> npmDependencies) {
        this(form, javaScript, compileError, npmDependencies, Optional.empty(), Optional.empty());
    }

    /** Program of a worker, from the compiler's text with the source map at its end. */
    public static CodeProgram compiled(String text, List<String> npmDependencies) {
        return new CodeProgram(
                Form.COMMON_JS,
                SourceMap.removedFrom(text),
                Optional.empty(),
                npmDependencies,
                SourceMap.in(text),
                Optional.empty());
    }

    /** Text with the source map at its end: the opposite of {@link #compiled}. */
    public String text() {
        return sourceMap.map(map -> map.appendedTo(javaScript)).orElse(javaScript);
    }

    /** Number of characters, for the bounds of caches. */
    public int length() {
        return javaScript.length() + sourceMap.map(map -> map.base64().length()).orElse(0);
    }

    /** Lines of the author's source. */
    public AuthorLines lines() {
        return form == Form.MODULE
                ? AuthorLines.SAME
                : sourceMap.<AuthorLines>map(map -> map).orElse(AuthorLines.NONE);
    }

    public CodeProgram beside(NativePackages packages) {
        return new CodeProgram(form, javaScript, compileError, npmDependencies, sourceMap, Optional.of(packages));
    }

    public boolean isForWorkers() {
        return compileError.isEmpty() && (form == Form.COMMON_JS || form == Form.MODULE);
    }

    /** A program that throws its compile error. */
    public static CodeProgram broken(String compileError, List<String> npmDependencies) {
        return new CodeProgram(Form.COMMON_JS, "", Optional.of(compileError), npmDependencies);
    }
}
