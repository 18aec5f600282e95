package io.millrace.sandbox.program;

public record CodeSource(Language language, String code, String packageJson) {
    public enum Language {
        /** TypeScript, too. */
        JAVASCRIPT,
        PYTHON
    }
}
