package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.app.cli.command.Subcommand;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Set;

public final class RedecideCommand implements Subcommand {
    private static final CommandOption FLOW = new CommandOption("--flow", "ID", "id of the flow");
    private static final CommandOption VERSION =
            new CommandOption("--version", "VERSION", "draft, published, or the id of a version; default: draft");
    private static final CommandOption SAMPLE =
            new CommandOption("--sample", "NUMBER", "number of runs, newest first; default: 1000");
    /** Groups without a difference, or with an unknown result. */
    private static final Set<String> INDIFFERENT = Set.of("SAME", "UNKNOWN", "NOT_RECOMPUTABLE");

    @Override
    public String name() {
        return "redecide";
    }

    @Override
    public String summary() {
        return "compares a version of a flow with its recorded runs; exit status 1 if any would be decided otherwise";
    }

    @Override
    public String description() {
        return """
                The server walks the version with the recorded results in place of outside effects; nothing is sent. Runs of which
                nothing is known do not change the exit status.""";
    }

    @Override
    public List<CommandOption> options() {
        return List.of(RemoteServer.SERVER, FLOW, RemoteServer.KEY_FILE, VERSION, SAMPLE);
    }

    @Override
    public ExitStatus perform(CommandWords words, Terminal terminal) {
        var flowId = ProjectApi.checkedId(words.required(FLOW));
        var body = Json.object().put("version", words.value(VERSION).orElse("draft"));
        words.value(SAMPLE).ifPresent(text -> body.put("sample", numberOf(text)));
        var result = RemoteServer.of(words, terminal).postForEvents("/api/v1/flows/" + flowId + "/redecide", body);
        terminal.out().print(words.isJson() ? Json.text(result) + "\n" : text(result));
        var isDifferent = result.path("groups")
                .valueStream()
                .anyMatch(group -> !INDIFFERENT.contains(group.path("kind").asText()));
        return isDifferent ? ExitStatus.PROBLEM : ExitStatus.OK;
    }

    private static int numberOf(String text) {
        if (!text.matches("[1-9][0-9]{0,7}")) {
            throw new UsageException("--sample: expected a number from 1 on, found " + text);
        }
        return Integer.parseInt(text);
    }

    private static String text(JsonNode result) {
        var text = new StringBuilder();
        for (var group : result.path("groups")) {
            text.append(group.path("count").asInt())
                    .append("  ")
                    .append(group.path("kind").asText());
            if (group.hasNonNull("step")) {
                text.append(" at ").append(group.path("step").asText());
            }
            if (group.hasNonNull("reason")) {
                text.append(": ").append(group.path("reason").asText());
            }
            text.append('\n');
            for (var example : group.path("examples")) {
                text.append("    run ").append(example.path("runId").asText());
                if (example.has("before")) {
                    text.append(": ")
                            .append(Json.text(example.path("before")))
                            .append(" -> ")
                            .append(Json.text(example.path("now")));
                }
                text.append('\n');
            }
        }
        return text.append(result.path("otherBranch").asInt())
                .append(" of ")
                .append(result.path("runs").asInt())
                .append(" runs would take another branch\n")
                .toString();
    }
}
