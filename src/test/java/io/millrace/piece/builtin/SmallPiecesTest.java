package io.millrace.piece.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.CronSchedule;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.Waitpoint;
import io.millrace.piece.builtin.data.DataMapperPiece;
import io.millrace.piece.builtin.data.MathHelperPiece;
import io.millrace.piece.builtin.date.Timezones;
import io.millrace.piece.builtin.http.ParseUrl;
import io.millrace.piece.builtin.schedule.DelayPiece;
import io.millrace.piece.builtin.schedule.SchedulePiece;
import io.millrace.support.piece.FakeStepContext;
import io.millrace.support.piece.FakeTriggerContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data Mapper, Math Helper, Delay and Schedule. */
class SmallPiecesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    @Test
    void mapsToWhatWasMapped() {
        var action = DataMapperPiece.create().actions().get("advanced_mapping");

        var output = action.run(FakeStepContext.with("{'mapping':{'a':[1,{'b':null}]}}"));

        assertThat(output.result()).isEqualTo(json("{'a':[1,{'b':null}]}"));
        assertThat(action.spec().pure()).isTrue();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'items':[1,2,3,4,5]}                      | [[1,2],[3,4],[5]]
            {'items':[1,2,3,4,5],'mode':'size','n':3}  | [[1,2,3],[4,5]]
            {'items':[1,2,3,4,5],'mode':'count','n':2} | [[1,2,3],[4,5]]
            {'items':[1],'mode':'count','n':9}         | [[1]]
            {'items':[],'n':2}                         | []
            {'items':[1],'n':0}                        | null
            {'items':[1],'n':1.5}                      | null
            """)
    void splitsLists(String props, String expected) {
        var output = DataMapperPiece.create()
                .actions()
                .get("chunk_array")
                .run(FakeStepContext.with(props.contains("'n'") ? props : props.replace("}", ",'n':2}")));

        if (expected.equals("null")) {
            assertThat(output.cause()).isInstanceOf(PieceFailure.class).hasMessageStartingWith("n: expected");
        } else {
            assertThat(output.result()).isEqualTo(json(expected));
        }
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            {'url':'https://Ex.com:443/a b?x=1&x=2&y=%C3%A9+z&w#top'}                      ; {'base_url':'https://ex.com','domain':'ex.com','path':'/a%20b','query_parameters':{'x':['1','2'],'y':['\u00e9 z'],'w':['']},'hash':'top'}
            {'url':'http://ex.com:8080?utm=a&utm=b','returnArrays':false}                  ; {'base_url':'http://ex.com:8080','domain':'ex.com','path':'/','query_parameters':{'utm':'a'},'hash':''}
            {'url':'https://ex.com/?r=50%&s=%zz&t=%C3&u=%FC'}                              ; {'base_url':'https://ex.com','domain':'ex.com','path':'/','query_parameters':{'r':['50%'],'s':['%zz'],'t':['%C3'],'u':['%FC']},'hash':''}
            {'url':'http://my_host:9000/a[1]?x[]=1&x[]=2#a#b'}                             ; {'base_url':'http://my_host:9000','domain':'my_host','path':'/a[1]','query_parameters':{'x[]':['1','2']},'hash':'a#b'}
            {'url':'https://müller.de/ü?ü=ü'}                                          ; {'base_url':'https://xn--mller-kva.de','domain':'xn--mller-kva.de','path':'/%C3%BC','query_parameters':{'ü':['ü']},'hash':''}
            {'url':'https://u:p@[::1]:8443/?__proto__=1&a=b=c'}                            ; {'base_url':'https://[::1]:8443','domain':'[::1]','path':'/','query_parameters':{'__proto__':['1'],'a':['b=c']},'hash':''}
            {'url':'ftp://ex.com/a%20b?q=%20'}                                             ; {'base_url':'ftp://ex.com','domain':'ex.com','path':'/a%20b','query_parameters':{'q':[' ']},'hash':''}
            {'url':'https://ex.com/a/../b?q={x}'}                                          ; {'base_url':'https://ex.com','domain':'ex.com','path':'/b','query_parameters':{'q':['{x}']},'hash':''}
            """)
    void takesUrlsApart(String props, String expected) {
        assertThat(ParseUrl.action().run(FakeStepContext.with(props)).result()).isEqualTo(json(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com/a", "", "/a", "https://", "mailto:a@b.c", "http://a b/"})
    void refusesWhatIsNoAbsoluteUrl(String url) {
        var output = ParseUrl.action().run(FakeStepContext.with("{'url':'" + url + "'}"));

        assertThat(output.cause()).isInstanceOf(PieceFailure.class).hasMessageStartingWith("url: expected");
    }

    @ParameterizedTest(name = "{0} {1} {2} -> {3}")
    @CsvSource({
        "addition_math, 0.1, 0.2, 0.30000000000000004",
        "addition_math, 1, 2, 3",
        "subtraction_math, 3, 10, 7",
        "multiplication_math, 1.5, 2, 3",
        "division_math, 7, 2, 3.5",
        "modulo_math, -7, 3, -1",
        "modulo_math, 5.5, 2, 1.5",
        "modulo_math, 5, 0, null",
        "multiplication_math, 1e200, 1e200, null",
    })
    void calculates(String action, String first, String second, String expected) {
        var context = FakeStepContext.with("{'first_number':" + first + ",'second_number':" + second + "}");

        var output = MathHelperPiece.create(new Random(1)).actions().get(action).run(context);

        assertThat(output.result()).isEqualTo(Json.trusted(expected));
    }

    @Test
    void refusesToDivideByZero() {
        var context = FakeStepContext.with("{'first_number':1,'second_number':0}");

        var output = MathHelperPiece.create(new Random(1))
                .actions()
                .get("division_math")
                .run(context);

        assertThat(output.cause()).isInstanceOf(PieceFailure.class);
    }

    @Test
    void drawsWholeNumbersFromTheRange_bothEndsIncluded() {
        var action = MathHelperPiece.create(new Random(7)).actions().get("generateRandom_math");
        var context = FakeStepContext.with("{'first_number':1,'second_number':3}");

        var drawn = new Random(0)
                .ints(200)
                .map(ignored -> action.run(context).result().asInt())
                .boxed()
                .toList();

        assertThat(drawn).containsOnly(1, 2, 3);
        assertThat(action.spec().pure()).isFalse();
    }

    @ParameterizedTest(name = "{0} -> {1} ms")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'unit':'seconds','delayFor':2}   | 2000
            {'unit':'seconds','delayFor':0.5} | 500
            {'delayFor':1}                    | 1000
            {'unit':'seconds','delayFor':10}  | 10000
            """)
    void waitsInPlace(String props, long expectedMs) {
        var context = FakeStepContext.with(props);

        var output = delay("delayFor").run(context);

        assertThat(context.sleeps).containsExactly(expectedMs);
        assertThat(output.result()).isEqualTo(Json.trusted("{\"delayForInMs\":" + expectedMs + ",\"success\":true}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'unit':'seconds','delayFor':-1}
            {'unit':'weeks','delayFor':1}
            """)
    void refusesAnInvalidWait(String props) {
        var context = FakeStepContext.with(props);

        var output = delay("delayFor").run(context);

        assertThat(output.cause()).isInstanceOf(PieceFailure.class);
        assertThat(context.sleeps).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            delayFor    | {'unit':'minutes','delayFor':1}                    | 2026-03-01T10:01:00Z
            delayFor    | {'unit':'days','delayFor':2}                       | 2026-03-03T10:00:00Z
            delay_until | {'delayUntilTimestamp':'2026-03-01T10:01:01.000Z'} | 2026-03-01T10:01:01Z
            delay_until | {'delayUntilTimestamp':'Sun Mar 01 2026 10:01:01'} | 2026-03-01T10:01:01Z
            """)
    void pauses_whenTheWaitIsLong(String action, String props, Instant moment) {
        // Given
        var context = FakeStepContext.with(props);

        // When
        delay(action).run(context);

        // Then
        assertThat(context.sleeps).isEmpty();
        assertThat(context.wanted).isEqualTo(Waitpoint.Request.until(moment));
        assertThat(context.waitsFor).isNotNull();

        // When
        var resumed = context.resumed("{}");
        var output = delay(action).run(resumed);

        // Then
        assertThat(output.result().path("success").asBoolean()).isTrue();
        assertThat(resumed.waitsFor).isNull();
    }

    @Test
    void doesNotWait_whenAStepIsTestedOrTheTimeIsZero() {
        var tested = FakeStepContext.with("{'unit':'days','delayFor':2}");
        var zero = FakeStepContext.with("{'delayFor':0}");

        var output = delay("delayFor").test(tested);
        delay("delayFor").run(zero);

        assertThat(output.result().path("delayForInMs").asLong()).isEqualTo(172_800_000);
        assertThat(tested.sleeps).isEmpty();
        assertThat(zero.sleeps).isEmpty();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"2026-03-01T10:00:30.000Z, 30000", "2026-03-01T09:00:00.000Z, 0"})
    void waitsUntilAMoment(String until, long expectedMs) {
        var context = FakeStepContext.with("{'delayUntilTimestamp':'" + until + "'}");

        var output = delay("delay_until").run(context);

        assertThat(context.sleeps.stream().mapToLong(Long::longValue).sum()).isEqualTo(expectedMs);
        assertThat(output.result()).isEqualTo(json("{'delayTill':'" + until + "','success':true}"));
    }

    @ParameterizedTest(name = "{0} {1} -> {2} {3}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            every_x_minutes | {'minutes':5}                         | */5 * * * *  | {'cron_expression':'*/5 * * * *','timezone':'UTC'}
            every_x_minutes | {}                                    | */1 * * * *  | {'cron_expression':'*/1 * * * *','timezone':'UTC'}
            every_x_minutes | {'minutes':99}                        | */59 * * * * | {'cron_expression':'*/59 * * * *','timezone':'UTC'}
            every_hour      | {'run_on_weekends':true}              | 0 * * * *    | {'cron_expression':'0 * * * *','timezone':'UTC'}
            every_hour      | {'run_on_weekends':false}             | 0 * * * 1-5  | {'cron_expression':'0 * * * 1-5','timezone':'UTC'}
            every_day       | {'hour_of_the_day':24,'timezone':'Europe/Berlin','run_on_weekends':true} | 0 23 * * * | {'hour_of_the_day':23,'cron_expression':'0 23 * * *','timezone':'Europe/Berlin'}
            every_day       | {}                                    | 0 0 * * 1-5  | {'hour_of_the_day':0,'cron_expression':'0 0 * * 1-5','timezone':'UTC'}
            every_week      | {'day_of_the_week':'3','hour_of_the_day':8} | 0 8 * * 3 | {'hour_of_the_day':8,'day_of_the_week':3,'cron_expression':'0 8 * * 3','timezone':'UTC'}
            every_month     | {'day_of_the_month':0,'hour_of_the_day':8} | 0 8 1 * * | {'hour_of_the_day':8,'day_of_the_month':1,'cron_expression':'0 8 1 * *','timezone':'UTC'}
            cron_expression | {'cronExpression':'15 4 * * 1','timezone':'Asia/Tokyo'} | 15 4 * * 1 | {}
            """)
    void startsFlowsByACronExpression(String trigger, String props, String cron, String item) {
        var schedule = SchedulePiece.create().triggers().get(trigger);
        var input = (ObjectNode) json(props);
        var context = FakeTriggerContext.with(input, Json.object());

        schedule.onEnable(context);
        assertThat(context.schedule)
                .isEqualTo(new CronSchedule(cron, input.path("timezone").asText("UTC")));
        assertThat(schedule.run(context).result()).containsExactly(json(item));
        assertThat(schedule.test(context).result()).containsExactly(Json.object());
    }

    @Test
    void offersTheTimeZonesOfTheWorld() {
        var zones = Timezones.options();

        assertThat(zones.getFirst().value().asText()).isEqualTo("UTC");
        assertThat(zones).anyMatch(zone -> zone.label().equals("(GMT+01:00) Europe, Berlin"));
        assertThat(zones).noneMatch(zone -> zone.value().asText().startsWith("SystemV"));
    }

    private static Action delay(String name) {
        return DelayPiece.create(InstantSource.fixed(NOW)).actions().get(name);
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
