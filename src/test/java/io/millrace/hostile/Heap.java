package io.millrace.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Heap of another JVM of the same user, measured with the tool of the JDK. */
final class Heap {
    /** Pattern of the line of a generation. */
    private static final Pattern USED =
            Pattern.compile("(?m)^ *(?:DefNew|Tenured|garbage-first heap) .*? used (\\d+)K");

    /** Number of output lines: the process, the heading and 15 classes. */
    private static final int CLASS_LINES = 18;

    private Heap() {}

    /** Live heap in megabytes after a garbage collection. */
    static long livingMegabytes(long process) {
        ask(process, "GC.run");
        var generations = USED.matcher(ask(process, "GC.heap_info"));
        var kilobytes = 0L;
        while (generations.find()) {
            kilobytes += Long.parseLong(generations.group(1));
        }
        if (kilobytes == 0) {
            throw new IllegalStateException("expected a serial or a garbage-first heap");
        }
        return kilobytes / 1024;
    }

    /** Classes with the most live objects by size, one per line. */
    static String largestClasses(long process) {
        return ask(process, "GC.class_histogram").lines().limit(CLASS_LINES).collect(Collectors.joining("\n"));
    }

    private static String ask(long process, String question) {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            var asked = new ProcessBuilder(jcmd, Long.toString(process), question)
                    .redirectErrorStream(true)
                    .start();
            var answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (asked.waitFor() != 0) {
                throw new IllegalStateException(question + " was not answered: " + answer);
            }
            return answer;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
