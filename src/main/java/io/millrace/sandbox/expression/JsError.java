package io.millrace.sandbox.expression;

/** What JavaScript would throw. The token that raised it becomes empty text, so it needs no stack. */
final class JsError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private JsError(String message) {
        super(message, null, false, false);
    }

    static JsError type(String message) {
        return new JsError("TypeError: " + message);
    }

    static JsError range(String message) {
        return new JsError("RangeError: " + message);
    }

    static JsError syntax(String message) {
        return new JsError("SyntaxError: " + message);
    }

    static JsError reference(String name) {
        return new JsError("ReferenceError: " + name + " is not defined");
    }

    static JsError uri() {
        return new JsError("URIError: URI malformed");
    }
}
