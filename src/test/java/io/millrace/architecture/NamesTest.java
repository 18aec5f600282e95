package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A simple name is used once in the whole project, and is none of a library's that stands beside it (style, section 6). */
final class NamesTest {
    private static final List<Path> SOURCES = List.of(Path.of("src/main/java"), Path.of("src/test/java"));

    @Test
    void everyTypeHasANameOfItsOwn() throws IOException {
        assertThat(usedTwice(files())).isEmpty();
    }

    /** Where one of ours is declared or used, nobody uses one of a library that is called alike. */
    @Test
    void noTypeStandsBesideOneOfALibraryThatIsCalledAlike() {
        var ours = new TreeMap<String, Set<String>>();
        var theirs = new TreeMap<String, Set<String>>();
        for (var type : MainClasses.all()) {
            var module = MainClasses.moduleOf(type);
            Stream.concat(Stream.of(type), targetsOf(type))
                    .filter(JavaClass::isTopLevelClass)
                    .forEach(target -> (isOurs(target) ? ours : theirs)
                            .computeIfAbsent(target.getSimpleName(), _ -> new HashSet<>())
                            .add(module));
        }
        ours.keySet().retainAll(theirs.keySet());
        ours.forEach((name, modules) -> modules.retainAll(theirs.get(name)));
        ours.values().removeIf(Set::isEmpty);

        assertThat(ours).isEmpty();
    }

    private static Stream<JavaClass> targetsOf(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType());
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith(MainClasses.ROOT);
    }

    @Test
    void nameThatIsUsedTwice_isFoundOut() {
        var files = List.of(Path.of("one/Account.java"), Path.of("two/Account.java"), Path.of("two/package-info.java"));

        assertThat(usedTwice(files)).containsOnlyKeys("Account.java");
    }

    private static Map<String, Set<Path>> usedTwice(List<Path> files) {
        var places = new TreeMap<String, Set<Path>>();
        files.stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .forEach(file -> places.computeIfAbsent(file.getFileName().toString(), _ -> new HashSet<>())
                        .add(file));
        places.values().removeIf(found -> found.size() == 1);
        return places;
    }

    private static List<Path> files() throws IOException {
        var files = new HashSet<Path>();
        for (var source : SOURCES) {
            try (Stream<Path> below = Files.walk(source)) {
                below.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
            }
        }
        return List.copyOf(files);
    }
}
