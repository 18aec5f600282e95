package io.millrace.base.persistence.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.persistence.statement.UnnestStatement.Part;
import io.millrace.base.persistence.statement.UnnestStatement.Source;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnnestStatementTest {
    private record Mill(String name, Instant built) {}

    private record Sack(String mill, long grams, int number, boolean open, Buffer seal) {}

    private record Delivery(List<Mill> mills, List<Sack> sacks) {}

    private static final UnnestColumns<Mill> MILL =
            UnnestColumns.<Mill>none().text("name", Mill::name).instant("built", Mill::built);

    private static final UnnestColumns<Sack> SACK = UnnestColumns.<Sack>none()
            .text("mill", Sack::mill)
            .whole("grams", Sack::grams)
            .integer("number", Sack::number)
            .flag("open", Sack::open)
            .bytes("seal", Sack::seal);

    private static final Part<Delivery> MILLS =
            Part.of("mills", MILL, Delivery::mills, "insert into mill select * from {m} where '{}' <> m.name");

    private static final Part<Delivery> SACKS = Part.of("sacks", SACK, Delivery::sacks, "select * from {s}");

    @Test
    void assignsPositions_inTheOrderOfTheParts() {
        // When
        var statement =
                UnnestStatement.with(List.of(MILLS, Part.plain("none", "select 1"), SACKS), "select * from sacks");

        // Then
        assertThat(statement.sql()).isEqualTo("""
                with mills as (
                insert into mill select * from unnest($1::text[], $2::timestamptz[]) as m (name, built) where '{}' <> m.name
                ), none as (
                select 1
                ), sacks as (
                select * from unnest($3::text[], $4::bigint[], $5::integer[], $6::boolean[], $7::bytea[]) \
                as s (mill, grams, number, open, seal)
                )
                select * from sacks""");
    }

    @Test
    void givesOneArrayForEachPosition() {
        // Given
        var statement = UnnestStatement.with(List.of(SACKS, MILLS), "select 1");
        var built = Instant.parse("1850-01-02T03:04:05.123456789Z");

        // When
        var values = statement.values(new Delivery(
                List.of(new Mill("a", built), new Mill(null, null)),
                List.of(new Sack("b", 1L << 40, 3, true, Buffer.buffer("x")))));

        // Then
        assertThat(values.size()).isEqualTo(7);
        assertThat(values.getArrayOfStrings(0)).containsExactly("b");
        assertThat(values.getArrayOfLongs(1)).containsExactly(1L << 40);
        assertThat(values.getArrayOfIntegers(2)).containsExactly(3);
        assertThat(values.getArrayOfBooleans(3)).containsExactly(true);
        assertThat((Buffer[]) values.getValue(4)).containsExactly(Buffer.buffer("x"));
        assertThat(values.getArrayOfStrings(5)).containsExactly("a", null);
        assertThat(values.getArrayOfOffsetDateTimes(6))
                .containsExactly(OffsetDateTime.of(1850, 1, 2, 3, 4, 5, 123_456_000, ZoneOffset.UTC), null);
    }

    @Test
    void givesEmptyArraysOfTheType_whenAPartHasNoRows() {
        var values = UnnestStatement.of(MILLS).values(new Delivery(List.of(), List.of()));

        assertThat(values.getValue(0)).isInstanceOf(String[].class);
        assertThat(values.getValue(1)).isInstanceOf(OffsetDateTime[].class);
    }

    @Test
    void embedsTheColumnsOfAPartOfTheRow() {
        record Order(Mill mill, Sack sack) {}
        var columns = UnnestColumns.<Order>none()
                .all(MILL, Order::mill)
                .text("sack_of", order -> order.sack().mill());

        assertThat(columns.sql(4, "o"))
                .isEqualTo("unnest($4::text[], $5::timestamptz[], $6::text[]) as o (name, built, sack_of)");
    }

    @Test
    void readsOneRowFromAParameterForEachColumn_besideMany() {
        // Given
        var part = new Part<Delivery>(
                "sacks",
                List.of(Source.one(MILL, delivery -> delivery.mills().getFirst()), Source.many(SACK, Delivery::sacks)),
                "select * from {m} cross join {s}");

        // When
        var statement = UnnestStatement.of(part);
        var values = statement.values(new Delivery(
                List.of(new Mill("a", Instant.EPOCH)), List.of(new Sack("b", 1, 2, false, Buffer.buffer("x")))));

        // Then
        assertThat(statement.sql())
                .isEqualTo("select * from (select $1::text as name, $2::timestamptz as built) as m cross join"
                        + " unnest($3::text[], $4::bigint[], $5::integer[], $6::boolean[], $7::bytea[])"
                        + " as s (mill, grams, number, open, seal)");
        assertThat(values.size()).isEqualTo(7);
        assertThat(values.getString(0)).isEqualTo("a");
        assertThat(values.getOffsetDateTime(1)).isEqualTo(OffsetDateTime.of(1970, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC));
        assertThat(values.getArrayOfStrings(2)).containsExactly("b");
    }

    @Test
    void rejectsAPart_thatDoesNotReadItsRowsOnce() {
        for (var text : List.of("select 1", "select '{}'", "select * from {a}, {b}")) {
            assertThatThrownBy(() -> Part.of("mills", MILL, Delivery::mills, text))
                    .hasMessageStartingWith("part mills: aliases of rows in braces: expected 1, found ");
        }
        assertThatThrownBy(() -> Part.plain("none", "select * from {a}"))
                .hasMessage("part none: aliases of rows in braces: expected 0, found 1");
    }

    @Test
    void rejectsTwoPartsOfOneName() {
        assertThatThrownBy(() -> UnnestStatement.with(List.of(MILLS, MILLS), "select 1"))
                .hasMessage("expected parts of different names, found two of mills");
    }
}
