package io.millrace.authoring.importer.n8n.expression;

/** Expression that cannot be translated, with the reason for the report. */
final class ScriptProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    ScriptProblem(String message) {
        super(message, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
