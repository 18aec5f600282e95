package io.millrace.authoring.importer.n8n.expression;

/** Signal that an expression needs a code step. */
final class CodeDemand extends RuntimeException {
    private static final long serialVersionUID = 1;

    CodeDemand() {
        super("needs a code step", null, false, false);
    }
}
