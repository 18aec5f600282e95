package io.millrace.authoring.flow.step;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Fields that every step has (contract flows-and-engine 2.5).
 *
 * @param valid result of the structural and the semantic check (2.12)
 * @param skip true if runs skip the step; null when never set; always null on triggers
 * @param lastUpdatedDate ISO-8601 time of the last change of the step, set by the server
 */
public record StepBase(String name, String displayName, boolean valid, Boolean skip, String lastUpdatedDate) {
    public static final Pattern NAME = Pattern.compile("^[a-zA-Z_][a-zA-Z0-9_]*$");

    public StepBase {
        Objects.requireNonNull(name);
        Objects.requireNonNull(displayName);
    }

    public StepBase named(String otherName, String otherDisplayName) {
        return new StepBase(otherName, otherDisplayName, valid, skip, lastUpdatedDate);
    }

    public StepBase validated(boolean isValid) {
        return new StepBase(name, displayName, isValid, skip, lastUpdatedDate);
    }

    public StepBase skipped(boolean isSkipped) {
        return new StepBase(name, displayName, valid, isSkipped, lastUpdatedDate);
    }

    public StepBase changedAt(String time) {
        return new StepBase(name, displayName, valid, skip, time);
    }
}
