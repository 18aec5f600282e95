package io.millrace.sandbox.isolation;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Resource limits of one process (setrlimit(2)), set before its program begins. Core files are never written.
 *
 * @param addressSpaceBytes all mappings together
 * @param processorSeconds processor time, after which the kernel ends the process
 * @param fileBytes largest file that the process writes
 * @param openFiles file descriptors at a time
 */
public record ProcessLimits(
        OptionalLong addressSpaceBytes, OptionalLong processorSeconds, OptionalLong fileBytes, OptionalLong openFiles) {
    public static final ProcessLimits INHERITED =
            new ProcessLimits(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    private static final int RLIMIT_CPU = 0;
    private static final int RLIMIT_FSIZE = 1;
    private static final int RLIMIT_CORE = 4;
    private static final int RLIMIT_NOFILE = 7;
    private static final int RLIMIT_AS = 9;
    private static final int KIBIBYTE = 1024;
    private static final int SHELL_FILE_BLOCK = 512;

    record Limit(int resource, long most) {}

    /** The limits in the order in which they are set. */
    List<Limit> list() {
        var list = new ArrayList<Limit>();
        list.add(new Limit(RLIMIT_CORE, 0));
        addressSpaceBytes.ifPresent(most -> list.add(new Limit(RLIMIT_AS, most)));
        processorSeconds.ifPresent(most -> list.add(new Limit(RLIMIT_CPU, most)));
        fileBytes.ifPresent(most -> list.add(new Limit(RLIMIT_FSIZE, most)));
        openFiles.ifPresent(most -> list.add(new Limit(RLIMIT_NOFILE, most)));
        return list;
    }

    /** Command line that sets the same limits by a shell, for hosts where launch programs cannot run. */
    List<String> byShell(List<String> words) {
        if (equals(INHERITED)) {
            return words;
        }
        var script = new StringBuilder("ulimit -c 0; ");
        addressSpaceBytes.ifPresent(most -> script.append("ulimit -v " + most / KIBIBYTE + "; "));
        processorSeconds.ifPresent(most -> script.append("ulimit -t " + most + "; "));
        fileBytes.ifPresent(most -> script.append("ulimit -f " + most / SHELL_FILE_BLOCK + "; "));
        openFiles.ifPresent(most -> script.append("ulimit -n " + most + "; "));
        var shell = new ArrayList<>(List.of("/bin/sh", "-c", script + "exec \"$0\" \"$@\""));
        shell.addAll(words);
        return shell;
    }
}
