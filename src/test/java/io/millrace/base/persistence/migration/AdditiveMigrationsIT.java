package io.millrace.base.persistence.migration;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rolling upgrade: nodes of the previous release continue to work with the new schema. The tables and columns that they read or
 * write are unchanged.
 */
class AdditiveMigrationsIT {
    /** Last migration of the previous release; to be updated with each release. */
    private static final String RELEASED = "0062";

    @AutoClose
    private static TestDatabase opened = TestDatabase.empty();

    private static Database database = opened.database();

    @BeforeAll
    static void build() {
        var settings = opened.settings();
        Migrations.build(settings, "released", RELEASED);
        Migrations.build(
                settings, "newest", MigrationIndex.read("db").versions().getLast());
    }

    @Test
    void keepsEachColumnAsItWas() {
        assertThat(columns("newest", "c.data_type || ' ' || coalesce(c.collation_name, '')"))
                .containsAllEntriesOf(columns("released", "c.data_type || ' ' || coalesce(c.collation_name, '')"));
    }

    @Test
    void expectsNoValueThatWasNotExpectedBefore() {
        var before = columns("released", "c.is_nullable");
        columns("newest", "(c.is_nullable = 'YES' or c.column_default is not null or c.is_identity = 'YES')::text")
                .forEach((column, mayBeLeftOut) -> {
                    var table = column.substring(0, column.indexOf('.'));
                    if (before.keySet().stream().anyMatch(known -> known.startsWith(table + "."))) {
                        assertThat(mayBeLeftOut.equals("true") || "NO".equals(before.get(column)))
                                .as(column + " may be left out, as it was before")
                                .isTrue();
                    }
                });
    }

    @Test
    void refusesNothingThatWasAllowedBefore() {
        var before = constraints("released");
        var tables = tables("released");
        assertThat(constraints("newest"))
                .filteredOn(constraint -> tables.contains(constraint.substring(0, constraint.indexOf(':'))))
                .isSubsetOf(before);
    }

    private static Map<String, String> columns(String schema, String what) {
        var columns = new TreeMap<String, String>();
        await(database.query("""
                        select c.table_name || '.' || c.column_name as name, %s as what from information_schema.columns c
                        where c.table_schema = $1
                        """.formatted(what), schema))
                .forEach(row -> columns.put(row.getString("name"), row.getString("what")));
        return columns;
    }

    private static Set<String> tables(String schema) {
        var tables = new TreeSet<String>();
        await(database.query(
                        "select table_name::text as name from information_schema.tables where table_schema = $1",
                        schema))
                .forEach(row -> tables.add(row.getString("name")));
        return tables;
    }

    /** Checks, references and unique constraints, without their names. */
    private static Set<String> constraints(String schema) {
        var constraints = new TreeSet<String>();
        await(database.query("""
                        select t.relname || ': ' || replace(pg_get_constraintdef(c.oid), $1 || '.', '') as text
                        from pg_constraint c join pg_class t on t.oid = c.conrelid
                        where c.connamespace = $1::regnamespace and c.contype <> 'n'
                        union all
                        select t.relname || ': ' || regexp_replace(replace(pg_get_indexdef(i.indexrelid), $1 || '.', ''),
                          'INDEX \\S+ ', 'INDEX ')
                        from pg_index i join pg_class t on t.oid = i.indrelid
                        where t.relnamespace = $1::regnamespace and i.indisunique
                        """, schema)).forEach(row -> constraints.add(row.getString("text")));
        return constraints;
    }
}
