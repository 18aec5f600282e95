package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Terminal;
import io.millrace.base.core.Json;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Waits until the flows that a command has applied are live, and lists those that are not. */
final class PublicationWait {
    static final CommandOption NO_WAIT = CommandOption.flag(
            "--no-wait", "exits when the flows are saved; otherwise when they are live or have failed (exit status 1)");

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration WAIT_MAX = Duration.ofMinutes(10);

    private final List<ProjectApi> projects;

    PublicationWait(List<ProjectApi> projects) {
        this.projects = List.copyOf(projects);
    }

    /** Flows that are not live: pending ones after the wait, and failed ones. */
    ObjectNode outcome(CommandWords words) {
        var end = System.nanoTime() + WAIT_MAX.toNanos();
        var outcome = look();
        while (!words.has(NO_WAIT)
                && !outcome.path("pending").isEmpty()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            outcome = look();
        }
        return outcome;
    }

    private ObjectNode look() {
        var all = Json.object();
        var pending = all.putArray("pending");
        var failed = all.putArray("failed");
        projects.forEach(project -> {
            var one = project.publications();
            one.path("pending").forEach(pending::add);
            one.path("failed").forEach(failed::add);
        });
        return all;
    }

    /**
     * Names them, and returns the status of the command.
     *
     * @param problems problems of the applied items; one of a flow keeps it a draft
     */
    static ExitStatus say(CommandWords words, Terminal terminal, ObjectNode outcome, Stream<JsonNode> problems) {
        outcome.path("failed")
                .forEach(flow -> terminal.err()
                        .println(named(flow) + " is not live: "
                                + flow.path("message").asText()));
        outcome.path("pending").forEach(flow -> terminal.err().println(named(flow) + " is being published"));
        var isUnfinished = !words.has(NO_WAIT) && !outcome.path("pending").isEmpty();
        var hasDraft =
                problems.anyMatch(problem -> problem.path("kind").asText().equals("FLOW"));
        return isUnfinished || hasDraft || !outcome.path("failed").isEmpty() ? ExitStatus.PROBLEM : ExitStatus.OK;
    }

    private static String named(JsonNode flow) {
        return "flow " + flow.path("flowId").asText() + " \""
                + flow.path("displayName").asText() + "\"";
    }
}
