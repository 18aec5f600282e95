package io.millrace.base.persistence.row;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Rows as records: every type of a component, absent values, nested records, and columns of the wrong type. */
class RowMapperIT {
    @AutoClose
    private static TestDatabase opened = TestDatabase.empty();

    private static Database database = opened.database();

    record Every(
            String text,
            boolean flag,
            Boolean otherFlag,
            int shortNumber,
            Integer number,
            long whole,
            Long widened,
            double fraction,
            Instant builtAt,
            ChronoUnit unit,
            List<String> texts,
            List<ChronoUnit> units,
            JsonNode json,
            Buffer buffer) {}

    record Absent(@Nullable String text, @Nullable Integer number, Optional<Instant> at, Optional<ChronoUnit> unit) {}

    record Stage(String name, @Nullable String message) {}

    record Milling(String id, @Nullable Stage failedStep, Optional<Stage> firstStep) {}

    record Listed(@Unprefixed Milling run, boolean hidden) {}

    record Two(String id, int count) {}

    record Positive(int count) {
        Positive {
            if (count < 1) {
                throw new IllegalArgumentException("expected a positive count, found " + count);
            }
        }
    }

    @Test
    void readsEveryType_regardlessOfTheOrderOfColumns() {
        // Given
        var rows = query("""
                select '\\x02'::bytea as buffer, '{"a":[1]}' as json,
                  array['DAYS', 'HOURS'] as units, array['a', 'b'] as texts, 'DAYS' as unit,
                  timestamptz '2026-03-29T01:30:00.123456Z' as built_at, 2.5::float8 as fraction, 7 as widened,
                  1::bigint << 40 as whole, 5 as number, 3::smallint as short_number, false as other_flag,
                  true as flag, 'x' as text
                """);

        // When
        var every = mapper(Every.class).only(rows);

        // Then
        assertThat(every.text()).isEqualTo("x");
        assertThat(every.flag()).isTrue();
        assertThat(every.otherFlag()).isFalse();
        assertThat(every.shortNumber()).isEqualTo(3);
        assertThat(every.number()).isEqualTo(5);
        assertThat(every.whole()).isEqualTo(1L << 40);
        assertThat(every.widened()).isEqualTo(7);
        assertThat(every.fraction()).isEqualTo(2.5);
        assertThat(every.builtAt()).isEqualTo("2026-03-29T01:30:00.123456Z");
        assertThat(every.unit()).isEqualTo(ChronoUnit.DAYS);
        assertThat(every.texts()).containsExactly("a", "b");
        assertThat(every.units()).containsExactly(ChronoUnit.DAYS, ChronoUnit.HOURS);
        assertThat(every.json()).hasToString("{\"a\":[1]}");
        assertThat(every.buffer()).isEqualTo(Buffer.buffer(new byte[] {2}));
    }

    @Test
    void readsNull_whereTheComponentAllowsIt() {
        var rows = query("select null::text as text, null::int as number, null::timestamptz as at, null::text as unit");

        assertThat(mapper(Absent.class).only(rows))
                .isEqualTo(new Absent(null, null, Optional.empty(), Optional.empty()));
    }

    @Test
    void readsRecordsInRecords() {
        var rows = query("""
                select 'a' as id, null::text as failed_step_name, null::text as failed_step_message,
                  'x' as first_step_name, null::text as first_step_message, false as hidden
                union all select 'b', 'y', 'no', null, null, true
                """);

        assertThat(mapper(Listed.class).all(rows))
                .containsExactly(
                        new Listed(new Milling("a", null, Optional.of(new Stage("x", null))), false),
                        new Listed(new Milling("b", new Stage("y", "no"), Optional.empty()), true));
    }

    @Test
    void followsTheColumns_whenAnotherStatementHasAnotherOrder() {
        var mapper = mapper(Two.class);

        for (var round = 0; round < 3; round++) {
            assertThat(mapper.only(query("select 'a' as id, 1 as count"))).isEqualTo(new Two("a", 1));
            assertThat(mapper.only(query("select 2 as count, 'b' as id"))).isEqualTo(new Two("b", 2));
        }
    }

    @Test
    void makesValuesOfRecords() {
        var ids = mapper(Two.class).as(Two::id);

        assertThat(ids.first(query("select 'a' as id, 1 as count"))).contains("a");
        assertThat(ids.first(query("select 'a' as id, 1 as count where false"))).isEmpty();
        assertThatThrownBy(() -> ids.first(query("select 'a' as id, n as count from generate_series(1, 2) as n")))
                .hasMessage("expected one row at most, found 2");
    }

    @Test
    void namesStatementRecordAndColumn_whenColumnsDoNotFit() {
        expectDefect("select 'a' as id", "column count of Two.count is missing");
        expectDefect("select 'a' as id, 1 as count, 2 as sum", "expected no column sum, which no component reads");
        expectDefect("select 'a' as id, 1 as count, 2 as count", "expected one column count, found two");
        expectDefect(
                "select 'a' as id, 1::bigint as count",
                "column count of Two.count: expected one of [INT2, INT4], found INT8");
        expectDefect(
                "select '{}'::jsonb as id, 1 as count",
                "column id of Two.id: expected one of [BPCHAR, NAME, TEXT, VARCHAR], found JSONB");
        expectDefect(
                "select array['a'] as id, 1 as count",
                "column id of Two.id: expected one of [BPCHAR, NAME, TEXT, VARCHAR], found TEXT_ARRAY");
    }

    private static void expectDefect(String statement, String message) {
        var mapper = RowMapper.of(Two.class, statement);
        for (var sql : List.of(statement, statement + " where false")) {
            assertThatThrownBy(() -> mapper.all(query(sql)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("record Two of \"" + statement + "\": " + message);
        }
    }

    @Test
    void namesTheColumn_whenAValueDoesNotFit() {
        assertThatThrownBy(() -> mapper(Two.class).all(query("select null::text as id, 1 as count")))
                .hasMessage("column id of Two.id: expected a value, found null; mark the component as @Nullable");
        record UnitRow(ChronoUnit unit) {}
        assertThatThrownBy(() -> mapper(UnitRow.class).all(query("select 'Days' as unit")))
                .hasMessage("column unit of UnitRow.unit: expected a constant of ChronoUnit, found Days");
    }

    @Test
    void passesOn_whatTheConstructorRejects() {
        assertThatThrownBy(() -> mapper(Positive.class).all(query("select 0 as count")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a positive count, found 0");
    }

    @Test
    void rejectsARecord_thatNoColumnsCanFill() {
        record Odd(Thread thread) {}
        record Primitive(@Nullable int number) {}
        record Twice(String stageName, Stage stage) {}
        expectUnfit(Odd.class, "Odd.thread: expected a type that a column can have, found java.lang.Thread");
        expectUnfit(Primitive.class, "Primitive.number: expected a type that has null, found a primitive one");
        expectUnfit(
                Twice.class, "Stage.name: expected a column of its own, found column stage_name of Twice.stageName");
    }

    private static void expectUnfit(Class<? extends Record> type, String message) {
        assertThatThrownBy(() -> mapper(type).all(query("select 1 as one")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static <R extends Record> RowMapper<R> mapper(Class<R> type) {
        return RowMapper.of(type, "select");
    }

    private static RowSet<Row> query(String sql) {
        return await(database.query(sql));
    }
}
