package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The benchmarks of {@code scripts/bench --jmh} compile against the main classes. No other build compiles them, because
 * JMH is not a dependency: this test has stubs of the JMH types.
 */
final class BenchmarkSourcesTest {
    private static final Path SOURCES = Path.of("src/jmh/java");

    private static final Map<String, String> JMH = Map.ofEntries(
            Map.entry("Benchmark", "public @interface Benchmark {}"),
            Map.entry("BenchmarkMode", "public @interface BenchmarkMode { Mode[] value(); }"),
            Map.entry("Fork", "public @interface Fork { int value(); }"),
            Map.entry("Measurement", "public @interface Measurement { int iterations(); int time(); }"),
            Map.entry("Mode", "public enum Mode { AverageTime, Throughput }"),
            Map.entry("OutputTimeUnit", "public @interface OutputTimeUnit { java.util.concurrent.TimeUnit value(); }"),
            Map.entry("Param", "public @interface Param { String[] value(); }"),
            Map.entry("Scope", "public enum Scope { Thread }"),
            Map.entry("Setup", "public @interface Setup {}"),
            Map.entry("State", "public @interface State { Scope value(); }"),
            Map.entry("Warmup", "public @interface Warmup { int iterations(); int time(); }"));

    /** A source file in memory. */
    private static final class Text extends SimpleJavaFileObject {
        private final String code;

        Text(String name, String code) {
            super(URI.create("text:///" + name.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    @TempDir
    private Path classes;

    private String complaints(List<JavaFileObject> sources) {
        var complaints = new StringWriter();
        var options = List.of(
                "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        ToolProvider.getSystemJavaCompiler()
                .getTask(complaints, null, null, options, null, sources)
                .call();
        return complaints.toString();
    }

    private static List<JavaFileObject> benchmarks() throws IOException {
        var sources = new ArrayList<JavaFileObject>();
        JMH.forEach((name, code) -> sources.add(
                new Text("org.openjdk.jmh.annotations." + name, "package org.openjdk.jmh.annotations; " + code)));
        try (var files = Files.walk(SOURCES)) {
            for (var file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(new Text(file.getFileName().toString().replace(".java", ""), Files.readString(file)));
            }
        }
        return sources;
    }

    @Test
    void compile() throws IOException {
        var sources = benchmarks();

        assertThat(sources).hasSizeGreaterThan(JMH.size());
        assertThat(complaints(sources)).isEmpty();
    }

    @Test
    void useOfAClassThatIsNotThere_isFoundOut() throws IOException {
        var sources = benchmarks();
        sources.add(new Text("Stale", "class Stale { io.millrace.engine.run.machine.Moved moved; }"));

        assertThat(complaints(sources)).contains("Moved");
    }
}
