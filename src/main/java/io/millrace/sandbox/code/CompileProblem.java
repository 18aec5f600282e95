package io.millrace.sandbox.code;

import java.util.regex.Pattern;

/** A message of the compiler; line and column are 0 if it has no position. The first line is 1, the first column 0. */
public record CompileProblem(String message, int line, int column) {
    private static final Pattern PLACE = Pattern.compile("(?s)(.*) \\(line (\\d{1,9}), column (\\d{1,9})\\)");

    /** Reads a compile error of a program. */
    public static CompileProblem of(String compileError) {
        var place = PLACE.matcher(compileError);
        return place.matches()
                ? new CompileProblem(place.group(1), Integer.parseInt(place.group(2)), Integer.parseInt(place.group(3)))
                : new CompileProblem(compileError, 0, 0);
    }
}
