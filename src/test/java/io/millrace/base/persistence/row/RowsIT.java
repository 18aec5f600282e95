package io.millrace.base.persistence.row;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.statement.Values;
import io.millrace.support.TestDatabase;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Round trips of values through the database; paging visits every row once. */
class RowsIT {
    @AutoClose
    private static TestDatabase opened = TestDatabase.empty();

    private static Database database = opened.database();

    @Test
    void keepsEveryKindOfJson() throws JsonProcessingException {
        for (var text : List.of(
                "{\"a\":[1,2.5,true,null,\"ü\"]}", "[]", "\"5\"", "5", "true", "123456789012345678901234567890")) {
            var value = Json.parse(text);

            var row = one("select $1::jsonb::text as value", value);

            assertThat(Rows.json(row, "value")).isEqualTo(value);
        }
    }

    @Test
    void distinguishesJsonNullFromAbsent() {
        var row = one("select ($1::jsonb)::text as json, ($2::jsonb)::text as none", NullNode.instance, null);

        assertThat(Rows.json(row, "json").isNull()).isTrue();
        assertThat(Rows.optionalText(row, "none")).isEmpty();
    }

    @Test
    void keepsValuesOfTheDomain() {
        var now = Instant.parse("2026-03-29T01:30:00.123456789Z");

        var row = one(
                "select $1::timestamptz as at, $2::bytea as bytes, $3::text as kind, $4::text as none,"
                        + " $5::bigint as whole, $6::boolean as flag",
                now,
                new byte[] {0, -1, 7},
                ChronoUnit.DAYS,
                Optional.empty(),
                1L << 40,
                true);

        assertThat(Rows.instant(row, "at")).isEqualTo(now.truncatedTo(ChronoUnit.MICROS));
        assertThat(Rows.bytes(row, "bytes")).containsExactly(0, -1, 7);
        assertThat(Rows.option(row, "kind", ChronoUnit.class)).isEqualTo(ChronoUnit.DAYS);
        assertThat(Rows.optionalText(row, "none")).isEmpty();
        assertThat(Rows.whole(row, "whole")).isEqualTo(1L << 40);
        assertThat(Rows.flag(row, "flag")).isTrue();
    }

    @Test
    void keepsColumnsOfAnUnnest() {
        record Item(String id, Instant at, Buffer bytes) {}
        var items = List.of(new Item("a", Instant.EPOCH, Buffer.buffer("x")), new Item("b", null, null));

        var rows = await(database.query(
                "select * from unnest($1::text[], $2::timestamptz[], $3::bytea[], $4::text[]) as t (id, at, bytes, j)",
                Values.texts(items, Item::id),
                Values.instants(items, Item::at),
                Values.buffers(items, Item::bytes),
                Values.jsons(items, item -> Json.object().put("id", item.id()))));

        var read = Rows.all(
                rows,
                row -> Rows.text(row, "id")
                        + Rows.optionalInstant(row, "at")
                        + Rows.optionalBuffer(row, "bytes")
                        + Rows.json(row, "j"));
        assertThat(read)
                .containsExactly(
                        "aOptional[1970-01-01T00:00:00Z]Optional[x]{\"id\":\"a\"}",
                        "bOptional.emptyOptional.empty{\"id\":\"b\"}");
    }

    @Test
    void namesTheColumn_whenAValueIsNotWhatWasAskedFor() {
        var row = one("select null::text as none, 5 as five, '{}'::jsonb as json");

        assertThatThrownBy(() -> Rows.text(row, "none")).hasMessage("expected a value in column none, found null");
        assertThatThrownBy(() -> Rows.text(row, "absent")).hasMessageContaining("expected a column absent");
        assertThatThrownBy(() -> Rows.flag(row, "five")).hasMessageContaining("column five holds a Integer");
        assertThatThrownBy(() -> Rows.json(row, "json")).hasMessageContaining("select jsonb as column::text");
    }

    @Test
    void refusesACollection_whoseTypeCouldNotBeTold() {
        assertThatThrownBy(() -> Values.tuple(List.of())).hasMessageContaining("made by Values");
    }

    @Test
    void visitsEveryRowOnce_inBothDirectionsAndOrders() {
        record Mill(Instant created, String id) {}
        var start = Instant.parse("2026-01-01T00:00:00.000001Z");
        // Three rows share each instant, and instants differ by microseconds only.
        var mills = IntStream.range(0, 17)
                .mapToObj(number ->
                        new Mill(start.plus(number / 3, ChronoUnit.MICROS), "id%019d".formatted(number * 7 % 17)))
                .toList();
        await(database.query("create table mill (id text primary key, created timestamptz not null, kind text)"));
        await(database.query(
                "insert into mill select id, at, 'water' from unnest($1::text[], $2::timestamptz[]) as t (id, at)",
                Values.texts(mills, Mill::id),
                Values.instants(mills, Mill::created)));
        var oldestFirst = mills.stream()
                .sorted(Comparator.comparing(Mill::created).thenComparing(Mill::id))
                .toList();

        for (var paging : List.of(Paging.oldestFirst(), Paging.newestFirst().on("m.created", "m.id"))) {
            var expected = paging.isDescending() ? oldestFirst.reversed() : oldestFirst;
            var forward = new ArrayList<Mill>();
            var pages = new ArrayList<Page<Mill>>();
            for (String cursor = null;
                    pages.isEmpty() || cursor != null;
                    cursor = pages.getLast().next()) {
                pages.add(page(paging, cursor, Mill::new, mill -> new PageKey(mill.created(), mill.id())));
                forward.addAll(pages.getLast().data());
            }
            assertThat(forward).isEqualTo(expected);

            for (var i = pages.size() - 1; i > 0; i--) {
                var before = page(
                        paging, pages.get(i).previous(), Mill::new, mill -> new PageKey(mill.created(), mill.id()));
                assertThat(before.data()).isEqualTo(pages.get(i - 1).data());
            }
        }
    }

    private static <T> Page<T> page(
            Paging paging,
            String cursor,
            java.util.function.BiFunction<Instant, String, T> make,
            java.util.function.Function<T, PageKey> key) {
        return await(database.read(tx -> tx.page(
                "select m.id, m.created from mill m where m.kind = $1",
                paging,
                PageRequest.parse(5, cursor).orElseThrow(),
                row -> make.apply(Rows.instant(row, "created"), Rows.text(row, "id")),
                key,
                "water")));
    }

    private static Row one(String sql, Object... values) {
        return await(database.query(sql, values)).iterator().next();
    }
}
