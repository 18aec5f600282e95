package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the TypeScript of the console that neither its compiler nor its formatter checks. */
final class ConsoleSourcesTest {
    private static final Path SOURCE = Path.of("src/main/console");
    private static final Pattern STATE =
            Pattern.compile("const \\[(?<value>\\w+),\\s*(?<setter>\\w+)\\]\\s*=\\s*useState\\b");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import)\\s*\\(?\\s*'(\\.[^']*)'");
    private static final Pattern CAST = Pattern.compile("\\bas never\\b");
    private static final Pattern DOUBLE_CAST = Pattern.compile("\\bas unknown as\\b");

    private static List<String> found(Pattern pattern) throws IOException {
        return found(pattern, ".*(?<!\\.test)\\.tsx?");
    }

    private static List<String> found(Pattern pattern, String files) throws IOException {
        try (var all = Files.walk(SOURCE)) {
            return all.filter(file -> file.toString().matches(files))
                    .sorted()
                    .flatMap(file -> found(pattern, file))
                    .toList();
        }
    }

    private static Stream<String> found(Pattern pattern, Path file) {
        try {
            return pattern.matcher(Files.readString(file)).results().map(match -> file + ": " + match.group());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void namesTheSetterOfAStateAfterItsValue() throws IOException {
        var states = found(STATE);

        assertThat(states).hasSizeGreaterThan(300);
        assertThat(states.stream().map(STATE::matcher).filter(state -> {
                    state.find();
                    var value = state.group("value");
                    return !state.group("setter")
                            .equals("set" + value.substring(0, 1).toUpperCase(Locale.ROOT) + value.substring(1));
                }))
                .isEmpty();
    }

    /** A type that a page and its dialogs share is declared in a separate file, usually {@code model.ts}. */
    @Test
    void modulesDoNotImportEachOtherInACircle() throws IOException {
        var imports = new TreeMap<Path, List<Path>>();
        try (var files = Files.walk(SOURCE)) {
            files.filter(file -> file.toString().matches(".*\\.tsx?"))
                    .forEach(file -> imports.put(file, importsOf(file)));
        }
        assertThat(imports).hasSizeGreaterThan(500);
        assertThat(imports.get(SOURCE.resolve("mcp/McpPage.tsx"))).contains(SOURCE.resolve("mcp/model.ts"));

        // A module that imports no remaining one is in no circle.
        var before = 0;
        while (before != imports.size()) {
            before = imports.size();
            imports.values().removeIf(targets -> targets.stream().noneMatch(imports::containsKey));
        }

        assertThat(imports).isEmpty();
    }

    private static List<Path> importsOf(Path file) {
        try {
            return IMPORT.matcher(Files.readString(file))
                    .results()
                    .flatMap(found -> Stream.of(".ts", ".tsx", "/index.ts", "/index.tsx")
                            .map(ending -> file.resolveSibling(found.group(1) + ending))
                            .map(Path::normalize)
                            .filter(Files::exists))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void castsNothingToNever() throws IOException {
        assertThat(found(CAST, ".*\\.tsx?")).isEmpty();
    }

    /** Tests use {@code part} of {@code base/testing} for values with few fields. */
    @Test
    void castsNothingThroughUnknown_alsoInTests() throws IOException {
        assertThat(found(DOUBLE_CAST, ".*\\.tsx?")).isEmpty();
    }
}
