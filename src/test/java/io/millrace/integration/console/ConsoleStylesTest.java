package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The stylesheets of the console are bundled into one: rules of one area must not affect classes of another area. */
final class ConsoleStylesTest {
    private static final Path SOURCE = Path.of("src/main/console");
    private static final Pattern RULE = Pattern.compile("^\\.(?<name>[\\w-]+)(?=[\\s{.:\\[>,])", Pattern.MULTILINE);
    private static final Set<String> FOR_ALL = Set.of("base", "frame");

    /** The guest pages are a separate bundle, whose stylesheet no other area loads. */
    private static final Set<String> OWN_SHEET = Set.of("guest");

    @Test
    void namesAClassInOneAreaOnly() throws IOException {
        // When
        var areas = new TreeMap<String, Set<String>>();
        try (var files = Files.walk(SOURCE)) {
            for (var file :
                    files.filter(each -> each.toString().endsWith(".css")).toList()) {
                var area = SOURCE.relativize(file).getName(0).toString();
                RULE.matcher(Files.readString(file))
                        .results()
                        .filter(_ -> !FOR_ALL.contains(area) && !OWN_SHEET.contains(area))
                        .forEach(rule -> areas.computeIfAbsent(rule.group("name"), _ -> new TreeSet<>())
                                .add(area));
            }
        }

        // Then
        var common = areas.entrySet().stream()
                .filter(each -> each.getValue().size() > 1)
                .map(Map.Entry::toString)
                .toList();
        assertThat(common).isEmpty();
    }
}
