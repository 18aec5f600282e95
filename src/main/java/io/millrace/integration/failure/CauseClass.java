package io.millrace.integration.failure;

import java.util.Arrays;
import java.util.Optional;

/** Class of the cause of a failed run. */
public enum CauseClass {
    AUTHOR_DATA("authorData"),
    EXPRESSION("expression"),
    PIECE("piece"),
    REMOTE_SERVICE("remoteService"),
    CREDENTIALS("credentials"),
    LIMIT("limit"),
    PLATFORM_DEFECT("platformDefect");

    private final String text;

    CauseClass(String text) {
        this.text = text;
    }

    /** The name that clients use. */
    public String text() {
        return text;
    }

    /** The class with a name. */
    public static Optional<CauseClass> of(String text) {
        return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
    }
}
