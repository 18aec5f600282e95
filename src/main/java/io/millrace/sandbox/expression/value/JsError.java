package io.millrace.sandbox.expression.value;

/** Error that JavaScript would throw. Its token becomes empty text, so it needs no stack. */
public final class JsError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private JsError(String message) {
        super(message, null, false, false);
    }

    public static JsError type(String message) {
        return new JsError("TypeError: " + message);
    }

    public static JsError range(String message) {
        return new JsError("RangeError: " + message);
    }

    public static JsError syntax(String message) {
        return new JsError("SyntaxError: " + message);
    }

    public static JsError reference(String name) {
        return new JsError("ReferenceError: " + name + " is not defined");
    }

    public static JsError uri() {
        return new JsError("URIError: URI malformed");
    }
}
