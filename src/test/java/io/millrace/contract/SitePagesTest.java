package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Links of the documentation resolve: in the sources, and on the site built from the same files. */
final class SitePagesTest {
    private static final Path PAGES = Path.of("src", "site", "markdown");
    private static final Path DECISIONS = PAGES.resolve("decisions");
    private static final Path MENU = Path.of("src", "site", "site.xml");
    private static final Path README = Path.of("README.md");
    private static final Path CONSOLE = Path.of("src", "main", "console", "README.md");

    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
    private static final Pattern ITEM = Pattern.compile("href=\"([^\"]+)\\.html\"");
    private static final Pattern SCRIPT = Pattern.compile("scripts/([a-z]+)");
    private static final int README_LINES_MAX = 250;
    private static final long PICTURE_BYTES_MAX = 100_000;

    @Test
    void linksLeadToFiles() throws IOException {
        var lost = new ArrayList<String>();
        var seen = 0;
        for (var page : texts()) {
            for (var link : links(page)) {
                seen++;
                if (!Files.exists(page.resolveSibling(link).normalize())) {
                    lost.add(page + " to " + link);
                }
            }
        }

        assertThat(seen).isGreaterThan(100);
        assertThat(lost).isEmpty();
    }

    /**
     * Pages link only to files in this folder, which are on the site, and to no heading, because heading ids differ
     * there.
     */
    @Test
    void pagesOfTheSiteLinkWithinIt_andToWholePages() throws IOException {
        var outside = new ArrayList<String>();
        for (var page : pages()) {
            for (var link : links(page)) {
                if (link.contains("#") || !page.resolveSibling(link).normalize().startsWith(PAGES)) {
                    outside.add(page + " to " + link);
                }
            }
        }

        assertThat(outside).isEmpty();
    }

    @Test
    void menuLeadsToEveryPage_butForTheRecordsThemselves() throws IOException {
        var items = ITEM.matcher(Files.readString(MENU))
                .results()
                .map(item -> PAGES.resolve(item.group(1) + ".md"))
                .toList();
        var wanted = new TreeSet<>(pages());
        wanted.removeIf(page -> page.startsWith(DECISIONS));
        wanted.add(DECISIONS.resolve("index.md"));

        assertThat(items).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void scriptsThatTheTextsNameAreThere() throws IOException {
        Set<Path> named = new TreeSet<>();
        for (var page : List.of(README, PAGES.resolve("contributing.md"), PAGES.resolve("cluster.md"))) {
            SCRIPT.matcher(Files.readString(page))
                    .results()
                    .forEach(found -> named.add(Path.of("scripts", found.group(1))));
        }

        assertThat(named)
                .hasSizeGreaterThan(10)
                .allSatisfy(script -> assertThat(script).isExecutable());
    }

    @Test
    void readmeIsShort_andPicturesAreSmall() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThan(README_LINES_MAX);
        for (var picture : files(PAGES.resolve("images"), "")) {
            assertThat(picture).isRegularFile();
            assertThat(Files.size(picture)).as(picture.toString()).isLessThan(PICTURE_BYTES_MAX);
        }
    }

    private static List<Path> texts() throws IOException {
        var texts = new ArrayList<>(pages());
        texts.add(README);
        texts.add(CONSOLE);
        return texts;
    }

    private static List<Path> pages() throws IOException {
        return files(PAGES, ".md");
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(ending))
                    .toList();
        }
    }

    /** Targets of the relative links of a page. */
    private static List<String> links(Path page) throws IOException {
        var text = CODE.matcher(Files.readString(page)).replaceAll("");
        return LINK.matcher(text)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.contains("://"))
                .collect(Collectors.toList());
    }
}
