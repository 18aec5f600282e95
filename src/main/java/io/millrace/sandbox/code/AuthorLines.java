package io.millrace.sandbox.code;

import java.util.OptionalInt;

/** Maps positions in a running program to lines of the source that its author wrote. */
@FunctionalInterface
public interface AuthorLines {
    /** A program without known positions in the author's source. */
    AuthorLines NONE = (_, _) -> OptionalInt.empty();

    /** A program that is the author's source itself. */
    AuthorLines SAME = (line, _) -> OptionalInt.of(line);

    /** Line of the author's source; empty for code that the compiler added. The first line and the first column are 1. */
    OptionalInt of(int line, int column);
}
