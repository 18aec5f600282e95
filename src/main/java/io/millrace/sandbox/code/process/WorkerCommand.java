package io.millrace.sandbox.code.process;

import io.millrace.base.core.memory.PackedLibrary;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.worker.WorkerMain;
import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.ProcessPriority;
import io.millrace.sandbox.isolation.ProcessPurpose;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Command line of a worker: this server's Java and class path, a small fixed heap, no inherited environment. */
final class WorkerCommand {
    private static final long ENGINE_BYTES = 48L << 20;

    static final String ENGINE = "engine";

    private WorkerCommand() {}

    static List<String> isolated(CodeSettings settings, List<String> options) throws IOException {
        settings.isolation().open(ProcessPurpose.CODE, settings.home());
        settings.isolation().lend(ProcessPurpose.CODE, settings.engineDirectory());
        List<Path> read = new ArrayList<>(List.of(settings.home()));
        try (Stream<Path> entries = classPath(settings)) {
            entries.forEach(read::add);
        }
        WorkerArchive.readyMade().ifPresent(read::add);
        FileGrants grants = new FileGrants(
                read, List.of(Path.of(System.getProperty("java.home"))), List.of(settings.engineDirectory()));
        List<String> command = new ArrayList<>(ProcessPriority.prefix());
        command.addAll(settings.isolation().command(ProcessPurpose.CODE, grants, of(settings, options, List.of())));
        return command;
    }

    static List<String> of(CodeSettings settings, List<String> options, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + ((settings.memoryLimitBytes() + ENGINE_BYTES) >> 20) + "m");
        command.addAll(List.of(
                "-Xms16m",
                "-XX:+UseSerialGC",
                "-XX:MinHeapFreeRatio=15",
                "-XX:MaxHeapFreeRatio=40",
                "-XX:-ShrinkHeapInSteps",
                "-XX:TrimNativeHeapInterval=5000",
                "-XX:+ExitOnOutOfMemoryError",
                // Standard output carries frames only: a warning there would be read as a frame.
                "-XX:+DisplayVMOutputToStderr",
                "-Xlog:disable",
                "-Xlog:all=warning:stderr",
                "-XX:+DisableAttachMechanism",
                "-XX:-UsePerfData",
                "-XX:MaxDirectMemorySize=16m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.awt.headless=true",
                "-Dpolyglot.engine.userResourceCache=" + settings.engineDirectory()));
        command.addAll(options);
        command.addAll(List.of("-cp", joinedClassPath(settings), WorkerMain.class.getName()));
        command.addAll(arguments);
        return command;
    }

    /**
     * Class path with absolute entries, because the worker has another working directory. The packaged file holds the engine as an
     * archive, which is unpacked here and is the last entry.
     */
    static Stream<Path> classPath(CodeSettings settings) throws IOException {
        Stream<Path> own = Pattern.compile(System.getProperty("path.separator"), Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .map(entry -> Path.of(entry).toAbsolutePath());
        return Stream.concat(own, PackedLibrary.unpack(ENGINE, settings.home()).stream());
    }

    private static String joinedClassPath(CodeSettings settings) throws IOException {
        try (Stream<Path> entries = classPath(settings)) {
            return entries.map(Path::toString).collect(Collectors.joining(System.getProperty("path.separator")));
        }
    }
}
