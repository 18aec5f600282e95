package io.millrace.workspace.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;

/** Administrator of a fresh platform with its first project only. */
abstract class ProjectBench {
    static final String PROJECTS = "/v1/projects";

    @AutoClose
    TestServer server = ServerSettings.openSignUp().start();

    TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    long receivers(String projectId, String email) {
        return server.count("select count(*) from alert where project_id = $1 and receiver = $2", projectId, email);
    }

    static String path(JsonNode project) {
        return PROJECTS + "/" + project.path("id").asText();
    }

    static ObjectNode named(String displayName) {
        return Json.object().put("displayName", displayName);
    }
}
