package io.millrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.support.ApiClient;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** All runs of a flow, read page by page through the API, each with the number that its webhook carried. */
public final class Ledger {
    private static final int PAGE = 100;
    private static final int SHOWN_MAX = 3;
    private static final int READ_AT_ONCE = 50;
    private static final int FAULT_MAX = 2_000;

    private final PublishedFlow flow;
    private final int readAtOnce;
    private final Map<Integer, String> faults = new TreeMap<>();

    public Ledger(PublishedFlow flow) {
        this(flow, READ_AT_ONCE);
    }

    /** @param readAtOnce number of runs that fit into the memory of the test */
    Ledger(PublishedFlow flow, int readAtOnce) {
        this.flow = flow;
        this.readAtOnce = readAtOnce;
    }

    /** Asserts that every accepted webhook has exactly one run, no webhook has two, and all runs have succeeded. */
    public void assertKept(Set<Integer> accepted) {
        Waiting.until("every run has ended", this::hasNoLiveRun);
        var runs = runs();
        assertThat(runs.stream()
                        .filter(run -> !run.path("status").asText().equals("SUCCEEDED"))
                        .limit(SHOWN_MAX)
                        .map(run -> flow.api()
                                .get("/v1/flow-runs/" + run.path("id").asText())
                                .body())
                        .toList())
                .as("runs that did not succeed, of %s", runs.size())
                .isEmpty();
        var runsByNumber = byNumber(runs);
        assertThat(runsByNumber.keySet()).as("numbers that have a run").containsAll(accepted);
        assertThat(runsByNumber)
                .as("runs by number")
                .allSatisfy((_, statuses) -> assertThat(statuses).hasSize(1));
    }

    /** Number of runs. */
    int count() {
        return runs().size();
    }

    /** Statuses of all runs by the number that their webhook carried. */
    Map<Integer, List<String>> statuses() {
        return byNumber(runs());
    }

    /** Errors of the unsuccessful runs that {@link #statuses} has read, by event number. */
    Map<Integer, String> faults() {
        return Collections.unmodifiableMap(faults);
    }

    /** Reads the steps of some runs at a time, and keeps only the event number of each run. */
    private Map<Integer, List<String>> byNumber(List<JsonNode> runs) {
        var statuses = new TreeMap<Integer, List<String>>();
        for (var from = 0; from < runs.size(); from += readAtOnce) {
            var some = runs.subList(from, Math.min(from + readAtOnce, runs.size())).stream()
                    .map(run -> flow.api()
                            .getAsync("/v1/flow-runs/" + run.path("id").asText()))
                    .toList();
            some.stream()
                    .map(CompletableFuture::join)
                    .map(ApiClient.Answer::body)
                    .forEach(run -> {
                        var number = run.at("/steps/trigger/output/body/sequence");
                        assertThat(number.isInt())
                                .as("the webhook's number in run %s", run.path("id"))
                                .isTrue();
                        note(number.intValue(), run);
                        statuses.computeIfAbsent(number.intValue(), _ -> new ArrayList<>())
                                .add(run.path("status").asText());
                    });
        }
        return statuses;
    }

    private void note(int number, JsonNode run) {
        if (run.hasNonNull("failedStep")) {
            var step = run.at("/failedStep/name").asText();
            var fault = run.at("/steps/" + step + "/errorMessage").toString();
            faults.put(
                    number,
                    run.path("status").asText() + " at " + step + " of run "
                            + run.path("id").asText() + ": " + fault.substring(0, Math.min(fault.length(), FAULT_MAX)));
        }
    }

    boolean hasNoLiveRun() {
        return live(1) == 0;
    }

    /** Number of unfinished runs, at most {@code max}. */
    int live(int max) {
        return runsPage("&status=QUEUED&status=RUNNING&status=PAUSED&limit=" + max)
                .path("data")
                .size();
    }

    private List<JsonNode> runs() {
        var runs = new ArrayList<JsonNode>();
        var query = "&limit=" + PAGE;
        while (true) {
            var page = runsPage(query);
            page.path("data").forEach(runs::add);
            if (!page.hasNonNull("next")) {
                return runs;
            }
            query = "&limit=" + PAGE + "&cursor=" + page.path("next").asText();
        }
    }

    private JsonNode runsPage(String query) {
        var answer = flow.api().get("/v1/flow-runs?projectId=" + flow.projectId() + "&flowId=" + flow.flowId() + query);
        assertThat(answer.status()).as("answer to %s: %s", query, answer.body()).isEqualTo(200);
        return answer.body();
    }
}
