package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Reads of rows (decision 0416): a row of several columns is read by a {@link RowMapper}, a single value by its name, and no
 * value by its position.
 */
final class RowReadsTest {
    /** Types with values by position: rows of the client, their supertype, and rows of JDBC. */
    private static final Set<String> POSITIONED =
            Set.of(Row.class.getName(), "io.vertx.sqlclient.Tuple", ResultSet.class.getName());

    /** Readers by position, with the reason. */
    private static final Map<String, String> POSITIONAL = Map.of(
            "Rows", "looks the position up by name",
            "RecordColumns", "has compared the positions with the names",
            "Paging", "reads a parameter that it has made, and no row");

    @Test
    void noValueIsReadByItsPosition() {
        assertThat(positional(MainClasses.all())).isEqualTo(POSITIONAL.keySet());
    }

    @Test
    void namedValuesOfTheClientAreReadByRows() {
        assertThat(unchecked(MainClasses.all())).isEmpty();
    }

    @Test
    void rowsOfSeveralColumnsAreReadByAMapper() {
        assertThat(severalValues(MainClasses.all())).isEmpty();
    }

    @Test
    void eachKindOfRead_isFound() {
        var classes = new ClassFileImporter().importClasses(Guilty.class, Innocent.class);

        assertThat(positional(classes)).containsExactly("Guilty");
        assertThat(unchecked(classes)).containsExactly("Guilty");
        assertThat(severalValues(classes)).containsExactly(Map.entry("Guilty.several", List.of("text", "whole")));
    }

    /** Classes that read a value by its position, by a call or by a method reference. */
    private static Set<String> positional(JavaClasses classes) {
        return readers(reads(classes, int.class));
    }

    /** Classes that read a value of the client by its name, but without the checks of {@link Rows}. */
    private static Set<String> unchecked(JavaClasses classes) {
        return readers(reads(classes, String.class)
                .filter(call -> !call.getTargetOwner().isEquivalentTo(ResultSet.class)));
    }

    private static Set<String> readers(Stream<JavaCodeUnitAccess<?>> reads) {
        var readers = new TreeSet<String>();
        reads.forEach(call -> readers.add(call.getOriginOwner().getSimpleName()));
        return readers;
    }

    private static Stream<JavaCodeUnitAccess<?>> reads(JavaClasses classes, Class<?> place) {
        return classes.stream()
                .flatMap(type -> Stream.<JavaCodeUnitAccess<?>>concat(
                        type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream()))
                .filter(call -> POSITIONED.contains(call.getTargetOwner().getName()))
                .filter(call ->
                        call.getName().startsWith("get") && !call.getName().startsWith("getColumn"))
                .filter(call -> call.getTarget().getRawParameterTypes().stream()
                        .findFirst()
                        .filter(first -> first.isEquivalentTo(place))
                        .isPresent());
    }

    /** Names that each method reads, if there are several. Calls in a lambda count for the method around it. */
    private static Map<String, List<String>> severalValues(JavaClasses classes) {
        var several = new TreeMap<String, List<String>>();
        for (var type : classes) {
            for (var method : type.getCodeUnits()) {
                var names = namedReads(method);
                if (names.size() > 1) {
                    several.put(type.getSimpleName() + "." + method.getName(), names);
                }
            }
        }
        return several;
    }

    private static List<String> namedReads(JavaCodeUnit method) {
        return method.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().isEquivalentTo(Rows.class))
                .filter(RowReadsTest::isNamed)
                .map(JavaMethodCall::getName)
                .sorted()
                .toList();
    }

    private static boolean isNamed(JavaMethodCall call) {
        var parameters = call.getTarget().getRawParameterTypes();
        return parameters.size() > 1
                && parameters.getFirst().isEquivalentTo(Row.class)
                && parameters.get(1).isEquivalentTo(String.class);
    }

    static final class Guilty {
        private Guilty() {}

        static String positionOfClient(Row row) {
            return row.getString(0);
        }

        static String positionOfJdbc(ResultSet row) throws SQLException {
            return row.getString(1);
        }

        static String unchecked(RowSet<Row> rows) {
            return Rows.all(rows, row -> row.getString("name")).getFirst();
        }

        static List<String> several(RowSet<Row> rows) {
            return Rows.all(rows, row -> Rows.text(row, "name") + Rows.whole(row, "count"));
        }
    }

    record Found(String name, long count) {}

    static final class Innocent {
        private static final RowMapper<Found> FOUND = RowMapper.of(Found.class, "select name, count from found");

        private Innocent() {}

        static List<Found> several(RowSet<Row> rows) {
            return FOUND.all(rows);
        }

        static List<String> single(RowSet<Row> rows) {
            return Rows.all(rows, row -> Rows.text(row, "name"));
        }

        static String jdbc(ResultSet row) throws SQLException {
            return row.getString("name");
        }
    }
}
