package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of limits lists every setting that is a limit, with its current values. */
final class LimitsPageTest {
    private static final Path PAGE = Path.of("src", "site", "markdown", "limits.md");
    private static final Pattern LIMIT = Pattern.compile("AP_.*(MAX|LIMIT|TIMEOUT|RETENTION|PER_SECOND).*");

    @Test
    void listsEverySettingThatIsALimit() throws IOException {
        var rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| AP_"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(Stream.of(Setting.values())
                        .filter(setting -> LIMIT.matcher(setting.name()).matches())
                        .map(setting -> "| " + setting + " | `" + setting.defaultText() + "` | " + setting.unit()
                                + " | " + setting.meaning() + " |")
                        .toList());
    }
}
