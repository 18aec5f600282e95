package io.millrace.sandbox.program;

/** What the program of a code step is made of. */
public record CodeSource(Language language, String code, String packageJson) {
    /** What the code is written in. */
    public enum Language {
        /** TypeScript, too. */
        JAVASCRIPT,
        PYTHON
    }
}
