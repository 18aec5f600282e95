package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every paged list is walked to its end and back, while rows are added between any two pages: each earlier row appears
 * once in each direction, in the order of the list. The clock is stopped for the first rows, so that they only differ
 * by their ids.
 */
final class PageWalkIT {
    private static final int ROWS_BEFORE = 5;
    private static final int PAGES_MAX = 100;

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static SignedIn admin = server.signUp("ada@example.com", "Ada").inTeam("Team");
    private static LiveFlow flow = LiveFlow.publish(admin, FlowScript.webhook().returnJson("step_1", "{'a':1}"));
    private static int number;

    /**
     * A list.
     *
     * @param path path without the page
     * @param add adds a row to the list
     */
    record PagedList(String path, Runnable add) {
        String page(int limit, String cursor) {
            return path + (path.contains("?") ? '&' : '?') + "limit=" + limit
                    + (cursor == null ? "" : "&cursor=" + cursor);
        }

        @Override
        public String toString() {
            return path;
        }
    }

    static Stream<PagedList> lists() {
        var project = "?projectId=" + admin.projectId();
        var destination = made(
                        "/v1/event-destinations",
                        Json.object()
                                .put("url", "https://hooks.example.com/deliveries")
                                .set("events", Json.array().add("folder.created")))
                .path("id")
                .asText();
        var role = server.text("select id from project_role where name = 'Viewer'");
        return Stream.of(
                new PagedList("/v1/projects", () -> made("/v1/projects", named("displayName"))),
                new PagedList("/v1/folders" + project, PageWalkIT::addFolder),
                new PagedList("/v1/flows" + project, () -> made("/v1/flows", named("displayName"))),
                new PagedList("/v1/flows/" + flow.id() + "/versions", PageWalkIT::addVersion),
                new PagedList("/v1/flow-runs" + project, () -> flow.callAndWait(Json.object())),
                new PagedList("/v1/trigger-events" + project + "&flowId=" + flow.id(), PageWalkIT::addTriggerEvent),
                new PagedList("/v1/app-connections" + project, () -> made("/v1/app-connections", connection())),
                new PagedList("/v1/platform-app-connections", () -> made("/v1/app-connections", connection())),
                new PagedList("/v1/global-connections", PageWalkIT::addGlobalConnection),
                new PagedList(
                        "/v1/variables" + project,
                        () -> made("/v1/variables", named("name").put("value", "v"))),
                new PagedList("/v1/alerts" + project, PageWalkIT::addAlert),
                new PagedList("/v1/users", PageWalkIT::addMember),
                new PagedList("/v1/project-members" + project, PageWalkIT::addMember),
                new PagedList("/v1/project-roles/" + role + "/project-members", PageWalkIT::addMember),
                new PagedList("/v1/user-invitations?type=PLATFORM", PageWalkIT::addInvitation),
                new PagedList("/v1/audit-events", PageWalkIT::addFolder),
                new PagedList("/v1/event-destinations", PageWalkIT::addDestination),
                new PagedList("/v1/event-destinations/" + destination + "/deliveries", PageWalkIT::addFolder),
                new PagedList("/v1/project-releases" + project, PageWalkIT::addRelease),
                new PagedList("/v1/oauth-apps", PageWalkIT::addOAuthApp),
                new PagedList("/v1/tags", () -> made("/v1/tags", named("name"))));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void meetsEveryRowOnce_whileOthersAreAdded(PagedList list) {
        // Given
        for (var row = 0; row < ROWS_BEFORE; row++) {
            list.add().run();
        }
        var before = ids(get(list.page(100, null)));
        assertThat(before).hasSizeGreaterThanOrEqualTo(ROWS_BEFORE).doesNotHaveDuplicates();

        // When
        var onward = new ArrayList<String>();
        var last = walk(list, null, "next", onward);

        // Then
        assertThat(onward).doesNotHaveDuplicates();
        assertThat(of(before, onward)).isEqualTo(before);

        // When
        var backward = new ArrayList<>(ids(last));
        Collections.reverse(backward);
        walk(list, last.path("previous").textValue(), "previous", backward);
        Collections.reverse(backward);

        // Then
        assertThat(backward).doesNotHaveDuplicates();
        assertThat(of(before, backward)).isEqualTo(before);
        assertThat(backward).containsAll(onward);
    }

    /** Collects ids until there is no further page, adding a row after each page; returns the last page. */
    private static JsonNode walk(PagedList list, String from, String direction, List<String> met) {
        var cursor = from;
        for (var pages = 0; pages < PAGES_MAX; pages++) {
            var page = get(list.page(2, cursor));
            var ids = new ArrayList<>(ids(page));
            if (direction.equals("previous")) {
                Collections.reverse(ids);
            }
            met.addAll(ids);
            cursor = page.path(direction).textValue();
            if (cursor == null) {
                return page;
            }
            // Rows added in the order of the list would otherwise keep the walk from ending.
            if (pages < ROWS_BEFORE) {
                if (pages % 2 == 1) {
                    server.clock().advance(Duration.ofMillis(1));
                }
                list.add().run();
            }
        }
        throw new AssertionError("expected an end of " + list + ", found " + met);
    }

    private static List<String> of(List<String> wanted, List<String> met) {
        var common = new LinkedHashSet<>(met);
        common.retainAll(wanted);
        return List.copyOf(common);
    }

    private static List<String> ids(JsonNode page) {
        return StreamSupport.stream(page.path("data").spliterator(), false)
                .map(row -> row.path("id").asText())
                .toList();
    }

    private static JsonNode get(String path) {
        var answer = admin.api().get(path);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private static JsonNode made(String path, JsonNode body) {
        var answer = admin.api().post(path, body);
        assertThat(answer.status()).as(answer.toString()).isBetween(200, 204);
        return answer.body();
    }

    /** A body for the project with a unique name. */
    private static ObjectNode named(String field) {
        return Json.object().put("projectId", admin.projectId()).put(field, "row_" + ++number);
    }

    private static void addFolder() {
        made("/v1/folders", named("displayName"));
    }

    private static void addVersion() {
        var operation = Json.object().put("type", "LOCK_FLOW");
        operation.putObject("request");
        made("/v1/flows/" + flow.id(), operation);
        operation.put("type", "CHANGE_NAME").set("request", Json.object().put("displayName", "row_" + ++number));
        made("/v1/flows/" + flow.id(), operation);
    }

    private static void addTriggerEvent() {
        made(
                "/v1/trigger-events",
                Json.object().put("projectId", admin.projectId()).put("flowId", flow.id()));
    }

    private static ObjectNode connection() {
        var connection = named("externalId")
                .put("displayName", "Row")
                .put("pieceName", "@activepieces/piece-http")
                .put("type", "SECRET_TEXT");
        connection.putObject("value").put("type", "SECRET_TEXT").put("secret_text", "secret");
        return connection;
    }

    private static void addGlobalConnection() {
        var connection = connection().put("scope", "PLATFORM");
        connection.remove("projectId");
        connection.putArray("projectIds").add(admin.projectId());
        made("/v1/global-connections", connection);
    }

    private static void addAlert() {
        made(
                "/v1/alerts",
                Json.object()
                        .put("projectId", admin.projectId())
                        .put("channel", "EMAIL")
                        .put("receiver", "row" + ++number + "@example.com"));
    }

    /** Hashing a password for each would take longer than all the rest. */
    private static void addMember() {
        var userId = Ids.next();
        server.execute("""
                with person as (
                    insert into user_identity (id, created, updated, email, password_hash, first_name, last_name,
                                               provider, verified, track_events, news_letter)
                    values ($1, $3, $3, $1 || '@example.org', '', 'Row', 'Row', 'EMAIL', true, true, true)),
                account as (
                    insert into platform_user (id, created, updated, identity_id, platform_id, platform_role, status)
                    values ($1, $3, $3, $1, $2, 'MEMBER', 'ACTIVE'))
                insert into project_member (id, created, updated, platform_id, project_id, user_id, project_role_id)
                select $1, $3, $3, $2, $4, $1, id from project_role where name = 'Viewer'
                """, userId, admin.platformId(), server.clock().instant(), admin.projectId());
    }

    private static void addInvitation() {
        made(
                "/v1/user-invitations",
                Json.object()
                        .put("type", "PLATFORM")
                        .put("email", "guest" + ++number + "@example.com")
                        .put("platformRole", "MEMBER"));
    }

    private static void addDestination() {
        made(
                "/v1/event-destinations",
                Json.object()
                        .put("url", "https://hooks.example.com/row" + ++number)
                        .set("events", Json.array().add("flow.created")));
    }

    private static void addRelease() {
        var source = admin.inTeam("Source " + ++number);
        LiveFlow.publish(source, FlowScript.webhook().returnJson("step_1", "{'a':1}"));
        made(
                "/v1/project-releases",
                Json.object()
                        .put("type", "PROJECT")
                        .put("projectId", admin.projectId())
                        .put("targetProjectId", source.projectId())
                        .put("name", "Row " + number));
    }

    private static void addOAuthApp() {
        made(
                "/v1/oauth-apps",
                Json.object()
                        .put("pieceName", "@activepieces/piece-row-" + ++number)
                        .put("clientId", "row")
                        .put("clientSecret", "secret"));
    }
}
