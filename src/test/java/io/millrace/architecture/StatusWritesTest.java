package io.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static io.millrace.architecture.MainClasses.all;
import static io.millrace.architecture.MainClasses.in;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.machine.LiveStatus;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every written status of a run comes from a transition: written values have the machine's own types, only the machine
 * names their values, and no writing statement names one.
 */
final class StatusWritesTest {
    private static final String STATUS =
            "'(?:" + Arrays.stream(RunStatus.values()).map(RunStatus::name).collect(Collectors.joining("|")) + ")'";

    /** Statement that writes the status of a run. */
    private static final Pattern WRITES_STATUS = Pattern.compile(
            "\\bupdate run\\b(?:(?!\\bwhere\\b).)*?\\bset\\b(?:(?!\\bwhere\\b).)*?" + STATUS
                    + "|\\binsert into (?:run|ended_run)\\b(?:(?!\\bfrom\\b).)*?" + STATUS,
            Pattern.DOTALL);

    private static final DescribedPredicate<JavaClass> MACHINES_STATUS =
            type(LiveStatus.class).or(type(EndStatus.class)).as("a status of the machine");

    /** Reads rows and reports statuses; its methods for the other direction are checked below. */
    private static final DescribedPredicate<JavaClass> VOCABULARY = new DescribedPredicate<>("the vocabulary") {
        @Override
        public boolean test(JavaClass type) {
            return type.getName().startsWith(RunStatus.class.getName());
        }
    };

    private static final ArchRule NAMED_BY_THE_MACHINE = noClasses()
            .that(not(in("engine.run.machine")).and(not(VOCABULARY)))
            .should()
            .accessFieldWhere(target(owner(MACHINES_STATUS)))
            .orShould()
            .callMethodWhere(target(owner(MACHINES_STATUS)).and(target(nameMatching("values|valueOf"))));

    @Test
    void onlyTheMachineNamesAStatusThatIsWritten() {
        NAMED_BY_THE_MACHINE.check(all());
    }

    @Test
    void classThatNamesAStatusOfItsOwn_isFoundOut() {
        var bad = new ClassFileImporter().importClasses(Decides.class, Parses.class);

        assertThat(NAMED_BY_THE_MACHINE.evaluate(bad).getFailureReport().getDetails())
                .hasSize(2);
    }

    record Decides() {
        EndStatus status() {
            return EndStatus.FAILED;
        }
    }

    record Parses() {
        LiveStatus status(String text) {
            return LiveStatus.valueOf(text);
        }
    }

    /** A stored status is the initial state of a machine; no other class writes it. */
    @Test
    void onlyAnActorBeginsWithAStatusThatWasRead() {
        noClasses()
                .that(not(VOCABULARY).and(not(nameMatching(".*\\.engine\\.run\\.actor\\.RunActor"))))
                .should()
                .callMethodWhere(targetOwner(equivalentTo(RunStatus.class)).and(target(name("live"))))
                .check(all());
    }

    @Test
    void whatIsWrittenHasATypeOfTheMachine() {
        noFields()
                .that()
                .areDeclaredInClassesThat()
                .haveNameMatching(".*\\.engine\\.run\\.(RunWrite\\$.*|Pauses\\$Pause|RunEndings\\$(End|SetAside))")
                .should()
                .haveRawType(RunStatus.class)
                .check(all());
    }

    @Test
    void noStatementNamesAStatusWhereItWrites() {
        var found = new TreeSet<String>();
        for (var type : all()) {
            SqlTexts.of(type).stream()
                    .filter(sql -> WRITES_STATUS.matcher(sql).find())
                    .forEach(sql -> found.add(type.getName() + ": " + sql));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void statementThatNamesAStatusWhereItWrites_isFoundOut() {
        assertThat("update run set status = 'QUEUED', owner = $2 where id = $1").containsPattern(WRITES_STATUS);
        assertThat("with x as (select 1) insert into run (id, status)\nselect id, 'RUNNING' from x")
                .containsPattern(WRITES_STATUS);
        assertThat("update run set owner = $1 where status <> 'PAUSED'").doesNotContainPattern(WRITES_STATUS);
        assertThat("insert into run (id, status) select id, $1 from ended_run where status = 'FAILED'")
                .doesNotContainPattern(WRITES_STATUS);
    }
}
