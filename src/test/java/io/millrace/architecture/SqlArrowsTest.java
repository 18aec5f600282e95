package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Dependencies hold for SQL, too: a statement names tables of its own package or of packages below (style, section 5).
 */
final class SqlArrowsTest {
    private static final Path MIGRATIONS = Path.of("src/main/resources/db");
    private static final Pattern CREATED =
            Pattern.compile("create (?:unlogged )?(?:table|(?:materialized )?view) (\\w+)");
    private static final Pattern DROPPED = Pattern.compile("drop (?:table|view) (\\w+)");

    @Test
    void statementsNameTablesOfTheirOwnPackageOrOfThoseBelow() {
        var objections = new TreeMap<String, String>();
        for (var type : MainClasses.all()) {
            for (var table : tablesOf(type)) {
                TableOwners.objection(MainClasses.moduleOf(type), table)
                        .ifPresent(objection -> objections.put(outermostName(type) + " " + table, objection));
            }
        }

        assertThat(objections).isEmpty();
    }

    @Test
    void everyTableOfTheSchemaHasAnOwner() throws IOException {
        assertThat(TableOwners.tables()).isEqualTo(schema());
        assertThat(Arrows.packages()).containsAll(TableOwners.packages());
    }

    /** Without statements the first test would pass vacuously. */
    @Test
    void everyTableIsNamedByAStatementOfItsOwner() {
        var named = new TreeSet<String>();
        for (var type : MainClasses.all()) {
            tablesOf(type).stream()
                    .filter(table -> TableOwners.objection(MainClasses.moduleOf(type), table)
                            .isEmpty())
                    .forEach(named::add);
        }

        assertThat(named).containsAll(TableOwners.tables());
    }

    @Test
    void statementThatReadsATableAboveItself_isFoundOut() {
        var bad = new ClassFileImporter().importClass(BadStore.class);

        assertThat(tablesOf(bad)).containsExactlyInAnyOrder("flow", "platform", "project", "waitpoint");
        assertThat(TableOwners.objection("account.audit", "project")).isPresent();
        assertThat(TableOwners.objection("workspace.connection", "app_connection"))
                .isEmpty();
        assertThat(TableOwners.objection("workspace.connection", "project")).isEmpty();
    }

    @Test
    void tablesAreFoundWhereverOneMayStand() {
        assertThat(SqlTexts.tables("select a.x from first a, second as b where b.y = 'from third'"))
                .containsExactly("first", "second");
        assertThat(SqlTexts.tables("delete from first f using second s where exists (select from third)"))
                .containsExactly("first", "second", "third");
        assertThat(SqlTexts.tables("with w as (insert into first (id) values ($1)) update second set x = 1 from w"))
                .containsExactly("first", "second", "w");
    }

    private static Set<String> tablesOf(JavaClass type) {
        var tables = new HashSet<String>();
        SqlTexts.of(type).forEach(sql -> tables.addAll(SqlTexts.tables(sql)));
        tables.retainAll(TableOwners.tables());
        return tables;
    }

    private static String outermostName(JavaClass type) {
        return type.getName().substring(type.getPackageName().length() + 1).split("\\$", 2)[0];
    }

    private static Set<String> schema() throws IOException {
        var tables = new TreeSet<String>();
        for (var name : Files.readAllLines(MIGRATIONS.resolve("index"))) {
            var migration = Files.readString(MIGRATIONS.resolve(name));
            CREATED.matcher(migration).results().forEach(found -> tables.add(found.group(1)));
            DROPPED.matcher(migration).results().forEach(found -> tables.remove(found.group(1)));
        }
        return tables;
    }

    /** Statements of every form that account.audit must not send. */
    static final class BadStore {
        private static final String WHERE = " where id = $1";

        static String folded() {
            return "select platform_id from project" + WHERE;
        }

        static String concatenated(String condition) {
            return "select 1 from platform p join waitpoint w on w.id = p.id where " + condition;
        }

        static String part() {
            return """
                    , (select count(*) from flow)
                    """;
        }
    }
}
