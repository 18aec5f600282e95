package io.millrace.support.browser;

/** Named keys, in the encoding of WebDriver: a private character for each. */
public final class Keyboard {
    public static final String TAB = "\uE004";
    public static final String ENTER = "\uE007";
    public static final String SHIFT = "\uE008";
    public static final String CONTROL = "\uE009";
    public static final String ALT = "\uE00A";
    public static final String ESCAPE = "\uE00C";
    public static final String END = "\uE010";
    public static final String HOME = "\uE011";
    public static final String LEFT = "\uE012";
    public static final String UP = "\uE013";
    public static final String DOWN = "\uE015";
    public static final String DELETE = "\uE017";

    private Keyboard() {}
}
