package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Polling flows: each item starts one run, also across crashes. */
final class PollingIT {
    private final FeedPiece feed = new FeedPiece();

    @AutoClose
    private TestServer server = ServerSettings.openSignUp().start(feed);

    private TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private static FlowScript feedFlow() {
        return trigger(FeedPiece.NAME, FeedPiece.VERSION, "new_entry", "{}")
                .map("step_1", "{'id':'{{trigger.output.id}}'}");
    }

    /** Advances the clock by the interval, and waits until the feed was read. */
    private void nextPoll() {
        var before = fires();
        server.clock().advance(Duration.ofMinutes(6));
        Waiting.until("a poll", () -> fires() > before);
    }

    private long fires() {
        return server.count("select count(*) from trigger_fire");
    }

    private static void awaitRuns(LiveFlow flow, int count) {
        Waiting.until(
                count + " ended runs",
                () -> flow.runs().stream()
                                .filter(run -> run.path("status").asText().equals("SUCCEEDED"))
                                .count()
                        == count);
    }

    @Test
    void startsARunForEachNewItem_andNoneForThoseThatWereThere() {
        // given
        feed.entries.add("old");
        var flow = LiveFlow.publish(ada, feedFlow());

        // when
        nextPoll();
        feed.entries.addFirst("a");
        feed.entries.addFirst("b");
        nextPoll();
        awaitRuns(flow, 2);
        nextPoll();

        // then
        assertThat(flow.runs()).hasSize(2);
        assertThat(flow.runs().stream()
                        .map(run -> flow.run(run.path("id").asText())
                                .at("/steps/step_1/output/id")
                                .asText()))
                .containsExactlyInAnyOrder("a", "b");
        assertThat(server.count("select count(*) from trigger_fire")).isEqualTo(3);
    }

    @Test
    void remembersHowFarItCame_whenPublishedAgain_andForgetsWhenDisabled() {
        // given
        feed.entries.add("old");
        var flow = LiveFlow.publish(ada, feedFlow());
        feed.entries.addFirst("a");

        // when
        flow.change(feedFlow().map("step_2", "{'n':1}"));
        flow.publish();
        nextPoll();
        awaitRuns(flow, 1);
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));

        // then
        assertThat(feed.hooks).containsExactly("enable", "enable again", "disable");
        assertThat(server.count("select count(*) from store_entry")).isZero();
    }

    @Test
    void continuesWithTheNextRound_whenOneFails() {
        // given
        var flow = LiveFlow.publish(ada, feedFlow());
        feed.entries.addFirst("a");

        // when
        feed.broken = true;
        nextPoll();
        feed.broken = false;
        nextPoll();
        awaitRuns(flow, 1);

        // then
        server.stopServer();
        assertThat(server.count("select sum(runs)::bigint from trigger_tally where status = 'FAILED'"))
                .isEqualTo(1);
        assertThat(server.count("select sum(runs)::bigint from trigger_tally where status = 'COMPLETED'"))
                .isEqualTo(2);
    }

    @Test
    void takesOverWhatADeadNodeHadClaimed_andTakesNoItemTwice() {
        // given
        var flow = LiveFlow.publish(ada, feedFlow());
        feed.entries.addFirst("a");
        server.execute("update trigger_source set owner = 'a node that is gone', fence = fence + 1");

        // when
        try (var second = server.successor()) {
            for (var round = 0; round < 5; round++) {
                nextPoll();
            }
            awaitRuns(flow, 1);
            assertThat(flow.at(second).runs()).hasSize(1);
        }

        // then
        assertThat(server.count("select count(*) from trigger_fire")).isEqualTo(5);
    }

    @Test
    void leavesASourceAloneForAWhile_whileAnotherOperationOfItsFlowIsUnderWay() {
        // given a flow that is being changed, and a log of the claims of its source
        var flow = LiveFlow.publish(ada, feedFlow());
        server.execute("create table claim_note (at timestamptz)");
        server.execute("""
                create function note_claim() returns trigger language plpgsql as
                'begin insert into claim_note values (clock_timestamp()); return new; end'
                """);
        server.execute("""
                create trigger noted after update of fence on trigger_source for each row execute function note_claim()
                """);
        server.execute(
                "update flow set operation_status = 'ENABLING', operation_until = now() + interval '1 hour' where id = $1",
                flow.id());

        // when
        server.clock().advance(Duration.ofMinutes(6));
        Waiting.until("it was claimed twice", () -> server.count("select count(*) from claim_note") >= 2);

        // then
        assertThat(server.count("""
                        select count(*) from (select at - lag(at) over (order by at) as pause from claim_note) as notes
                        where pause < interval '1 second'
                        """)).isZero();
        server.execute("update flow set operation_status = 'NONE', operation_until = null where id = $1", flow.id());
        Waiting.until("a poll", () -> fires() == 1);
    }

    @Test
    void dropsAnItem_whoseKeyItHasSeenLately() {
        // given
        var flow = LiveFlow.publish(
                ada,
                trigger(FeedPiece.NAME, FeedPiece.VERSION, "new_entry", "{}")
                        .map("step_1", "{'seen':'{{trigger.output}}'}"));

        // when
        feed.entries.addFirst("k#1");
        feed.entries.addFirst("k#2");
        feed.entries.addFirst("other#1");
        nextPoll();
        awaitRuns(flow, 2);
        feed.entries.addFirst("k#3");
        nextPoll();
        awaitRuns(flow, 3);

        // then
        assertThat(flow.runs().stream()
                        .map(run -> flow.run(run.path("id").asText()).at("/steps/step_1/output/seen"))
                        .toList())
                .allMatch(seen -> !seen.has("_dedupe_key"))
                .extracting(seen -> seen.path("id").asText())
                .contains("other#1", "k#3");
    }

    @Test
    void startsARunForEachItem_whenAPollFindsMoreThanOneTransactionTakes_andItsServerEnds() {
        // given a feed of many entries, and a database that keeps what a poll leaves for later
        var flow = LiveFlow.publish(ada, feedFlow());
        feed.entries.addAll(
                IntStream.rangeClosed(1, 12_001).mapToObj(n -> "entry " + n).toList());
        server.execute("""
                create function refuse() returns trigger language plpgsql as
                'begin raise exception ''kept for the test''; end'
                """);
        server.execute("create trigger kept before delete on run_backlog for each row execute function refuse()");

        // when
        nextPoll();
        var atOnce = started(flow);
        server.stopServer();
        server.execute("drop trigger kept on run_backlog");

        // then
        assertThat(atOnce).isBetween(1L, 12_000L);
        try (var second = server.successor()) {
            Waiting.until("a run for each entry", () -> started(flow) >= 12_001);
            assertThat(second.count("select count(*) from run_backlog")).isZero();
            assertThat(started(flow)).isEqualTo(12_001);
        }
    }

    private long started(LiveFlow flow) {
        return server.count("""
                select count(*) from (
                  select id from run where flow_id = $1 union select id from ended_run where flow_id = $1) as started
                """, flow.id());
    }

    @Test
    void settlesASwitch_thatItsProcessLeftUnfinished() {
        // given
        var flow = LiveFlow.publish(ada, feedFlow());
        server.execute(
                "update flow set operation_status = 'ENABLING', operation_until = now() - interval '1 second'"
                        + " where id = $1",
                flow.id());

        // when
        try (var second = server.successor()) {
            Waiting.until(
                    "the switch is settled",
                    () -> server.count(
                                    "select count(*) from flow where id = $1 and operation_status = 'NONE'", flow.id())
                            == 1);

            // then
            var after = ada.api().at(second).get("/v1/flows/" + flow.id());
            assertThat(after.text("/status")).isEqualTo("ENABLED");
            assertThat(feed.hooks).endsWith("enable again");
        }
    }
}
