package io.millrace.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The whole server as a separate process that can be killed. It is started by a command, listens on a free port of the
 * loopback address, and ends with the tests at the latest.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("is listening on http://[^:]+:(\\d+)");
    private static final int LINES_KEPT = 200;

    /** The server's main class. */
    static final String MAIN = "io.millrace.Millrace";

    /** File to which the output of all servers is appended; none if the property is not set. */
    private static final Optional<Path> LOG =
            Optional.ofNullable(System.getProperty("millrace.servers.log")).map(Path::of);

    private final Process process;
    private final Thread guard;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final Deque<String> lines = new ArrayDeque<>();
    private final Thread reader;

    private ServerProcess(Process process) {
        this.process = process;
        this.guard = new Thread(process::destroyForcibly, "end-server");
        Runtime.getRuntime().addShutdownHook(guard);
        this.reader = Thread.ofPlatform().daemon().name("server-output").start(this::read);
    }

    /** Starts the server from the classes of the tests; does not wait. */
    public static ServerProcess ofClasses(Path dataDirectory, Map<String, String> settings) {
        return ofClasses(MAIN, List.of(), List.of(), dataDirectory, settings);
    }

    /** Starts another main class from the classes of the tests, with further options of the JVM. */
    public static ServerProcess ofClasses(
            String mainClass,
            List<String> options,
            List<String> arguments,
            Path dataDirectory,
            Map<String, String> settings) {
        return start(commandOfClasses(mainClass, options, arguments), dataDirectory, settings);
    }

    /** Command that starts a main class from the classes of the tests. */
    public static List<String> commandOfClasses(String mainClass, List<String> options, List<String> arguments) {
        // Relative entries would not resolve in the server's working directory.
        var classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        var command = command(classPath);
        command.addAll(StartCaches.serverOptions());
        command.addAll(options);
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    /** Command of a server up to its main class; a start cache requires the options that it was made with. */
    static List<String> command(String classPath) {
        return new ArrayList<>(List.of(
                java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath));
    }

    /** Starts a command with these settings and no others; does not wait. */
    public static ServerProcess start(List<String> command, Path dataDirectory, Map<String, String> settings) {
        var builder = new ProcessBuilder(new ArrayList<>(command))
                .directory(dataDirectory.toFile())
                .redirectErrorStream(true);
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("AP_"));
        environment.put("AP_HOST", "127.0.0.1");
        environment.put("AP_PORT", "0");
        environment.put("AP_DATA_DIR", dataDirectory.toString());
        environment.putAll(settings);
        try {
            return new ServerProcess(builder.start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Java executable of this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Waits until the server reports that it listens, and returns its port. */
    public int port(Duration deadline) {
        try {
            Waiting.until("the server listens or has ended", deadline, port::isDone);
            return port.get();
        } catch (ExecutionException | AssertionError notListening) {
            throw new AssertionError("expected the server to listen, found\n" + output(), notListening);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** Waits until the server listens, and returns a client without a token. */
    public ApiClient api(Duration deadline) {
        return ApiClient.anonymous(port(deadline));
    }

    /** Kills the server with SIGKILL, as the kernel does when memory is short. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Freezes the server process with SIGSTOP, which it cannot handle. */
    public void freeze() {
        signal("STOP");
    }

    /** Freezes the server process and the processes of its pieces and code, as {@code docker pause} does. */
    public void freezeWithItsProcesses() {
        var all = process.descendants().toList();
        freeze();
        all.forEach(child -> signal("STOP", child.pid()));
    }

    /** Resumes a frozen server process (SIGCONT) after its child processes. */
    public void thaw() {
        process.descendants().forEach(child -> signal("CONT", child.pid()));
        signal("CONT");
    }

    /** Sends SIGHUP, the signal of a service manager after a change of settings. */
    public void hangUp() {
        signal("HUP");
    }

    /** True if this process, and so each child process, ignores SIGHUP, for example under nohup. */
    public static boolean ignoresHangUp() {
        var status = Path.of("/proc/self/status");
        try {
            return Files.exists(status)
                    && Files.readAllLines(status).stream()
                            .filter(line -> line.startsWith("SigIgn:"))
                            .anyMatch(line -> Integer.parseInt(line.substring(line.length() - 1), 16) % 2 == 1);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void signal(String name) {
        if (signal(name, process.pid()) != 0) {
            throw new AssertionError("expected to send " + name + " to a living server");
        }
    }

    /** Waits for the end of the command, and returns its exit status. */
    private static int signal(String name, long pid) {
        try {
            return new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .start()
                    .waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** True after the server has reported that it listens. */
    public boolean isListening() {
        return port.isDone() && !port.isCompletedExceptionally();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks the server to stop (SIGTERM). */
    public void terminate() {
        process.destroy();
    }

    /** Waits for the server's end, and returns its exit status. */
    public int exitStatus(Duration deadline) {
        try {
            if (!process.waitFor(MachineSpeed.deadline(deadline).toMillis(), TimeUnit.MILLISECONDS)
                    && !process.waitFor(MachineSpeed.extension(deadline).toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("expected the server to end within " + deadline + ", found\n" + output());
            }
            reader.join(deadline.toMillis());
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** The process and its descendants. */
    public List<ProcessHandle> processes() {
        var all = new ArrayList<ProcessHandle>();
        all.add(process.toHandle());
        process.descendants().forEach(all::add);
        return all;
    }

    /** The last lines that the server wrote, on either stream. */
    public String output() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exitStatus(Duration.ofSeconds(10));
        Runtime.getRuntime().removeShutdownHook(guard);
    }

    private void read() {
        try (var input = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = input.readLine(); line != null; line = input.readLine()) {
                keep(line);
                var listening = LISTENING.matcher(line);
                if (listening.find()) {
                    port.complete(Integer.parseInt(listening.group(1)));
                }
            }
            port.completeExceptionally(new IOException("the server ended"));
        } catch (IOException broken) {
            port.completeExceptionally(broken);
        }
    }

    private void keep(String line) throws IOException {
        if (LOG.isPresent()) {
            Files.writeString(LOG.get(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        synchronized (lines) {
            lines.addLast(line);
            if (lines.size() > LINES_KEPT) {
                lines.removeFirst();
            }
        }
    }
}
