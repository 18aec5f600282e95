package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks of the container image's Dockerfile without building it. */
class ContainerImageTest {
    private static final Pattern STAGE = Pattern.compile("(?m)^FROM (\\S+) AS (\\S+)$");
    private static final Pattern USER = Pattern.compile("(?m)^USER (\\S+)$");
    private static final Pattern SOURCES = Pattern.compile("\\$\\{project\\.basedir}/([A-Za-z/.]+)");

    private record Stage(String base, String name, String text) {}

    private static List<Stage> stages() throws IOException {
        var recipe = Files.readString(Path.of("Dockerfile"));
        var found = STAGE.matcher(recipe).results().toList();
        var stages = new ArrayList<Stage>();
        for (var index = 0; index < found.size(); index++) {
            var end = index + 1 < found.size() ? found.get(index + 1).start() : recipe.length();
            var match = found.get(index);
            stages.add(new Stage(match.group(1), match.group(2), recipe.substring(match.start(), end)));
        }
        return stages;
    }

    private static Stage stage(String name) throws IOException {
        return stages().stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void endsWithAnImageThatHasNodeJs_onTopOfOneThatHasNone() throws IOException {
        var last = stages().getLast();

        assertThat(last.base()).isEqualTo("slim");
        assertThat(last.text()).contains("--from=node /usr/local/bin/node", "node_modules/npm");
        assertThat(stage("slim").text()).doesNotContain("--from=node").contains("HEALTHCHECK", "VOLUME /data");
    }

    /** The user of each runnable stage is numeric, so that a cluster can check it. */
    @Test
    void runsAsAUserThatIsNotRoot() throws IOException {
        for (var name : List.of("slim", "full")) {
            var users = USER.matcher(stage(name).text()).results().toList();

            assertThat(users.getLast().group(1)).as(name).matches("[1-9][0-9]*:[1-9][0-9]*");
        }
    }

    /** The build context contains the files that the build reads, and no data files. */
    @Test
    void sendsTheBuilderWhatTheBuildReads() throws IOException {
        var sent = Files.readAllLines(Path.of(".dockerignore")).stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> Path.of(line.substring(1)))
                .toList();
        var read = Stream.concat(
                Stream.of("mvnw", ".mvn", "pom.xml", "conf", "src/main/java", "src/main/console"),
                SOURCES.matcher(Files.readString(Path.of("pom.xml")))
                        .results()
                        .map(match -> match.group(1))
                        .filter(path -> path.startsWith("src/main") || path.startsWith("src/build")));

        assertThat(read).allSatisfy(path -> assertThat(sent).anyMatch(Path.of(path)::startsWith));
        assertThat(sent).noneMatch(path -> path.startsWith("data") || path.startsWith("target"));
    }
}
