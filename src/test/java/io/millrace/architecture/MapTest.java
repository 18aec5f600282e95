package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contributor page, README and picture show the same package dependencies as {@link Arrows}. */
final class MapTest {
    @Test
    void pageShowsTheArrows() throws IOException {
        var shown = section("## The arrows", "## ").lines().map(MapTest::words).toList();

        assertThat(shown)
                .containsAll(Arrows.areas().stream().map(MapTest::words).toList());
    }

    @Test
    void mapNamesEveryPackage_belowItsArea() throws IOException {
        var map = section("## The map", "## The arrows");

        for (var name : Arrows.packages()) {
            var area = name.split("\\.", 2)[0];
            var module = name.substring(name.lastIndexOf('.') + 1);
            assertThat(linesOf(map, area))
                    .as("lines of %s in the map", area)
                    .anySatisfy(line ->
                            assertThat(Arrays.asList(line.split("[\\s/]+"))).contains(module));
        }
    }

    @Test
    void readmeNamesEveryArea() throws IOException {
        var readme = Files.readString(Path.of("README.md"));

        assertThat(Arrows.packages())
                .map(name -> name.split("\\.", 2)[0])
                .allSatisfy(area -> assertThat(readme).contains("\n  " + area + "/ "));
    }

    @Test
    void pictureShowsEveryPackage() throws IOException {
        var picture = Files.readString(Path.of("src/site/markdown/images/architecture.svg"));

        assertThat(Arrows.packages())
                .allSatisfy(name -> assertThat(picture)
                        .as("run scripts/architecture to redraw it")
                        .contains("<title>" + name + "</title>"));
    }

    /** The line of an area, and the more deeply indented lines below it. */
    private static List<String> linesOf(String map, String area) {
        var lines = map.lines().toList();
        var first = lines.stream()
                .filter(line -> line.startsWith("  " + area + "/"))
                .findFirst();
        assertThat(first).as("a line for the area " + area).isPresent();
        var from = lines.indexOf(first.get());
        var to = from + 1;
        while (to < lines.size() && lines.get(to).startsWith("    ")) {
            to++;
        }
        return lines.subList(from, to);
    }

    private static String section(String heading, String next) throws IOException {
        var page = Files.readString(Path.of("src/site/markdown/contributing.md"));
        var from = page.indexOf(heading);
        assertThat(from).as("the page has the section " + heading).isNotNegative();
        return page.substring(from, page.indexOf("\n" + next, from + heading.length()));
    }

    private static String words(String line) {
        return line.strip().replaceAll("\\s+", " ");
    }
}
