package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The stylesheets of the console are bundled into one: rules of one area must not affect elements of other areas
 * (decision 0110).
 */
final class ConsoleStylesTest {
    private static final Path SOURCE = Path.of("src/main/console");
    private static final Pattern RULE = Pattern.compile("^\\.(?<name>[\\w-]+)(?=[\\s{.:\\[>,])", Pattern.MULTILINE);
    private static final Pattern CLASS = Pattern.compile("\\.(?<name>[a-zA-Z][\\w-]*)");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    /** Selectors of a rule; an at-rule has rules in its braces. */
    private static final Pattern SELECTOR = Pattern.compile("(?<=[{};]|^)[^{};@]+(?=\\{)");

    private static final Pattern STEP_OF_AN_ANIMATION = Pattern.compile("from|to|[\\d.]+%");
    private static final Set<String> FOR_ALL = Set.of("base", "frame");

    /** The guest pages are a separate bundle, whose stylesheet no other area loads. */
    private static final Set<String> OWN_SHEET = Set.of("guest");

    @Test
    void namesAClassInOneAreaOnly() throws IOException {
        // When
        var areas = new TreeMap<String, Set<String>>();
        for (var file : sheets()) {
            var area = areaOf(file);
            RULE.matcher(Files.readString(file))
                    .results()
                    .filter(_ -> !FOR_ALL.contains(area) && !OWN_SHEET.contains(area))
                    .forEach(rule -> areas.computeIfAbsent(rule.group("name"), _ -> new TreeSet<>())
                            .add(area));
        }

        // Then
        var common = areas.entrySet().stream()
                .filter(each -> each.getValue().size() > 1)
                .map(Map.Entry::toString)
                .toList();
        assertThat(common).isEmpty();
    }

    /** A rule of an area names a class of the area; a rule for elements or shared classes alone would affect every page. */
    @Test
    void namesAClassOfItsAreaInEachRule() throws IOException {
        // Given
        var shared = new TreeSet<String>();
        for (var file : sheets()) {
            if (FOR_ALL.contains(areaOf(file))) {
                RULE.matcher(Files.readString(file)).results().forEach(rule -> shared.add(rule.group("name")));
            }
        }
        assertThat(shared).contains("button", "field");

        // When
        var without = new ArrayList<String>();
        for (var file : sheets()) {
            if (!FOR_ALL.contains(areaOf(file)) && !OWN_SHEET.contains(areaOf(file))) {
                SELECTOR.matcher(COMMENT.matcher(Files.readString(file)).replaceAll(""))
                        .results()
                        .map(rule -> rule.group().strip())
                        .filter(selector ->
                                !STEP_OF_AN_ANIMATION.matcher(selector).matches())
                        .filter(selector ->
                                CLASS.matcher(selector).results().allMatch(name -> shared.contains(name.group("name"))))
                        .forEach(selector -> without.add(file + ": " + selector));
            }
        }

        // Then
        assertThat(without).isEmpty();
    }

    private static List<Path> sheets() throws IOException {
        try (var files = Files.walk(SOURCE)) {
            return files.filter(each -> each.toString().endsWith(".css")).toList();
        }
    }

    private static String areaOf(Path sheet) {
        return SOURCE.relativize(sheet).getName(0).toString();
    }
}
