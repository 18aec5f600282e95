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

import com.github.benmanes.caffeine.cache.Caffeine;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;

/** The arrows between packages, and what must never meet (style, section 5). */
final class ArchitectureTest {
    /** What a decision without side effects may know: the JDK without files and network, JSON, the core words. */
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

    @Test
    void packagesHaveAPlaceInTheList() {
        classes().should(havePlace()).check(all());
    }

    @Test
    void packagesImportOnlyFromBelowThemselves() {
        classes().should(importFromBelow()).check(all());
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

    /** The serializer of a JSON node declares an IOException; nothing in the module raises one. */
    @Test
    void expressionsKnowOnlyThemselvesAndTheCore() {
        classes()
                .that(in("sandbox.expression"))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(PURE).or(in("sandbox.expression")).or(simpleName("IOException")))
                .check(all());
    }

    @Test
    void editingFlowsReachesNeitherVertxNorSql() {
        noClasses()
                .that(in("authoring.flow"))
                .and(simpleName("FlowEditor")
                        .or(simpleName("OperationReader"))
                        .or(simpleName("PublishCheck"))
                        .or(simpleName("StepWriter"))
                        .or(simpleName("TreeReader")))
                .should()
                .transitivelyDependOnClassesThat(
                        resideInAnyPackage("io.vertx..").or(resideInAnyPackage(SQL)))
                .check(all());
    }

    @Test
    void pureCodeHasNoRandomnessOfItsOwn() {
        noClasses()
                .that(in("engine.run.machine", "sandbox.expression"))
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
                .that(not(in("base.persistence")))
                .and(not(namedAs("Store", "Batch")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(SQL))
                .check(all());
    }

    @Test
    void routerIsKnownToRoutesOnly() {
        noClasses()
                .that(not(in("base.http")))
                .and(not(namedAs("Routes", "PayloadReader", "SignInLimit")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.vertx.ext.web.."))
                .check(all());
    }

    @Test
    void routesAreKnownToTheRootOnly() {
        noClasses()
                .that(not(in("", "app")))
                .and(not(namedAs("Routes")))
                .and(not(in("base.http")))
                .should()
                .dependOnClassesThat(namedAs("Routes").and(not(in("base.http"))))
                .check(all());
    }

    @Test
    void storesAreHiddenInTheirPackage() {
        classes()
                .that()
                .haveSimpleNameEndingWith("Store")
                .and()
                .areTopLevelClasses()
                .should()
                .bePackagePrivate()
                .check(all());
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
}
