package io.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.millrace.architecture.MainClasses.all;
import static io.millrace.architecture.MainClasses.in;
import static io.millrace.architecture.MainClasses.namedAs;
import static io.millrace.architecture.MainClasses.within;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.millrace.app.Server;
import io.millrace.authoring.flow.FlowService;
import io.millrace.authoring.flow.editor.FlowEditor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Permitted and forbidden dependencies between packages (style, section 5). */
final class ArchitectureTest {
    /** Packages that a decision without side effects may use: the JDK without files and network, JSON, and core types. */
    private static final String[] PURE = {
        "java.lang..",
        "java.util..",
        "java.math..",
        "java.text..",
        "java.time..",
        "java.nio",
        "java.nio.charset..",
        "com.fasterxml.jackson..",
        "io.millrace.base.core"
    };

    private static final String[] SQL = {"io.vertx.sqlclient..", "io.vertx.pgclient..", "java.sql..", "org.postgresql.."
    };

    private static final int COMPONENTS_MAX = 8;
    private static final int LONG_RECORDS_MAX = 43;

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package io\\.millrace\\.([\\w.]+);");

    /** The package and the outermost class of an import. */
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?io\\.millrace\\.([a-z0-9.]+\\.[A-Z]\\w*)");

    /**
     * Re-decisions and tests of flows have no effects outside the process: only the service of the package reads rows and
     * asks other modules.
     */
    @Test
    void walksAndTestsOfFlowsHaveNoWayToTheOutside() {
        noClasses()
                .that(in("engine.run.redecide")
                        .or(in("engine.run.flowtest").and(not(namedAs("Service", "Routes", "Audit", "Engine")))))
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.net\\..*|javax\\.net\\..*|java\\.nio\\.channels\\..*|java\\.lang\\.Process.*"
                                + "|io\\.vertx\\.core\\.(http|net|file)\\..*|io\\.vertx\\.core\\.Vertx"
                                + "|io\\.millrace\\.base\\.(bus\\.Bus|persistence\\.Database)"
                                + "|io\\.millrace\\.base\\.net\\.Outbound.*|io\\.millrace\\.sandbox\\.(node|program|python)\\..*")
                .check(all());
    }

    @Test
    void packagesHaveAPlaceInTheList() {
        classes().should(havePlace()).check(all());
    }

    @Test
    void packagesImportOnlyFromBelowThemselves() {
        classes().should(importFromBelow()).check(all());
    }

    /** Imports that serve only a reference in a comment leave no trace in classes. */
    @Test
    void sourcesImportOnlyFromBelowThemselves() throws IOException {
        var wrong = new ArrayList<String>();
        try (var files = Files.walk(Path.of("src/main/java"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var source = Files.readString(file);
                IMPORT.matcher(source)
                        .results()
                        .map(found -> found.group(1))
                        .filter(type -> !packageOfType(type).equals(packageOf(source))
                                && !Arrows.isAbove(packageOf(source), packageOfType(type)))
                        .forEach(type -> wrong.add(file + " imports " + type));
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.millrace.(**)").should().beFreeOfCycles().check(all());
    }

    @Test
    void machineKnowsOnlyItselfAndTheCore() {
        classes()
                .that(in("engine.run.machine"))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(PURE).or(in("engine.run.machine")))
                .check(all());
    }

    @Test
    void agentMachineKnowsOnlyItselfAndTheCore() {
        classes()
                .that(in("engine.agent.machine"))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(PURE).or(in("engine.agent.machine")))
                .check(all());
    }

    /** The serializer of a JSON node declares an IOException that never occurs. */
    @Test
    void expressionsKnowOnlyThemselvesAndTheCore() {
        classes()
                .that(within("sandbox.expression"))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(PURE)
                        .or(within("sandbox.expression"))
                        .or(simpleName("IOException")))
                .check(all());
    }

    @Test
    void editingFlowsReachesNeitherVertxNorSql() {
        noClasses()
                .that(in("authoring.flow.editor", "authoring.flow.version", "authoring.flow.step"))
                .and(not(simpleName("FlowValidator")
                        .or(simpleName("StepProblems"))
                        .or(simpleName("PieceFinder"))))
                .should()
                .transitivelyDependOnClassesThat(
                        resideInAnyPackage("io.vertx..").or(resideInAnyPackage(SQL)))
                .check(all());
    }

    @Test
    void pureCodeHasNoRandomnessOfItsOwn() {
        noClasses()
                .that(in("engine.run.machine", "engine.agent.machine").or(within("sandbox.expression")))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.security.SecureRandom")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .orShould()
                .callMethod(Math.class, "random")
                .check(all());
    }

    @Test
    void sqlIsKnownToStoresOnly() {
        noClasses()
                .that(not(within("base.persistence").and(not(in("base.persistence.postgres")))))
                .and(not(namedAs("Store", "Batch")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(SQL))
                .check(all());
    }

    @Test
    void routerIsKnownToRoutesOnly() {
        noClasses()
                .that(not(within("base.http")))
                .and(not(namedAs("Routes", "PayloadReader", "SignInLimit")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.vertx.ext.web.."))
                .check(all());
    }

    @Test
    void routesAreKnownToTheRootOnly() {
        noClasses()
                .that(not(in("", "app", "app.module")))
                .and(not(namedAs("Routes")))
                .and(not(within("base.http")))
                .should()
                .dependOnClassesThat(namedAs("Routes").and(not(within("base.http"))))
                .check(all());
    }

    /** In a module with inner packages, unpublished types are hidden in the module. */
    @Test
    void storesAreHiddenInTheirPackage() {
        var parts = PublishedTypes.packages().toArray(String[]::new);
        classes()
                .that()
                .haveSimpleNameEndingWith("Store")
                .and()
                .areTopLevelClasses()
                .and(not(in(parts)))
                .should()
                .bePackagePrivate()
                .check(all());
        assertThat(PublishedTypes.types()).noneMatch(type -> type.endsWith("Store"));
    }

    @Test
    void partsOfAModuleAreKnownToOthersByWhatTheyPublish() {
        classes().should(useOnlyWhatIsPublished()).check(all());
    }

    /** The list has no superfluous entry. Constants leave no trace in classes, inferred types none in sources. */
    @Test
    void whatIsPublishedIsUsedByOthers() throws IOException {
        var used = new HashSet<String>();
        all().forEach(type -> targetsOf(type)
                .filter(target -> PublishedTypes.crosses(MainClasses.moduleOf(type), MainClasses.moduleOf(target)))
                .forEach(target -> used.add(MainClasses.moduleOf(target) + "." + PublishedTypes.nameOf(target))));
        try (var files = Files.walk(Path.of("src/main/java"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                used.addAll(importedFromOthers(Files.readString(file)));
            }
        }

        assertThat(used).containsExactlyInAnyOrderElementsOf(PublishedTypes.types());
        assertThat(Arrows.packages()).containsAll(PublishedTypes.packages());
    }

    private static List<String> importedFromOthers(String source) {
        return IMPORT.matcher(source)
                .results()
                .map(found -> found.group(1))
                .filter(type -> PublishedTypes.crosses(packageOf(source), packageOfType(type)))
                .toList();
    }

    private static String packageOf(String source) {
        var declared = PACKAGE.matcher(source);
        return declared.find() ? declared.group(1) : "";
    }

    private static String packageOfType(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    @Test
    void useOfWhatIsNotPublished_isFoundOut() {
        var editor = all().get(FlowEditor.class);

        assertThat(PublishedTypes.objection(all().get(Server.class), editor)).isPresent();
        assertThat(PublishedTypes.objection(all().get(FlowService.class), editor))
                .isEmpty();
    }

    @Test
    void staticStateDoesNotChange() {
        fields().that().areStatic().should().haveModifier(JavaModifier.FINAL).check(all());
    }

    /** A worker process of user code has one cache, and none of our libraries (decision 0130). */
    @Test
    void cachesHaveABoundATimeToLiveAndStatistics() {
        noClasses()
                .that(not(in("base.cache")))
                .should()
                .callMethod(Caffeine.class, "newBuilder")
                .check(all());
        noClasses()
                .that(not(in("sandbox.code.worker")))
                .should()
                .beAssignableTo(LinkedHashMap.class)
                .check(all());
    }

    /** Long records are rows and bodies of the API (decision 0416); their number may only fall. */
    @Test
    void recordsOfMoreThanEightComponentsDoNotBecomeMore() {
        var longRecords = all().stream()
                .filter(JavaClass::isRecord)
                .filter(type -> type.getFields().stream()
                                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                                .count()
                        > COMPONENTS_MAX)
                .count();

        assertThat(longRecords).isBetween(LONG_RECORDS_MAX / 2L, (long) LONG_RECORDS_MAX);
    }

    private static ArchCondition<JavaClass> havePlace() {
        return new ArchCondition<>("have a place in the list of packages") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                events.add(new SimpleConditionEvent(
                        type, Arrows.isPlaced(type), "package " + type.getPackageName() + " has no place"));
            }
        };
    }

    private static ArchCondition<JavaClass> importFromBelow() {
        return new ArchCondition<>("import only from below themselves") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (var dependency : type.getDirectDependenciesFromSelf()) {
                    var target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(MainClasses.ROOT)) {
                        Arrows.objection(type, target)
                                .ifPresent(objection -> events.add(SimpleConditionEvent.violated(
                                        dependency, objection + ": " + dependency.getDescription())));
                    }
                }
            }
        };
    }

    private static ArchCondition<JavaClass> useOnlyWhatIsPublished() {
        return new ArchCondition<>("use only what the parts of a module publish") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                targetsOf(type)
                        .forEach(target -> PublishedTypes.objection(type, target)
                                .ifPresent(objection -> events.add(
                                        SimpleConditionEvent.violated(type, type.getName() + ": " + objection))));
            }
        };
    }

    private static Stream<JavaClass> targetsOf(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType());
    }
}
