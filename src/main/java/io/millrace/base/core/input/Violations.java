package io.millrace.base.core.input;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/** Violations of an input, each as the path of a field and its problem, in the words of the contract. */
public final class Violations {
    private Violations() {}

    /** Reports the first violation of each field: later ones result from the placeholder value. */
    public static void refuseIfAny(List<String> problems) {
        if (!problems.isEmpty()) {
            var named = new HashSet<String>();
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    problems.stream()
                            .filter(problem -> named.add(fieldOf(problem)))
                            .collect(Collectors.joining(", ")));
        }
    }

    private static String fieldOf(String problem) {
        var end = problem.indexOf(' ');
        return end < 0 ? problem : problem.substring(0, end);
    }
}
