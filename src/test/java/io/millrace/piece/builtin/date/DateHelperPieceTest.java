package io.millrace.piece.builtin.date;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.support.piece.FakeStepContext;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DateHelperPieceTest {
    /** A Sunday. */
    private static final Instant NOW = Instant.parse("2026-03-01T10:15:30.250Z");

    @ParameterizedTest(name = "{0} from {1} in {2} to {3} in {4} -> {5}")
    @CsvSource(delimiter = '|', textBlock = """
            2023-09-17            | YYYY-MM-DD               | UTC              | DDD MMM DD YYYY HH:mm:ss | UTC           | Sun Sep 17 2023 00:00:00
            17/09/23              | DD/MM/YY                 | UTC              | DDDD, MMMM D             | UTC           | Sunday, September 17
            2023-09-17T11:23:58   | YYYY-MM-DDTHH:mm:ss      | Europe/Berlin    | YYYY-MM-DD HH:mm:ss      | UTC           | 2023-09-17 09:23:58
            1694949838            | X                        | UTC              | YYYY-MM-DDTHH:mm:ss      | Asia/Tokyo    | 2023-09-17T20:23:58
            2023-09-17 11:23:58   | YYYY-MM-DD HH:mm:ss      | UTC              | X                        | Asia/Tokyo    | 1694949838
            1694949838250         | x                        | UTC              | x                        | UTC           | 1694949838250
            Sun Sep 17 2023 11:23:58 | DDD MMM DD YYYY HH:mm:ss | UTC           | h:mm A [at] Z            | Asia/Kolkata  | 4:53 PM at +05:30
            September 17 2023     | MMMM DD YYYY             | UTC              | MM/DD/YY                 | UTC           | 09/17/23
            9/7/2023              | MM/DD/YYYY               | UTC              | YYYY-MM-DD               | UTC           | 2023-09-07
            2023.09.17            | YYYY-MM-DD               | UTC              | YYYY-MM-DD               | UTC           | 2023-09-17
            2023-09-17T11:23:58.000Z | MM/DD/YYYY            | Asia/Tokyo       | HH:mm                    | UTC           | 11:23
            2023-09-17 11:23      | MM/DD/YYYY               | Asia/Tokyo       | HH:mm                    | UTC           | 02:23
            2026-01-01t12:00:00z  | MM/DD/YYYY               | America/New_York | YYYY-MM-DD HH:mm         | UTC           | 2026-01-01 12:00
            2026-01-01 12:00:00+00 | YYYY-MM-DD              | America/New_York | YYYY-MM-DD HH:mm         | UTC           | 2026-01-01 12:00
            2026-01-01 12:00:00.123456+02 | YYYY-MM-DD       | America/New_York | HH:mm:ss.SSS             | UTC           | 10:00:00.123
            2026-01-01T12:00:00.1234567Z | YYYY-MM-DD        | America/New_York | HH:mm:ss.SSS             | UTC           | 12:00:00.123
            2026-01-01 12:00:00 -0330 | YYYY-MM-DD           | America/New_York | HH:mm                    | UTC           | 15:30
            1/2/26                | MM/DD/YYYY               | UTC              | YYYY-MM-DD               | UTC           | 2026-01-02
            3.2.99                | DD.MM.YYYY               | UTC              | YYYY-MM-DD               | UTC           | 1999-02-03
            2026-01-01 12:00 +05  | YYYY-MM-DD HH:mm ZZ      | UTC              | HH:mm                    | UTC           | 07:00
            2026-01-01T12:00:00+0530 | YYYY-MM-DDTHH:mm:ssZ  | UTC              | HH:mm                    | UTC           | 06:30
            2026-10-25 02:30      | YYYY-MM-DD HH:mm         | Europe/Berlin    | HH:mm Z                  | UTC           | 00:30 +00:00
            2026-07-01 12:00      | YYYY-MM-DD HH:mm         | est              | HH:mm                    | UTC           | 17:00
            Thu, 01 Jan 2026 12:00:00 EST | MM/DD/YYYY       | UTC              | HH:mm                    | UTC           | 17:00
            Thu Jan 01 2026 12:00:00 GMT+0100 (CET) | YYYY-MM-DD | Asia/Tokyo   | HH:mm                    | UTC           | 11:00
            January 1, 2026 10:30 PM | YYYY-MM-DD            | Europe/Berlin    | HH:mm                    | UTC           | 21:30
            1/2/6                 | MM/DD/YYYY               | UTC              | YYYY-MM-DD               | UTC           | 2006-01-02
            29.02.2028 24:00      | DD.MM.YYYY               | UTC              | YYYY-MM-DD               | UTC           | -
            03/29/2026 02:30      | MM/DD/YYYY HH:mm         | Europe/Berlin    | HH:mm ZZ                 | Europe/Berlin | 03:30 +0200
            """)
    void writesADateInAnotherFormat(String date, String from, String zone, String to, String toZone, String expected) {
        var props = Json.object()
                .put("inputDate", date)
                .put("inputFormat", from)
                .put("inputTimeZone", zone)
                .put("outputFormat", to)
                .put("outputTimeZone", toZone);

        if (expected.equals("-")) {
            assertThat(failure("format_date", Json.text(props))).hasMessageStartingWith("inputDate: expected a date");
        } else {
            assertThat(result("format_date", Json.text(props))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2023-02-30 | YYYY-MM-DD | UTC
            17/09/2023 | MM/DD/YYYY | UTC
            soon       | YYYY-MM-DD | UTC
            2023-09-17 | YYYY-MM-DD | Europe/Nowhere
            1/2/126 at noon | MM/DD/YYYY | UTC
            02/30/2024 10:00 PM | YYYY-MM-DD | UTC
            """)
    void refusesWhatIsNoDate(String date, String format, String zone) {
        var props = "{'inputDate':'" + date + "','inputFormat':'" + format + "','inputTimeZone':'" + zone + "'}";

        assertThat(failure("format_date", props))
                .isInstanceOf(PieceFailure.class)
                .hasMessageMatching("input(Date|TimeZone): expected a .*, found.*");
    }

    @Test
    void takesPartsFromADate() {
        var props = "{'inputDate':'2026-03-01 10:15:30','inputFormat':'YYYY-MM-DD HH:mm:ss','unitExtract':"
                + "['year','month','day','hour','minute','second','dayOfWeek','monthName']}";

        assertThat(run("extract_date_parts", props))
                .isEqualTo("{'year':2026,'month':3,'day':1,'hour':10,'minute':15,'second':30,"
                        + "'dayOfWeek':'Sunday','monthName':'March'}");
        assertThat(run("extract_date_parts", "{'inputDate':'2026-03-01','inputFormat':'YYYY-MM-DD'}"))
                .isEqualTo("{'year':2026}");
        assertThat(failure("extract_date_parts", props.replace("'second'", "'decade'")))
                .isInstanceOf(PieceFailure.class);
    }

    @ParameterizedTest(name = "{0} to {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            2023-01-01 | 2024-03-02 | {'year':1,'month':2,'day':1,'hour':0}
            2024-03-02 | 2023-01-01 | {'year':-1,'month':-2,'day':-1,'hour':0}
            2023-01-01 | 2023-01-01 | {'year':0,'month':0,'day':0,'hour':0}
            """)
    void returnsTheTimeBetweenDates_asPartsOfOneDuration(String start, String end, String expected) {
        var props = "{'startDate':'" + start + "','startDateFormat':'YYYY-MM-DD','endDate':'" + end
                + "','endDateFormat':'YYYY-MM-DD','unitDifference':['year','month','day','hour']}";

        assertThat(run("date_difference", props)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            2024-01-31 00:00 | + 1 month                     | 2024-02-29 00:00
            2024-01-31 00:00 | + 1 year - 3 days + 2 hours   | 2025-01-28 02:00
            2024-01-31 00:00 | 5 minute 3 hour -1Day2HOURS   | 2024-01-30 01:05
            2024-01-31 00:00 | +1week                        | 2024-02-07 00:00
            """)
    void addsTimeToADate(String date, String expression, String expected) {
        var props =
                "{'inputDate':'" + date + "','inputDateFormat':'YYYY-MM-DD HH:mm','outputFormat':'YYYY-MM-DD HH:mm',"
                        + "'expression':'" + expression + "'}";

        assertThat(result("add_subtract_date", props)).isEqualTo(expected);
    }

    @Test
    void countsDaysInTheTimeZone_whenSummerTimeBegins() {
        var props = "{'inputDate':'2026-03-28 11:00','inputDateFormat':'YYYY-MM-DD HH:mm','outputFormat':"
                + "'YYYY-MM-DD HH:mm Z','timeZone':'Europe/Berlin','expression':'+ 1 day'%s}";

        assertThat(result("add_subtract_date", props.formatted(""))).isEqualTo("2026-03-29 12:00 +02:00");
        assertThat(result("add_subtract_date", props.formatted(",'setTime':'07:30'")))
                .isEqualTo("2026-03-29 07:30 +02:00");
        assertThat(result("add_subtract_date", props.formatted(",'useCurrentTime':true")))
                .isEqualTo("2026-03-29 11:15 +02:00");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            + 1 fortnight
            tomorrow
            + day
            ``
            + 999999999 years + 999999999 years
            """)
    void refusesAnInvalidExpression(String expression) {
        var props = "{'inputDate':'2024-01-31','inputDateFormat':'YYYY-MM-DD','outputFormat':'YYYY','expression':'"
                + expression + "'}";

        assertThat(failure("add_subtract_date", props)).isInstanceOf(PieceFailure.class);
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            get_current_date            | {}                                              | 2026-03-01 10:15:30
            get_current_date            | {'timeZone':'America/New_York'}                 | 2026-03-01 05:15:30
            next_day_of_week            | {'weekday':3,'time':'08:00'}                    | 2026-03-04 08:00:00
            next_day_of_week            | {'weekday':'0','time':'08:00'}                  | 2026-03-08 08:00:00
            next_day_of_week            | {'weekday':0,'time':'11:00'}                    | 2026-03-01 11:00:00
            next_day_of_week            | {'weekday':1,'currentTime':true}                | 2026-03-02 10:15:00
            next_day_of_year            | {'month':2,'day':29}                            | 2028-02-29 00:00:00
            next_day_of_year            | {'month':3,'day':1,'time':'10:15'}              | 2027-03-01 10:15:00
            next_day_of_year            | {'month':12,'day':24,'timeZone':'Asia/Tokyo'}   | 2026-12-24 00:00:00
            first_day_of_previous_month | {'time':'06:00'}                                | 2026-02-01 06:00:00
            last_day_of_previous_month  | {}                                              | 2026-02-28 00:00:00
            """)
    void findsDatesFromTheCurrentOne(String action, String props, String expected) {
        var input = props.replace("}", (props.length() > 2 ? "," : "") + "'timeFormat':'YYYY-MM-DD HH:mm:ss'}");

        assertThat(result(action, input)).isEqualTo(expected);
        assertThat(piece().actions().get(action).spec().pure()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            next_day_of_week | {'weekday':7}
            next_day_of_week | {'weekday':1,'time':'8:00'}
            next_day_of_week | {'weekday':1,'time':'24:00'}
            next_day_of_year | {'month':2,'day':30}
            next_day_of_year | {'month':13}
            """)
    void refusesAnInvalidDayOrTime(String action, String props) {
        assertThat(failure(action, props)).isInstanceOf(PieceFailure.class);
    }

    @Test
    void showsEveryFormatWithAnExample() {
        var format = piece().actions().get("format_date").spec().props().get("inputFormat");

        assertThat(format.options()).hasSize(16);
        assertThat(format.options().getFirst().label())
                .isEqualTo("DDD MMM DD YYYY HH:mm:ss (Sun Sep 17 2023 11:23:58)");
    }

    private static Piece piece() {
        return DateHelperPiece.create(InstantSource.fixed(NOW));
    }

    private static String run(String action, String props) {
        return Json.text(piece().actions()
                        .get(action)
                        .run(FakeStepContext.with(props))
                        .result())
                .replace('"', '\'');
    }

    private static String result(String action, String props) {
        var output = piece().actions().get(action).run(FakeStepContext.with(props));
        assertThat(output.cause()).isNull();
        return output.result().path("result").asText();
    }

    private static Throwable failure(String action, String props) {
        return piece().actions().get(action).run(FakeStepContext.with(props)).cause();
    }
}
