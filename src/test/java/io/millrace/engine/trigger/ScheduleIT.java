package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.cron;
import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Flows that start at given times; the clock is stopped until a test advances it. */
final class ScheduleIT extends OpenServer {
    private static FlowScript named(FlowScript script) {
        return script.map("step_1", "{'seen':'{{trigger.output}}'}");
    }

    private static Instant dueOf(LiveFlow flow) {
        return Instant.ofEpochSecond(server.count(
                "select extract(epoch from next_due)::bigint from trigger_source where flow_id = $1 and deleted is null",
                flow.id()));
    }

    private static void advanceTo(Instant time) {
        server.clock().advance(Duration.between(server.clock().instant(), time));
    }

    private static String schedule(LiveFlow flow) {
        return admin.api()
                .get("/v1/flows/" + flow.id())
                .body()
                .at("/triggerSource/schedule")
                .toString();
    }

    @Test
    void firesAtItsTime_andNotBefore() {
        // Given
        var flow = LiveFlow.publish(admin, named(cron("30 * * * *", "Europe/Berlin")));
        var due = dueOf(flow);

        // When
        advanceTo(due.minusMillis(1));
        letTheServerLook();

        // Then
        assertThat(due).isAfter(server.clock().instant());
        assertThat(flow.runs()).isEmpty();

        // When
        advanceTo(due);
        var run = flow.ended(1);

        // Then
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.path("environment").asText()).isEqualTo("PRODUCTION");
        assertThat(run.at("/steps/step_1/output/seen")).isEqualTo(json("{}"));
        assertThat(dueOf(flow)).isEqualTo(due.plus(1, ChronoUnit.HOURS));
        assertThat(schedule(flow))
                .isEqualTo(
                        "{\"type\":\"CRON_EXPRESSION\",\"cronExpression\":\"30 * * * *\",\"timezone\":\"Europe/Berlin\"}");
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }

    @Test
    void givesTheInputsAsItsItem() {
        // Given
        var flow = LiveFlow.publish(
                admin, named(trigger("@activepieces/piece-schedule", "0.1.17", "every_x_minutes", "{'minutes':7}")));

        // When
        advanceTo(dueOf(flow));

        // Then
        assertThat(flow.ended(1).at("/steps/step_1/output/seen"))
                .isEqualTo(json("{'cron_expression':'*/7 * * * *','timezone':'UTC'}"));
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }

    @Test
    void firesOnce_whenManyTimesWereMissed() {
        // Given
        var flow = LiveFlow.publish(admin, named(cron("* * * * *", "UTC")));
        var due = dueOf(flow);

        // When
        advanceTo(due.plus(5, ChronoUnit.HOURS).plusSeconds(1));
        flow.ended(1);
        letTheServerLook();

        // Then
        assertThat(flow.runs()).hasSize(1);
        assertThat(dueOf(flow)).isEqualTo(due.plus(5, ChronoUnit.HOURS).plus(1, ChronoUnit.MINUTES));
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }

    @Test
    void firesNothing_whenTheFlowIsDisabledOrDeleted() {
        // Given
        var disabled = LiveFlow.publish(admin, named(cron("0 * * * *", "UTC")));
        var deleted = LiveFlow.publish(admin, named(cron("0 * * * *", "UTC")));
        var due = dueOf(disabled);

        // When
        var answer = disabled.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
        admin.api().delete("/v1/flows/" + deleted.id());
        advanceTo(due.plusSeconds(1));
        letTheServerLook();

        // Then
        assertThat(answer.body().at("/triggerSource/schedule").isNull()).isTrue();
        assertThat(disabled.runs()).isEmpty();
        assertThat(server.count("select count(*) from trigger_fire where flow_id = $1", deleted.id()))
                .isZero();
    }

    /** Berlin skips 02:00 to 03:00 on 2026-03-29, and has it twice on 2026-10-25. */
    @Test
    void firesOnceADay_overBothChangesOfClocks() {
        try (var berlin = ServerSettings.openSignUp().start()) {
            firesAt(berlin, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
            firesAt(berlin, "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
        }
    }

    private static void firesAt(TestServer berlin, String from, String first, String second) {
        // Given
        var clock = berlin.clock();
        clock.advance(Duration.between(clock.instant(), Instant.parse(from)));
        var person = berlin.signUp("person-" + from.substring(0, 7) + "@example.com", "Person");
        var flow = LiveFlow.publish(person, named(cron("30 2 * * *", "Europe/Berlin")));

        for (var due : List.of(Instant.parse(first), Instant.parse(second))) {
            // When
            clock.advance(Duration.between(clock.instant(), due));
            var fired = due.equals(Instant.parse(first)) ? 1 : 2;
            flow.ended(fired);

            // Then
            assertThat(berlin.count("select count(*) from trigger_fire where flow_id = $1", flow.id()))
                    .isEqualTo(fired);
            assertThat(berlin.count(
                            "select count(*) from ended_run where flow_id = $1 and created = $2", flow.id(), due))
                    .isEqualTo(1);
        }
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }

    /** A time with named hours fires once even if the clock is set back; hourly schedules count elapsed time. */
    @Test
    void continuesWithItsNextTime_whenTheClockWasSetBack() {
        // Given
        var noon = server.clock().instant().truncatedTo(ChronoUnit.DAYS).plus(36, ChronoUnit.HOURS);
        advanceTo(noon);
        var everyHour = LiveFlow.publish(admin, named(cron("* * * * *", "UTC")));
        var namedHours = LiveFlow.publish(admin, named(cron("* 0-22 * * *", "UTC")));
        for (var minute = 1; minute <= 3; minute++) {
            advanceTo(noon.plus(minute, ChronoUnit.MINUTES));
            everyHour.ended(minute);
            namedHours.ended(minute);
        }

        // When
        advanceTo(noon);
        for (var flow : List.of(everyHour, namedHours)) {
            Waiting.until("the next time is earlier", () -> dueOf(flow).equals(noon.plus(1, ChronoUnit.MINUTES)));
        }
        advanceTo(noon.plus(1, ChronoUnit.MINUTES));
        everyHour.ended(4);
        Waiting.until(
                "the time that had fired is skipped", () -> dueOf(namedHours).equals(noon.plus(2, ChronoUnit.MINUTES)));

        // Then
        assertThat(dueOf(everyHour)).isEqualTo(noon.plus(2, ChronoUnit.MINUTES));
        assertThat(everyHour.runs()).hasSize(4);
        assertThat(namedHours.runs()).hasSize(3);
        for (var flow : List.of(everyHour, namedHours)) {
            flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
        }
    }

    @Test
    void keepsItsTime_whenPublishedAgainWithTheSameSchedule() {
        // Given
        var flow = LiveFlow.publish(admin, named(cron("15 3 * * *", "UTC")));
        var due = dueOf(flow);

        // When
        flow.change(named(cron("15 3 * * *", "UTC")).map("step_2", "{'b':1}"));
        flow.publish();
        var kept = dueOf(flow);
        flow.change(named(cron("45 3 * * *", "UTC")));
        flow.publish();

        // Then
        assertThat(kept).isEqualTo(due);
        assertThat(dueOf(flow)).isEqualTo(due.plus(30, ChronoUnit.MINUTES));
        assertThat(server.count(
                        "select count(*) from trigger_source where flow_id = $1 and deleted is null", flow.id()))
                .isEqualTo(1);
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }

    /** Waits until another flow, due every minute of the current clock, has been checked and found not due. */
    private static void letTheServerLook() {
        var witness = LiveFlow.publish(admin, named(cron("* * * * *", "UTC")));
        server.execute(
                "update trigger_source set next_due = $2 where flow_id = $1 and deleted is null",
                witness.id(),
                server.clock().instant());
        witness.ended(1);
        witness.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }
}
