package io.millrace.sandbox.document;

import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.sandbox.isolation.FileGrants;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.isolation.ProcessLimits;
import io.millrace.sandbox.isolation.ProcessPurpose;
import io.millrace.sandbox.isolation.ProcessUser;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the texts of documents. Fails with {@link UnreadableDocument}. */
public final class DocumentTexts {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentTexts.class);

    /** Limit of concurrent processes: each uses its heap and some more memory. */
    private static final int AT_ONCE = 2;

    private static final Duration OUTER_LIMIT = Duration.ofMinutes(10);
    private static final int HEAP_MEGABYTES = 256;
    private static final String TOO_COMPLEX = "the document is too large or too complex to be read";

    private final Path directory;
    private final Isolation isolation;
    private final Limits limits;
    private final WorkerExecutor threads;

    /**
     * Limits for reading one document.
     *
     * @param charactersMax longest text; a longer one is refused
     * @param time for reading one document
     */
    public record Limits(int charactersMax, Duration time) {}

    /** @param directory working directory of the processes; nothing is written there */
    public DocumentTexts(Vertx vertx, Path directory, Isolation isolation, Limits limits) {
        this.directory = directory.toAbsolutePath();
        this.isolation = isolation;
        this.limits = limits;
        this.threads = WorkerThreads.open(vertx, "documents", AT_ONCE, OUTER_LIMIT);
    }

    /** Text of a document, without characters that the database cannot store; blank if there is none. */
    public Future<String> read(DocumentKind kind, Buffer data) {
        return threads.executeBlocking(
                () -> storable(kind.isParsed() ? parsed(kind, data.getBytes()) : decoded(data.getBytes())), false);
    }

    private String storable(String text) {
        if (text.length() > limits.charactersMax()) {
            throw new UnreadableDocument("the document has more than " + limits.charactersMax() + " characters");
        }
        return new String(text.replace("\0", "").getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static String decoded(byte[] bytes) {
        return ReceivedText.of(bytes)
                .map(ReceivedText::text)
                .orElseThrow(
                        () -> new UnreadableDocument("the document is not UTF-8 text, and has no byte order mark or"
                                + " declaration of another encoding"));
    }

    private String parsed(DocumentKind kind, byte[] bytes) throws IOException, InterruptedException {
        isolation.open(ProcessPurpose.CODE, directory);
        var user = isolation.userFor(ProcessPurpose.CODE);
        try {
            return parsed(kind, bytes, user);
        } finally {
            user.release();
        }
    }

    private String parsed(DocumentKind kind, byte[] bytes, ProcessUser user) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(isolation.command(
                        ProcessPurpose.CODE, user, grants(), ProcessLimits.INHERITED, Optional.empty(), command(kind)))
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        // The server's environment holds passwords and keys.
        builder.environment().clear();
        var process = builder.start();
        var clock = Thread.ofVirtual().start(() -> endAfter(process, limits.time()));
        try {
            Thread.ofVirtual().start(() -> send(process.getOutputStream(), bytes));
            var answer = process.getInputStream().readNBytes(answerBytesMax());
            return textOf(answer);
        } finally {
            process.destroyForcibly().onExit().join();
            clock.interrupt();
        }
    }

    private int answerBytesMax() {
        return (int) Math.min(Integer.MAX_VALUE - Long.BYTES, 1 + 3L * limits.charactersMax());
    }

    private static void endAfter(Process process, Duration time) {
        try {
            if (!process.waitFor(time)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends the document. A process that stops reading early does not need the rest. */
    private static void send(OutputStream out, byte[] bytes) {
        try (out) {
            out.write(bytes);
        } catch (IOException closed) {
            LOG.debug("a document was read only in part: {}", closed.getMessage());
        }
    }

    /** Text of the answer. A process that was killed or failed has not confirmed that its text is complete. */
    private static String textOf(byte[] answer) {
        if (answer.length == 0) {
            throw new UnreadableDocument(TOO_COMPLEX);
        }
        var text = new String(answer, 1, answer.length - 1, StandardCharsets.UTF_8);
        if (answer[0] != DocumentMain.TEXT) {
            throw new UnreadableDocument(text);
        }
        return text;
    }

    private List<String> command(DocumentKind kind) {
        return List.of(
                java().resolve("bin").resolve("java").toString(),
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisableAttachMechanism",
                "-XX:-UsePerfData",
                "-Djava.awt.headless=true",
                "-Dpdfbox.fontcache=" + directory,
                // Its output is the answer: a log line or a warning would be read as a part of it.
                "-XX:+DisplayVMOutputToStderr",
                "-Xlog:disable",
                "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider",
                "-cp",
                classPath().stream().map(Path::toString).collect(Collectors.joining(separator())),
                DocumentMain.class.getName(),
                kind.name(),
                Integer.toString(limits.charactersMax()));
    }

    private FileGrants grants() throws IOException {
        var read = new ArrayList<Path>(List.of(directory));
        for (var entry : classPath()) {
            if (Files.exists(entry)) {
                read.add(entry);
            }
        }
        return new FileGrants(read, List.of(java()), List.of());
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"));
    }

    /** Class path with absolute entries, because the process has another working directory. */
    private static List<Path> classPath() {
        return Pattern.compile(separator(), Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .toList();
    }

    private static String separator() {
        return System.getProperty("path.separator");
    }
}
