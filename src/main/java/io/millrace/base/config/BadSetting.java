package io.millrace.base.config;

import java.util.List;

/** Settings that stop the start. The message names each variable, the expected and the actual value. */
public final class BadSetting extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    public BadSetting(String problem) {
        this(List.of(problem));
    }

    public BadSetting(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
