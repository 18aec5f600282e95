package io.millrace.authoring.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.TestServer;
import io.millrace.support.outside.ModelServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Agent drafts that a model writes from a user's description (contract agents 1). */
class AgentDraftIT {
    private static final String ALL = "/v1/agents";

    @AutoClose
    private static ModelServer model = ModelServer.start();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true", "AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    private static TestServer.SignedIn ada =
            server.signUp("ada@example.com", "Ada").inTeam("Mill");

    @BeforeAll
    static void setUp() {
        model.serve(ada);
    }

    @Test
    void isDraftedByAModel_whichMayWriteWhatItLikes() {
        // given
        model.clear();
        model.then(
                ModelServer.calls(
                        "draft_agent",
                        "{'displayName':'Adder','description':'Adds.','icon':'boat','color':'GREEN','instructions':'Add it up.',"
                                + "'tools':['@activepieces/piece-math-helper/addition_math','no/such','@activepieces/piece-math-helper/addition_math']}"));
        var request = Json.object().put("projectId", ada.projectId()).put("prompt", "Add numbers.");

        // when
        var draft = ada.api().post(ALL + "/draft", request);

        // then
        assertThat(draft.status()).as(draft.toString()).isEqualTo(200);
        assertThat(draft.text("/displayName")).isEqualTo("Adder");
        assertThat(draft.text("/icon")).isEqualTo("bot");
        assertThat(draft.text("/color")).isEqualTo("GREEN");
        assertThat(draft.text("/provider")).isEqualTo("custom");
        assertThat(draft.text("/modelName")).isEqualTo("mill-1");
        assertThat(draft.body().path("tools").size()).isEqualTo(1);
        assertThat(draft.text("/tools/0/pieceMetadata/actionName")).isEqualTo("addition_math");
        assertThat(model.questions.getFirst().at("/messages/1/content").asText())
                .isEqualTo("Add numbers.");
        assertThat(ada.api()
                        .get(ALL + "?search=Adder&projectId=" + ada.projectId())
                        .body()
                        .path("data"))
                .isEmpty();

        // when the model writes none
        model.then(ModelServer.text("I would rather not."));
        var none = ada.api().post(ALL + "/draft", request);

        // then
        assertThat(none.status()).isEqualTo(409);

        // when
        model.then(ModelServer.failure(401, "the key k3y9 is not known"));
        var refused = ada.api().post(ALL + "/draft", request);

        // then
        assertThat(refused.text("/params/message")).isEqualTo("custom (mill-1): the key *** is not known");
        assertThat(ada.api()
                        .post(ALL + "/draft", request.deepCopy().put("prompt", "x".repeat(2_001)))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void isDraftedTwentyTimesAMinute_andNotOnceMore() {
        // given a user without earlier requests
        var cleo = server.signUp("cleo@example.com", "Cleo");
        model.clear();
        model.otherwise(_ -> ModelServer.calls("draft_agent", "{'displayName':'A','instructions':'B'}"));
        model.serve(cleo);
        var request = Json.object().put("projectId", cleo.projectId()).put("prompt", "Anything.");

        // when
        for (var count = 0; count < 20; count++) {
            assertThat(cleo.api().post(ALL + "/draft", request).status()).isEqualTo(200);
        }

        // then
        var refused = cleo.api().post(ALL + "/draft", request);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/params/message")).contains("20");
    }
}
