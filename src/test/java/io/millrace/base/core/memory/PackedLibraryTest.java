package io.millrace.base.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class PackedLibraryTest {
    private static final String NAME = "sample-0123456789abcdef.jar";
    private static final byte[] CONTENT = "content of a library ".repeat(1000).getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path directory;

    @Test
    void isEmpty_whenTheClassPathHoldsNoArchive() throws IOException {
        assertThat(PackedLibrary.unpack("engine", directory)).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void unpacksTheArchiveReadableForTheUserOfWorkers() throws Exception {
        var file = unpack(NAME + " " + CONTENT.length + "\n").orElseThrow();

        assertThat(file).hasFileName(NAME).hasBinaryContent(CONTENT);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        assertThat(directory.resolve("home")).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void usesAnExistingFileOfTheSameLengthAgain() throws Exception {
        var file = unpack(NAME + " " + CONTENT.length).orElseThrow();
        var time = Files.getLastModifiedTime(file);
        var key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();

        unpack(NAME + " " + CONTENT.length);

        assertThat(Files.getLastModifiedTime(file)).isEqualTo(time);
        assertThat(Files.readAttributes(file, BasicFileAttributes.class).fileKey())
                .isEqualTo(key);
    }

    @Test
    void replacesAnIncompleteFileAndDeletesThoseOfOtherReleases() throws Exception {
        var home = Files.createDirectories(directory.resolve("home"));
        Files.writeString(home.resolve(NAME), "half");
        var other = Files.writeString(home.resolve("sample-fedcba9876543210.jar"), "an earlier release");
        var unrelated = Files.writeString(home.resolve("another-fedcba9876543210.jar"), "another library");

        var file = unpack(NAME + " " + CONTENT.length).orElseThrow();

        assertThat(file).hasBinaryContent(CONTENT);
        assertThat(other).doesNotExist();
        assertThat(unrelated).exists();
    }

    @Test
    void refusesAnArchiveOfAnotherLength() throws Exception {
        assertThatThrownBy(() -> unpack(NAME + " 7"))
                .hasRootCauseMessage("the archive of the library sample holds " + CONTENT.length
                        + " bytes, expected 7: the file of this program is damaged");
        assertThat(directory.resolve("home")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sample", "../sample-0123456789abcdef.jar 5", "sample-0123456789abcdef.jar -5"})
    void refusesAnInvalidDescription(String description) {
        assertThatThrownBy(() -> unpack(description)).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void unpacksAhead_asOnFirstUse() throws Exception {
        var file = unpack(NAME + " " + CONTENT.length, "unpackAhead").orElseThrow();

        assertThat(file).hasFileName(NAME).hasBinaryContent(CONTENT);
        assertThat(unpack(NAME + " " + CONTENT.length)).contains(file);
    }

    @Test
    void leavesNoFile_whenUnpackingAheadIsInterrupted() throws Exception {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> unpack(NAME + " " + CONTENT.length, "unpackAhead"))
                .rootCause()
                .isInstanceOf(InterruptedIOException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(directory.resolve("home")).isEmptyDirectory();
        assertThat(unpack(NAME + " " + CONTENT.length).orElseThrow()).hasBinaryContent(CONTENT);
    }

    @Test
    void unpacksOnFirstUse_onAnInterruptedThread() throws Exception {
        Thread.currentThread().interrupt();

        var file = unpack(NAME + " " + CONTENT.length).orElseThrow();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).hasBinaryContent(CONTENT);
    }

    /** Each class loader has its own lock, as each process does. */
    @Test
    void isCompleteForEach_whenSeveralProcessesUnpackAtOnce() throws Exception {
        pack(NAME + " " + CONTENT.length);
        var together = new CyclicBarrier(4);
        try (var threads = Executors.newFixedThreadPool(4)) {
            var files = new ArrayList<Future<Optional<Path>>>();
            for (var thread = 0; thread < 4; thread++) {
                var method = thread % 2 == 0 ? "unpack" : "unpackAhead";
                files.add(threads.submit(() -> {
                    together.await();
                    return call(method);
                }));
            }
            for (var file : files) {
                assertThat(file.get().orElseThrow()).hasFileName(NAME).hasBinaryContent(CONTENT);
            }
        }
        assertThat(directory.resolve("home")).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void deletesIncompleteFilesOfKilledProcesses_andKeepsThoseBeingWritten() throws Exception {
        var home = Files.createDirectories(directory.resolve("home"));
        var abandoned = Files.writeString(home.resolve("sample-1.part"), "half");
        Files.setLastModifiedTime(abandoned, FileTime.from(Instant.now().minus(Duration.ofMinutes(61))));
        var written = Files.writeString(home.resolve("sample-2.part"), "half");
        Files.setLastModifiedTime(written, FileTime.from(Instant.now().minus(Duration.ofMinutes(59))));

        unpack(NAME + " " + CONTENT.length);

        assertThat(abandoned).doesNotExist();
        assertThat(written).exists();
    }

    private Optional<Path> unpack(String description) throws Exception {
        return unpack(description, "unpack");
    }

    private Optional<Path> unpack(String description, String method) throws Exception {
        pack(description);
        return call(method);
    }

    private void pack(String description) throws IOException {
        var packed = Files.createDirectories(directory.resolve("path/libraries"));
        Files.writeString(packed.resolve("sample.txt"), description);
        Files.write(packed.resolve("sample.jar.xz"), xz());
    }

    /** Calls a method of the class, reloaded from a class path that contains the archive. */
    @SuppressWarnings("unchecked") // the return type of the method under test
    private Optional<Path> call(String method) throws Exception {
        var own = PackedLibrary.class.getProtectionDomain().getCodeSource().getLocation();
        var urls = new URL[] {directory.resolve("path").toUri().toURL(), own};
        try (var loader = new Isolated(urls)) {
            var type = Class.forName(PackedLibrary.class.getName(), true, loader);
            return (Optional<Path>)
                    type.getMethod(method, String.class, Path.class).invoke(null, "sample", directory.resolve("home"));
        }
    }

    private static byte[] xz() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new XZOutputStream(bytes, new LZMA2Options(0))) {
            out.write(CONTENT);
        }
        return bytes.toByteArray();
    }

    /** Reloads the class under test, so that it looks for archives in another class path. */
    private static final class Isolated extends URLClassLoader {
        Isolated(URL[] urls) {
            super(urls, PackedLibraryTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(PackedLibrary.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
        }
    }
}
