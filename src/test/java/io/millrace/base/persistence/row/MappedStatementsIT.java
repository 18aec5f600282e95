package io.millrace.base.persistence.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The statements of all mappers against the migrated schema: the columns of each are the components of its record. They
 * are executed with null for every parameter, on empty tables, and rolled back.
 */
class MappedStatementsIT {
    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d+)");

    private static final String NOT_NULL_VIOLATION = "23502";

    private static final String CLASS = ".class";
    private static final String MAPPER = "base/persistence/row/RowMapper";

    /** With fewer, the search for mappers has missed some. */
    private static final int STATEMENTS_MIN = 150;

    /** Mappers of statements that insert a row, which null does not allow; the named tests execute them with values. */
    private static final Map<String, String> INSERTS = Map.of(
            "PermitClaimService.GRANTED", "PermitClaimIT",
            "ProjectEventStore.REGISTRATIONS", "ProjectEventsIT",
            "ConcurrencyPoolStore.SAVED", "EmbeddingIT");

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    record BadRow(String id, long created) {}

    static final class BadStore {
        static final RowMapper<BadRow> FOLDERS =
                RowMapper.of(BadRow.class, "select id, created from folder where id = $1");

        private BadStore() {}
    }

    @Test
    void columnsOfEveryStatement_areTheComponentsOfItsRecord() throws IOException, URISyntaxException {
        var defects = new TreeMap<String, String>();
        var inserts = new TreeSet<String>();
        var count = 0;
        for (var field : mappers()) {
            for (var statement : mapper(field).statements()) {
                count++;
                switch (failure(mapper(field), statement)) {
                    case Checked _ -> {}
                    case PgException refused
                    when refused.getSqlState().equals(NOT_NULL_VIOLATION) -> inserts.add(nameOf(field));
                    case Throwable defect -> defects.put(nameOf(field) + ": " + statement, defect.toString());
                }
            }
        }

        assertThat(defects).isEmpty();
        assertThat(inserts).isEqualTo(INSERTS.keySet());
        assertThat(count).isGreaterThanOrEqualTo(STATEMENTS_MIN);
    }

    @Test
    void statementOfAnotherType_isFound() {
        var fields = mappers(BadStore.class.getName());

        assertThat(fields).hasSize(1);
        var mapper = mapper(fields.getFirst());
        assertThat(failure(mapper, mapper.statements().getFirst()))
                .hasMessageContainingAll("column created of BadRow.created", "TIMESTAMPTZ");
    }

    /** Failure of a statement; {@link Checked} if its columns are right. */
    private static Throwable failure(RowMapper<?> mapper, String statement) {
        var checked = database.inTransaction(
                tx -> tx.query(statement, nulls(statement)).compose(rows -> rolledBack(mapper, rows)));
        return Waiting.await(checked.transform(result -> Future.succeededFuture(result.cause())));
    }

    private static String nameOf(Field field) {
        return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }

    private static Future<Void> rolledBack(RowMapper<?> mapper, RowSet<Row> rows) {
        mapper.check(rows);
        return Future.failedFuture(new Checked());
    }

    /** Ends a transaction whose statement has the right columns. */
    private static final class Checked extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static Tuple nulls(String statement) {
        var count = PARAMETER
                .matcher(statement)
                .results()
                .mapToInt(parameter -> Integer.parseInt(parameter.group(1)))
                .max()
                .orElse(0);
        var tuple = Tuple.tuple();
        for (var number = 0; number < count; number++) {
            tuple.addValue(null);
        }
        return tuple;
    }

    /** Constants of all classes of the main code that name the mapper. */
    private static List<Field> mappers() throws IOException, URISyntaxException {
        var root = Path.of(Millrace.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var found = new ArrayList<Field>();
        try (var files = Files.walk(root)) {
            for (var file :
                    files.filter(file -> file.toString().endsWith(CLASS)).toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(MAPPER)) {
                    var name = root.relativize(file).toString().replace('/', '.');
                    found.addAll(mappers(name.substring(0, name.length() - CLASS.length())));
                }
            }
        }
        return found;
    }

    private static List<Field> mappers(String type) {
        try {
            return Arrays.stream(Class.forName(type, false, Millrace.class.getClassLoader())
                            .getDeclaredFields())
                    .filter(field -> field.getType() == RowMapper.class && Modifier.isStatic(field.getModifiers()))
                    .toList();
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException("expected the class " + type, impossible);
        }
    }

    private static RowMapper<?> mapper(Field field) {
        try {
            field.setAccessible(true);
            return (RowMapper<?>) field.get(null);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException("expected access to " + field, impossible);
        }
    }
}
