package io.millrace.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Advice for an operator when the system refuses the server another process or thread; both count against one limit. */
public final class ProcessLimit {
    /** Processes of the server and its database, without those of code and pieces. */
    public static final int NEEDED = 100;

    /** With the processes that run code and pieces. */
    public static final int NEEDED_WITH_CODE = 300;

    private static final String LIMIT_OF_USER = "Max processes";

    /** The JDK's word for a thread, the system's for a process, and a shell's. */
    private static final List<String> WORDS =
            List.of("unable to create native thread", "Resource temporarily unavailable", "Cannot fork");

    private ProcessLimit() {}

    /** Limit of processes and threads; empty if unlimited. */
    public static Optional<Long> allowed() {
        return Stream.of(ofUser(), ofGroup()).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    private static Optional<Long> ofUser() {
        return ofUser(read(Path.of("/proc/self/limits")));
    }

    private static Optional<Long> ofGroup() {
        return ofGroup(read(Path.of("/sys/fs/cgroup/pids.max")));
    }

    /** Message of a failure, with advice if missing processes or threads may be the cause. */
    public static String explained(Throwable failure) {
        return explained(failure, ofUser(), ofGroup());
    }

    /**
     * As {@link #explained(Throwable)}.
     *
     * @param ofUser limit of the server's user; empty if unlimited
     * @param ofGroup limit of its control group; empty if unlimited
     */
    static String explained(Throwable failure, Optional<Long> ofUser, Optional<Long> ofGroup) {
        // A database that cannot fork for a connection only closes it.
        var isShort = Stream.of(ofUser, ofGroup).flatMap(Optional::stream).anyMatch(limit -> limit < NEEDED);
        return isShort || isBehind(failure)
                ? failure.getMessage() + "\n" + cure(ofUser, ofGroup)
                : failure.getMessage();
    }

    /** Returns true if a process or thread that could not be created caused the failure. */
    public static boolean isBehind(Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            var said = String.valueOf(cause.getMessage());
            if (WORDS.stream().anyMatch(said::contains)) {
                return true;
            }
        }
        return false;
    }

    private static String cure(Optional<Long> ofUser, Optional<Long> ofGroup) {
        var found = new ArrayList<String>();
        ofUser.ifPresent(limit -> found.add(limit + " to its user (ulimit -u)"));
        ofGroup.ifPresent(limit -> found.add(limit + " to its control group (pids.max)"));
        return String.format(
                Locale.ROOT,
                "The system refuses further processes or threads%s. A server with its database needs %d, and %d with code steps and"
                        + " npm pieces: raise the limit (ulimit -u, TasksMax of systemd, --pids-limit of containers),"
                        + " or end other processes of the user.",
                found.isEmpty() ? "" : "; it allows " + String.join(", ", found),
                NEEDED,
                NEEDED_WITH_CODE);
    }

    /** @param limits lines of /proc: name, soft limit, hard limit */
    static Optional<Long> ofUser(List<String> limits) {
        return limits.stream()
                .filter(line -> line.startsWith(LIMIT_OF_USER))
                .map(line -> line.substring(LIMIT_OF_USER.length()).strip().split("\\s+", -1)[0])
                .flatMap(ProcessLimit::number)
                .findFirst();
    }

    /** @param limit as a control group has it: a number or a word */
    static Optional<Long> ofGroup(List<String> limit) {
        return limit.stream().flatMap(ProcessLimit::number).findFirst();
    }

    /** Parses a limit; empty for {@code unlimited} and similar words. */
    private static Stream<Long> number(String word) {
        return word.matches("\\d{1,18}") ? Stream.of(Long.valueOf(word)) : Stream.empty();
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException absent) {
            return List.of();
        }
    }
}
