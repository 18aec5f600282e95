package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Path of the start cache that the executable passes to Java; a script that prints its arguments replaces Java. */
final class AotCacheTest {
    private static final Path STUB = Path.of("src", "main", "stub", "millrace");

    @TempDir
    private Path directory;

    private Path program;
    private Path java;

    @BeforeEach
    void install() throws IOException {
        program = Files.createDirectory(directory.resolve("a place")).resolve("millrace");
        Files.copy(STUB, program);
        java = directory.resolve("java");
        Files.createDirectories(java.resolve("bin"));
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
        Files.writeString(java.resolve("bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        for (var executable : List.of(program, java.resolve("bin/java"))) {
            Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void namesTheCacheNextToTheProgram_andUsesIt_afterItsCreation() throws IOException, InterruptedException {
        // given no cache
        var before = start(Map.of());

        // then it is named, and not used
        assertThat(before)
                .noneMatch(word -> word.startsWith("-XX:AOT"))
                .endsWith("-cp", program.toString(), "io.millrace.Millrace");
        var file = cacheOf(before);
        assertThat(file.getParent()).isEqualTo(program.getParent());

        // when it has been created
        Files.writeString(file, "a cache");

        // then
        assertThat(start(Map.of())).contains("-XX:AOTCache=" + file, "-Dmillrace.startCache=" + file);
    }

    @Test
    void losesTheCache_whenItsJavaCrashes() throws IOException, InterruptedException {
        // given a damaged cache, and a Java that crashes with it and otherwise works
        var file = cacheOf(start(Map.of()));
        Files.writeString(file, "a cache with damage");
        var neighbour = Files.writeString(file.resolveSibling("millrace-other.aot"), "of another");
        var crash = start(Map.of()).stream()
                .filter(word -> word.startsWith("-XX:OnError="))
                .map(word -> word.substring("-XX:OnError=".length()))
                .toList();
        assertThat(crash).hasSize(1);
        assertThat(new ProcessBuilder("sh", "-c", crash.getFirst()).start().waitFor())
                .isZero();

        // then the next start omits it
        assertThat(file).doesNotExist();
        assertThat(neighbour).exists();
        assertThat(start(Map.of())).noneMatch(word -> word.startsWith("-XX:AOT") || word.startsWith("-XX:OnError"));
    }

    @Test
    void asksForAnotherCache_whenTheProgramOrItsJavaIsAnother() throws IOException, InterruptedException {
        // given
        var first = cacheOf(start(Map.of()));
        Files.writeString(first, "a cache");

        // when
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"25.0.4\"\n");
        var ofOtherJava = start(Map.of());
        Files.writeString(program, "\n# another build", StandardOpenOption.APPEND);
        var ofOtherBuild = start(Map.of());

        // then
        assertThat(ofOtherJava).noneMatch(word -> word.startsWith("-XX:AOT"));
        assertThat(List.of(first, cacheOf(ofOtherJava), cacheOf(ofOtherBuild))).doesNotHaveDuplicates();
    }

    @Test
    void leavesTheCacheToTheOperator_whoNamesOne() throws IOException, InterruptedException {
        // given
        Files.writeString(cacheOf(start(Map.of())), "a cache");

        // when
        var own = start(Map.of("MILLRACE_JAVA_OPTIONS", "-XX:AOTCache=/their/own.aot -Dmillrace.startCache="));

        // then
        assertThat(own).containsOnlyOnce("-XX:AOTCache=/their/own.aot");
        assertThat(own.stream().filter(word -> word.startsWith("-XX:AOT"))).hasSize(1);
        assertThat(cacheOf(own)).hasToString("");
    }

    @Test
    void hasNoCache_whenItDoesNotRunFromOneFile() {
        assertThat(AotCache.of(directory)).isEmpty();
    }

    @Test
    void trainingRunIsMeant_onlyInADirectoryThatWasMadeForOne() {
        var words = List.of(AotTrainingRun.WORD);
        assertThat(AotTrainingRun.isMeant(words, Map.of("AP_DATA_DIR", "/data/" + AotCache.SCRATCH + "123")))
                .isTrue();
        assertThat(AotTrainingRun.isMeant(
                        List.of(AotTrainingRun.WORD, "200"),
                        Map.of("AP_DATA_DIR", "/data/" + AotCache.SCRATCH + "123")))
                .isTrue();
        assertThat(AotTrainingRun.isMeant(words, Map.of("AP_DATA_DIR", "/data")))
                .isFalse();
        assertThat(AotTrainingRun.isMeant(words, Map.of("AP_DATA_DIR", "/"))).isFalse();
        assertThat(AotTrainingRun.isMeant(words, Map.of())).isFalse();
        assertThat(AotTrainingRun.isMeant(List.of(), Map.of("AP_DATA_DIR", AotCache.SCRATCH + "1")))
                .isFalse();
    }

    private static Path cacheOf(List<String> words) {
        var prefix = "-D" + AotCache.PROPERTY + "=";
        return words.stream()
                .filter(word -> word.startsWith(prefix))
                .reduce((_, last) -> last)
                .map(word -> Path.of(word.substring(prefix.length())))
                .orElseThrow();
    }

    private List<String> start(Map<String, String> environment) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(program.toString()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", java.toString());
        builder.environment().remove("MILLRACE_JAVA_OPTIONS");
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        var words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).isZero();
        return words;
    }
}
