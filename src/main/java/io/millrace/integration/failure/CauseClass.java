package io.millrace.integration.failure;

import java.util.Arrays;
import java.util.Optional;

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

    public static Optional<CauseClass> of(String text) {
        return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
    }
}
