package io.millrace.piece.builtin;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Built-in pieces in flows that run: forms and chats, state that outlives a run, and data of all sizes. */
class BuiltinFlowsIT {
    private static final String PIECE = "@activepieces/piece-";
    private static final String FORM = "{'waitForResponse':true,'inputs':["
            + "{'displayName':'Your Name','type':'text','required':true,'description':'First and last'},"
            + "{'displayName':'News?','type':'toggle','required':false}]}";

    @AutoClose
    private static TestServer server = TestServer.start();

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    @Test
    void showsAForm_andItsAnswer() {
        // Given
        var flow = LiveFlow.draft(
                owner,
                form("form_submission", FORM)
                        .piece(
                                "step_1",
                                PIECE + "forms",
                                "0.5.0",
                                "return_response",
                                json(
                                        "{'markdown':'Hello **{{trigger.output.yourName}}**, news: {{trigger.output[\\\"news?\\\"]}}',"
                                                + "'file':'data:text/plain;base64,aGk='}")));

        // Then
        var anonymous = server.anonymous();
        var path = "/v1/human-input/form/" + flow.id();
        assertThat(anonymous.get(path).status()).isEqualTo(404);
        assertThat(anonymous.get(path + "?useDraft=true").text("/title")).isEqualTo("Mill");

        // When
        flow.publish();
        var shown = anonymous.get(path);
        var answer = flow.callAndWait(json("{'yourName':'Bo','news?':'true'}"));
        var refused = flow.callAndWait(json("{'yourName':'Bo','news?':'perhaps'}"));

        // Then
        assertThat(shown.body())
                .isEqualTo(json("{'id':'" + flow.id() + "','title':'Mill','projectId':'" + owner.projectId()
                        + "','version':'0.5.0','props':"
                        + FORM.replace("{'waitForResponse':true,", "{")
                                .replace(
                                        "'required':false}]}",
                                        "'required':false,'description':''}],'waitForResponse':true}")
                        + "}"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/type")).isEqualTo("markdown");
        assertThat(answer.text("/value")).isEqualTo("Hello **Bo**, news: true");
        assertThat(answer.text("/files/0/mimeType")).isEqualTo("text/plain");
        assertThat(content(answer.text("/files/0/url"))).isEqualTo("hi");
        assertThat(refused.status()).isEqualTo(500);
        assertThat(anonymous.get("/v1/human-input/chat/" + flow.id()).status()).isEqualTo(404);
    }

    @Test
    void showsAChat_andAnswersItsMessages() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                form("chat_submission", "{'botName':'Miller'}")
                        .piece(
                                "step_1",
                                PIECE + "forms",
                                "0.4.7",
                                "return_response",
                                json("{'markdown':'{{trigger.output.sessionId}}: {{trigger.output.message}}'}")));

        // When
        var shown = server.anonymous().get("/v1/human-input/chat/" + flow.id());
        var answer = flow.callAndWait(json("{'sessionId':'s1','message':'Hi'}"));
        var empty = flow.callAndWait(json("{'sessionId':'s1'}"));

        // Then
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.text("/props/botName")).isEqualTo("Miller");
        assertThat(shown.text("/platformName")).isNotEmpty();
        assertThat(shown.text("/platformLogoUrl")).isNotEmpty();
        assertThat(answer.body()).isEqualTo(json("{'type':'markdown','value':'s1: Hi','files':[]}"));
        assertThat(empty.status()).isEqualTo(500);
    }

    @Test
    void takesAFile_andReadsIt() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                form("file_submission", "{'waitForResponse':true}")
                        .piece(
                                "step_1",
                                PIECE + "file-helper",
                                "0.2.0",
                                "read_file",
                                json("{'file':'{{trigger.output.file}}','readOptions':'text'}"))
                        .piece(
                                "step_2",
                                PIECE + "forms",
                                "0.5.0",
                                "return_response",
                                json("{'markdown':'{{step_1.output.text}}'}")));

        // When
        var shown = server.anonymous().get("/v1/human-input/form/" + flow.id());
        var answer = server.anonymous()
                .postForm(
                        "/v1/webhooks/" + flow.id() + "/sync",
                        Map.of("note", "x"),
                        "file",
                        "from a file".getBytes(StandardCharsets.UTF_8));

        // Then
        assertThat(shown.body().path("props").path("inputs")).hasSize(1);
        assertThat(shown.body().at("/props/inputs/0/type").asText()).isEqualTo("file");
        assertThat(shown.body().at("/props/waitForResponse").asBoolean()).isTrue();
        assertThat(answer.text("/value")).isEqualTo("from a file");
    }

    @Test
    void showsNoFlowThatBeginsOtherwise() {
        var flow = LiveFlow.publish(owner, webhook());

        for (var path : new String[] {"form/" + flow.id(), "chat/" + flow.id(), "form/" + Ids.next()}) {
            var answer = server.anonymous().get("/v1/human-input/" + path + "?useDraft=true");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text("/code")).isEqualTo("ENTITY_NOT_FOUND");
            assertThat(answer.text("/params/entityType")).isEqualTo("flow_form");
        }
        assertThat(server.anonymous().get("/v1/human-input/form/no-id").status())
                .isEqualTo(400);
    }

    @Test
    void keepsAQueueOfTheProject_betweenFlows() {
        // Given
        var pushing = LiveFlow.publish(
                owner,
                webhook()
                        .piece(
                                "step_1",
                                PIECE + "queue",
                                "0.2.0",
                                "push-to-queue",
                                json("{'queueName':'orders','items':'{{trigger.output.body.items}}'}"))
                        .piece("step_2", PIECE + "tags", "0.0.17", "add_tag", json("{'name':'pushed'}")));
        var pulling = LiveFlow.publish(
                owner,
                webhook()
                        .piece(
                                "step_1",
                                PIECE + "queue",
                                "0.2.0",
                                "pull-from-queue",
                                json("{'queueName':'orders','numOfItems':2}"))
                        .returnJson("step_2", "{'items':'{{step_1.output}}'}"));

        // When
        var pushed = pushing.run(json("{'items':[1,2,3]}"));

        // Then
        assertThat(pushed.path("status").asText()).isEqualTo("SUCCEEDED");
        assertThat(pushed.path("tags")).isEqualTo(json("['pushed']"));
        assertThat(pulling.callAndWait(Json.object()).body().path("items")).isEqualTo(json("[1,2]"));
        assertThat(pulling.callAndWait(Json.object()).body().path("items")).isEqualTo(json("[3]"));
        assertThat(server.count("select count(*) from store_receipt")).isEqualTo(3);
    }

    @Test
    void readsAConnectionByItsName() {
        // Given
        var connection = json("{'externalId':'crm','displayName':'CRM','pieceName':'" + PIECE
                + "http','type':'SECRET_TEXT','value':{'type':'SECRET_TEXT','secret_text':'s3cret'}}");
        ((ObjectNode) connection).put("projectId", owner.projectId());
        assertThat(owner.api().post("/v1/app-connections", connection).status()).isEqualTo(201);
        var reading = webhook()
                .piece(
                        "step_1",
                        PIECE + "connections",
                        "0.4.3",
                        "read_connection",
                        json("{'connection_name':'{{trigger.output.body.name}}'}"))
                .returnJson("step_2", "{'length':'{{step_1.output.secret_text.length}}'}");
        var known = LiveFlow.publish(owner, reading);
        var unknown = LiveFlow.publish(owner, reading);

        // When
        var found = known.callAndWait(json("{'name':'crm'}"));
        var missing = unknown.callAndWait(json("{'name':'other'}"));

        // Then
        assertThat(found.body().path("length").asInt()).isEqualTo(6);
        assertThat(missing.status()).isEqualTo(500);
        assertThat(known.ended(1).path("tags")).isEqualTo(json("['connection:crm']"));
        assertThat(unknown.ended(1).at("/steps/step_1/errorMessage").asText())
                .contains("connectionName")
                .contains("ConnectionNotFound");
    }

    @Test
    void processesLargeData_outsideOfTheEventLoop() {
        // Given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .piece(
                                "step_1",
                                PIECE + "csv",
                                "0.4.13",
                                "convert_csv_to_json",
                                json(
                                        "{'csv_text':'{{trigger.output.body.table}}','has_headers':true,'delimiter_type':','}"))
                        .piece(
                                "step_2",
                                PIECE + "csv",
                                "0.4.13",
                                "convert_json_to_csv",
                                json("{'json_array':'{{step_1.output}}','delimiter_type':','}"))
                        .piece(
                                "step_3",
                                PIECE + "crypto",
                                "0.1.0",
                                "hash-text",
                                json("{'method':'sha256','text':'{{step_2.output}}'}"))
                        .returnJson(
                                "step_4",
                                "{'rows':'{{step_1.output.length}}','same':'{{step_2.output == trigger.output.body.table}}'}"));
        var table = "id,name\n"
                + IntStream.range(0, 50_000)
                        .mapToObj(row -> row + ",name " + row + "\n")
                        .collect(Collectors.joining());

        // When
        var answer = flow.callAndWait(Json.object().put("table", table));

        // Then
        assertThat(answer.body()).isEqualTo(json("{'rows':50000,'same':true}"));
    }

    private static FlowScript form(String trigger, String input) {
        return FlowScript.trigger(PIECE + "forms", "0.5.0", trigger, input);
    }

    private static String content(String url) {
        return server.anonymous()
                .get(URI.create(url).toString().replaceFirst("^https?://[^/]+/api", ""))
                .body()
                .asText();
    }
}
