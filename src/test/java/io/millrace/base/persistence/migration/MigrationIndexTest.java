package io.millrace.base.persistence.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationIndexTest {
    @ParameterizedTest
    @ValueSource(strings = {"db", "db-test", "db-newer", "db-broken"})
    void listsExactlyTheFiles_thatLieBesideIt(String location) throws IOException, URISyntaxException {
        var index = Path.of(
                MigrationIndexTest.class.getResource("/" + location + "/index").toURI());

        try (var files = Files.list(index.getParent())) {
            var names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".sql"))
                    .sorted()
                    .toList();
            assertThat(Files.readAllLines(index)).containsExactlyElementsOf(names);
        }
    }

    @Test
    void countsFromOneWithoutAGap() {
        var versions = MigrationIndex.read("db").versions();

        for (var i = 0; i < versions.size(); i++) {
            assertThat(Integer.parseInt(versions.get(i))).isEqualTo(i + 1);
        }
    }
}
