package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import io.millrace.Millrace;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A simple name is used once in the whole project, and is not that of a library type in its package (style, section 6). */
final class NamesTest {
    private static final List<Path> SOURCES = List.of(
            Path.of("src/main/java"), Path.of("src/test/java"), Path.of("src/build/java"), Path.of("src/jmh/java"));

    /** Small groups of settings have the name of their module, and are always read through this class. */
    private static final String SETTINGS = "Config";

    private static final String CLASS = ".class";

    /** Prefix of the simple name of a nested type; a local one has a number there. */
    private static final Pattern INNERMOST = Pattern.compile("^.*\\$\\d*");

    /** Participles and adverbs describe what happened to a thing, not what it is (style, section 6). */
    private static final Pattern PARTICIPLE =
            Pattern.compile("Wanted|Found|Kept|Taken|Held|Left|Told|Landed|Here|Postponed|Printed|Reopened|Exotic");

    private static final Pattern STORE_PARTICIPLE =
            Pattern.compile("[A-Z][a-z]*ed|Written|Given|Sent|Begun|Known|Shown|" + PARTICIPLE.pattern());

    /** Words that end like a participle. */
    private static final Set<String> NOUNS = Set.of("Deed", "Feed");

    private static final Pattern FIGURE_OF_SPEECH =
            Pattern.compile("hear|hears|heard|hearing|letGo|gotOn|gaveWay|comesBefore|shaken|land|landed|wish|wishes");

    /** The name of a notice is part of the protocol between nodes: nodes of an earlier release know it. */
    private static final Set<String> PARTICIPLES_ON_THE_WIRE =
            Set.of("io.millrace.engine.run.admission.PermitClaims$Wanted");

    @Test
    void noTypeIsNamedByAParticiple() {
        var participles = new TreeSet<String>();
        for (var type : MainClasses.all()) {
            if (PARTICIPLE.matcher(type.getSimpleName()).matches()) {
                participles.add(type.getName());
            }
        }

        assertThat(participles).isEqualTo(PARTICIPLES_ON_THE_WIRE);
    }

    /**
     * A notice, or a variant of a sealed type, may be named by a participle: {@code Deleted}, {@code Refused}. Any other type has
     * a noun: {@code ClaimResult} instead of {@code Claimed}.
     */
    @Test
    void onlyNoticesAndVariantsAreNamedByAParticiple() {
        var participles = MainClasses.all().stream()
                .filter(type -> STORE_PARTICIPLE.matcher(type.getSimpleName()).matches())
                .filter(type -> !NOUNS.contains(type.getSimpleName()) && !type.isAnnotation())
                .filter(type -> type.getRawInterfaces().isEmpty() && !extendsOwnType(type))
                .map(JavaClass::getName)
                .toList();

        assertThat(participles).isEmpty();
    }

    private static boolean extendsOwnType(JavaClass type) {
        return type.getRawSuperclass()
                .filter(parent -> parent.getPackageName().startsWith(MainClasses.ROOT))
                .isPresent();
    }

    /** Rows and results of a store are named by their content: {@code ClaimBatch} instead of {@code Claimed}. */
    @Test
    void noTypeOfAStoreIsNamedByAParticiple() {
        var participles = MainClasses.all().stream()
                .filter(type -> type.getName().contains("Store$"))
                .filter(type -> STORE_PARTICIPLE.matcher(type.getSimpleName()).matches())
                .map(JavaClass::getName)
                .toList();

        assertThat(participles).isEmpty();
    }

    /** Terms of the field exist for these: receive, release, apply, value. */
    @Test
    void noMethodOrFieldIsNamedByAFigureOfSpeech() {
        var figures = MainClasses.all().stream()
                .flatMap(type -> type.getMembers().stream())
                .filter(member -> FIGURE_OF_SPEECH.matcher(member.getName()).matches())
                .map(JavaMember::getFullName)
                .toList();

        assertThat(figures).isEmpty();
    }

    @Test
    void everyTypeHasANameOfItsOwn() throws IOException {
        assertThat(usedTwice(files())).isEmpty();
    }

    /** A class that declares or uses one of our types does not use a library type of the same name. */
    @Test
    void noTypeSharesTheNameOfALibraryTypeInItsPackage() {
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

    /** An unqualified simple name is that of a top-level type. */
    @Test
    void noNestedTypeIsCalledLikeATopLevelOne() throws IOException, URISyntaxException {
        var classes = classes();

        assertThat(classes).contains("Millrace", "NamesTest");
        assertThat(nestedLikeTopLevel(classes)).isEmpty();
    }

    @Test
    void nestedTypeThatIsCalledLikeATopLevelOne_isFoundOut() {
        var classes = Set.of("Account", "Bank", "Bank$Account", "Bank$1Account", "Bank$1", "Config", "Config$Bank");

        assertThat(nestedLikeTopLevel(classes)).containsExactly("Bank$1Account", "Bank$Account");
    }

    private static Set<String> nestedLikeTopLevel(Set<String> classes) {
        return classes.stream()
                .filter(name -> name.contains("$") && !name.startsWith(SETTINGS + "$"))
                .filter(name -> classes.contains(INNERMOST.matcher(name).replaceFirst("")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names of all compiled classes, without their packages. */
    private static Set<String> classes() throws IOException, URISyntaxException {
        var classes = new HashSet<String>();
        for (var one : List.of(Millrace.class, NamesTest.class)) {
            var root = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (Stream<Path> below = Files.walk(root)) {
                below.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(CLASS))
                        .forEach(name -> classes.add(name.substring(0, name.length() - CLASS.length())));
            }
        }
        return classes;
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
