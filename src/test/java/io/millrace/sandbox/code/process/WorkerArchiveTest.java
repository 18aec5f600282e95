package io.millrace.sandbox.code.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.sandbox.share.ProcessShares;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acceptance of the start cache options by the virtual machine, together with the options of every worker. */
class WorkerArchiveTest {
    @TempDir
    private Path directory;

    @Test
    void startsWithTheOptionsThatMakeTheCache_andThoseThatUseIt() throws IOException, InterruptedException {
        var file = directory.resolve("cache");

        assertThat(said(List.of(WorkerArchive.making(file)))).contains("version \"");
        assertThat(said(WorkerArchive.use(file))).contains("version \"");
    }

    /** The class path of a development build has directories. */
    @Test
    void startsWithTheFirstCompilerOnly_whereNoCacheCanBeMade() throws IOException {
        withProperties(
                Map.of("java.class.path", directory.toString()),
                () -> assertThat(new WorkerArchive(settings()).options()).containsExactly("-XX:TieredStopAtLevel=1"));
    }

    @Test
    void makesACacheOfItsOwn_whereTheClassPathIsOfFilesOnly() throws IOException {
        var jar = Files.writeString(directory.resolve("all.jar"), "");

        withProperties(
                Map.of("java.class.path", jar.toString()),
                () -> assertThat(new WorkerArchive(settings()).options()).isEmpty());
    }

    @Test
    void takesACacheThatWasMadeBeforehand() throws IOException {
        var cache = directory.resolve("ready.aot");

        withProperties(
                Map.of("millrace.workerCache", cache.toString()),
                () -> assertThat(new WorkerArchive(settings()).options())
                        .containsExactly("-XX:AOTCache=" + cache, "-XX:TieredStopAtLevel=1"));
    }

    /** Runs an action with these system properties, without the cache of the check, and restores the previous ones. */
    private static void withProperties(Map<String, String> properties, Part part) throws IOException {
        var former = new Properties();
        former.putAll(System.getProperties());
        try {
            System.clearProperty("millrace.workerCache");
            properties.forEach(System::setProperty);
            part.run();
        } finally {
            System.setProperties(former);
        }
    }

    private interface Part {
        void run() throws IOException;
    }

    private CodeSettings settings() {
        return CodeSettings.forHost(
                directory,
                64L << 20,
                new ProcessShares(2, 2),
                new Isolation(Isolation.Settings.of(directory.resolve("isolation"))),
                BackoffSettings.OFF);
    }

    /** Output of the virtual machine of a worker for {@code -version}. */
    private String said(List<String> options) throws IOException, InterruptedException {
        var all = new ArrayList<>(options);
        all.add("-version");
        var process = new ProcessBuilder(WorkerCommand.of(settings(), all, List.of()))
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
