package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.millrace.base.cluster.ClusterVerticle;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.engine.run.recovery.RunLease;
import io.vertx.core.Deployable;
import io.vertx.core.VerticleBase;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Only the persistence verticle uses the database or a part of it: others send messages over the bus. The two verticles
 * that decide whether this node lives have a separate connection, which other queries cannot delay (decision 0212).
 */
final class DatabaseUseTest {
    private static final Set<String> WITH_A_CONNECTION_OF_THEIR_OWN =
            Set.of(RunLease.class.getName(), ClusterVerticle.class.getName());

    @Test
    void verticlesAskOverTheBus() {
        var found = verticlesThatHoldTheDatabase(MainClasses.all());

        assertThat(found).containsExactlyInAnyOrderElementsOf(WITH_A_CONNECTION_OF_THEIR_OWN);
    }

    @Test
    void databaseInAPartOfAVerticle_isFoundOut() {
        var found = verticlesThatHoldTheDatabase(new ClassFileImporter()
                .importClasses(Guilty.class, Part.class, Purpose.class, Innocent.class, Database.class));

        assertThat(found).containsExactly(Guilty.class.getName());
    }

    private static List<String> verticlesThatHoldTheDatabase(JavaClasses classes) {
        return classes.stream()
                .filter(type -> type.isAssignableTo(Deployable.class))
                .filter(type -> !type.isEquivalentTo(PersistenceVerticle.class))
                .filter(DatabaseUseTest::holdsTheDatabase)
                .map(JavaClass::getName)
                .toList();
    }

    /** Includes services: a field counts with all implementations of its type. */
    private static boolean holdsTheDatabase(JavaClass verticle) {
        var known = new HashSet<JavaClass>();
        var left = new ArrayDeque<JavaClass>();
        left.add(verticle);
        while (!left.isEmpty()) {
            var type = left.remove();
            if (type.isEquivalentTo(Database.class) || type.isAssignableTo(BusService.class)) {
                return true;
            }
            if (type.getName().startsWith(MainClasses.ROOT) && known.add(type)) {
                type.getAllFields().stream()
                        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                        .map(JavaField::getAllInvolvedRawTypes)
                        .flatMap(Collection::stream)
                        .forEach(left::add);
                left.addAll(type.getAllSubclasses());
            }
        }
        return false;
    }

    interface Purpose {}

    record Part(Database database) implements Purpose {}

    static final class Guilty extends VerticleBase {
        final List<Purpose> parts = List.of();
    }

    static final class Innocent extends VerticleBase {
        final List<String> texts = List.of();
    }
}
