package io.millrace.sandbox.program;

/** Source and manifest of a code step. */
public record CodeSource(Language language, String code, String packageJson) {
    /** Programming language of the code. */
    public enum Language {
        /** TypeScript, too. */
        JAVASCRIPT,
        PYTHON
    }
}
