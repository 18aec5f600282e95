package io.millrace.app.cli.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.CommandOption;
import io.millrace.app.cli.command.CommandWords;
import io.millrace.app.cli.command.Terminal;
import io.millrace.app.cli.command.UsageException;
import io.millrace.base.core.Ids;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

final class ProjectApi {
    static final CommandOption PROJECT = new CommandOption("--project", "ID", "id of the project");

    static final List<CommandOption> OPTIONS = List.of(RemoteServer.SERVER, PROJECT, RemoteServer.KEY_FILE);

    private final RemoteServer server;
    private final String project;
    private final String path;

    private ProjectApi(RemoteServer server, String projectId) {
        this.server = server;
        this.project = "/api/v1/projects/" + projectId;
        this.path = project + "/definition";
    }

    static ProjectApi of(CommandWords words, Terminal terminal) {
        return of(RemoteServer.of(words, terminal), words.required(PROJECT));
    }

    static ProjectApi of(RemoteServer server, String projectId) {
        return new ProjectApi(server, checkedId(projectId));
    }

    /** Validates an id for use in a URL path. */
    static String checkedId(String projectId) {
        if (!Ids.PATTERN.matcher(projectId).matches()) {
            throw new UsageException("--project: expected an id of 21 letters and digits, found " + projectId);
        }
        return projectId;
    }

    ObjectNode read() {
        return server.get(path);
    }

    ObjectNode drift() {
        return server.get(path + "/drift");
    }

    /** Flows that a release has changed and that are not live: pending and failed. */
    ObjectNode publications() {
        return server.get(project + "/publications");
    }

    ObjectNode plan(ObjectNode wanted) {
        return server.post(path + "/plan", wanted);
    }

    ObjectNode apply(ObjectNode wanted, Optional<String> revision, boolean allowsDeletion) {
        var expected = revision.map(text -> "&revision=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
                .orElse("");
        return server.post(path + "/apply?allowDeletion=" + allowsDeletion + expected, wanted);
    }
}
