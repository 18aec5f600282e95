package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.apply;
import static io.millrace.authoring.flow.editor.FlowSamples.base;
import static io.millrace.authoring.flow.editor.FlowSamples.empty;
import static io.millrace.authoring.flow.editor.FlowSamples.json;
import static io.millrace.authoring.flow.editor.FlowSamples.operation;
import static io.millrace.authoring.flow.editor.FlowSamples.settings;
import static io.millrace.authoring.flow.editor.FlowSamples.show;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import org.junit.jupiter.api.Test;

/** IMPORT_FLOW and the migration of imported versions (contract flows-and-engine 2.14, 4.13). */
class ImportTest {
    private static final String CODE =
            "'type':'CODE','valid':true,'displayName':'d','settings':{'sourceCode':{'code':'{{step_1.a}}','packageJson':'{}'},'input':";

    private static ObjectNode request(String schemaVersion, String nextAction) {
        var request = json("{'displayName':'Imported','trigger':{'name':'trigger','displayName':'t','type':'EMPTY',"
                + "'valid':false,'settings':{},'lastUpdatedDate':'2026-01-01T00:00:00.000Z'}}");
        if (schemaVersion != null) {
            request.put("schemaVersion", schemaVersion);
        }
        ((ObjectNode) request.get("trigger")).set("nextAction", json(nextAction));
        return request;
    }

    private static FlowVersion imported(FlowVersion version, ObjectNode request) {
        var operation = FlowOperation.parse(json("{'type':'IMPORT_FLOW'}").set("request", request));
        return FlowEditor.apply(version, (FlowOperation.VersionEdit) operation, FlowSamples.CONTEXT);
    }

    @Test
    void replacesNameAndActions_andWritesWhatItReads() {
        // given
        var tree = base().steps().toJson();
        var request = json("{'displayName':'Imported','schemaVersion':'22'}");
        request.set("trigger", tree);

        // when
        var version = imported(
                apply(empty(), "ADD_ACTION", "{'parentStep':'trigger','action':" + FlowSamples.code("old") + "}"),
                request);

        // then
        assertThat(show(version)).isEqualTo(show(base()));
        assertThat(version.displayName()).isEqualTo("Imported");
        assertThat(version.steps().toJson()).isEqualTo(tree.put("lastUpdatedDate", FlowSamples.NOW_TEXT));
        assertThat(StepTree.stored(version.steps().toJson())).isEqualTo(version.steps());
    }

    @Test
    void answersNotFound_whenTheTriggerHasAnotherName() {
        // given
        var request = request("22", "{'name':'a'," + CODE + "{}}}");
        ((ObjectNode) request.get("trigger")).put("name", "other");

        // then
        assertThatThrownBy(() -> imported(base(), request))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND));
    }

    @Test
    void refusesATriggerWithoutDate_unlessItsSchemaHadNone() {
        // given
        var request = request("22", "{'name':'a'," + CODE + "{}}}");
        ((ObjectNode) request.get("trigger")).remove("lastUpdatedDate");

        // then
        assertThatThrownBy(() -> imported(base(), request))
                .hasMessageContaining("body/request/trigger/lastUpdatedDate");
        assertThat(show(imported(base(), request.deepCopy().put("schemaVersion", "11"))))
                .isEqualTo("trigger > a");
    }

    @Test
    void marksAStepInvalid_whenItsSettingsMissTheSchema() {
        // when
        var version =
                imported(empty(), request("22", "{'name':'a','displayName':'d','type':'PIECE','settings':{'odd':1}}"));

        // then
        assertThat(version.steps().find("a").orElseThrow().valid()).isFalse();
        assertThat(settings(version, "a").path("odd").asInt()).isEqualTo(1);
    }

    @Test
    void namesTheInvalidFieldOfAStep() {
        // given
        var request =
                request("22", "{'name':'a'," + CODE + "{}},'nextAction':{'name':'b-c','displayName':5,'type':'FLY'}}");

        // then
        assertThatThrownBy(() -> imported(empty(), request))
                .hasMessageContaining("body/request/trigger/nextAction/nextAction/name Invalid string")
                .hasMessageContaining("body/request/trigger/nextAction/nextAction/displayName Invalid input")
                .hasMessageContaining("body/request/trigger/nextAction/nextAction/type Invalid option");
    }

    @Test
    void dropsSampleData() {
        // when
        var version = imported(
                empty(), request("22", "{'name':'a'," + CODE + "{},'sampleData':{'sampleDataFileId':'secret'}}}"));

        // then
        assertThat(settings(version, "a").has("sampleData")).isFalse();
    }

    @Test
    void rewritesReferences_whenTheSchemaIsOlder() {
        // given
        var step = "{'name':'fetch'," + CODE + "{'a':'{{ trigger.body }} {{fetch.x}} step_1','b':['{{step_9}}']}}}";

        // when
        var old = imported(empty(), request("21", step));
        var current = imported(empty(), request("22", step));
        var oldest = imported(empty(), request(null, step));

        // then
        assertThat(settings(old, "fetch").path("input")).isEqualTo(quoted());
        assertThat(settings(old, "fetch").at("/sourceCode/code").asText()).isEqualTo("{{step_1.a}}");
        assertThat(settings(current, "fetch").at("/input/b/0").asText()).isEqualTo("{{step_9}}");
        assertThat(settings(oldest, "fetch").at("/input/b/0").asText()).isEqualTo("{{step_9['output']}}");
    }

    private static ObjectNode quoted() {
        var input = json("{'a':'','b':[]}");
        input.put("a", "{{ trigger['output'].body }} {{fetch['output'].x}} step_1");
        input.withArray("b").add("{{step_9['output']}}");
        return input;
    }

    @Test
    void turnsOldBranchesIntoRouters() {
        // given
        var leaf = "{'name':'%s'," + CODE + "{}}}";
        var branch =
                "{'name':'a','displayName':'d','type':'BRANCH','valid':true,'settings':{'conditions':[[{'firstValue':'x','operator':'EXISTS'}]]},"
                        + "'onSuccessAction':" + leaf.formatted("yes") + ",'onFailureAction':" + leaf.formatted("no")
                        + "}";

        // when
        var version = imported(empty(), request(null, branch));

        // then
        assertThat(show(version)).isEqualTo("trigger > a[yes/no]");
        assertThat(version.steps().find("a").orElseThrow().valid()).isTrue();
        assertThat(settings(version, "a").at("/branches/1/branchType").asText()).isEqualTo("FALLBACK");
        assertThat(settings(version, "a").path("branches").findValuesAsText("branchName"))
                .containsExactly("Branch 1", "Otherwise");
    }

    @Test
    void bringsOldSettingsToTodaysForm() {
        // given
        var old =
                "{'name':'a','displayName':'d','type':'PIECE','valid':true,'settings':{'pieceName':'@activepieces/piece-x',"
                        + "'pieceVersion':'~1.2.3','actionName':'go','input':{'auth':'{{connections.shop}}','key':'k','list':[]},"
                        + "'schema':{'list':{'x':1}},'inputUiInfo':{'customizedInputs':{'key':true,'list':false,"
                        + "'logoUrl':'https://logo'},'sampleDataFileId':'file'}}}";

        // when
        var oldest = imported(empty(), request(null, old));
        var settings = settings(oldest, "a");

        // then
        assertThat(oldest.steps().find("a").orElseThrow().valid()).isTrue();
        assertThat(oldest.connectionIds()).containsExactly("shop");
        assertThat(settings.path("pieceVersion").asText()).isEqualTo("1.2.3");
        assertThat(settings.path("customLogoUrl").asText()).isEqualTo("https://logo");
        assertThat(settings.has("inputUiInfo") || settings.has("schema") || settings.has("sampleData"))
                .isFalse();
        assertThat(settings.path("propertySettings"))
                .isEqualTo(
                        json(
                                "{'auth':{'type':'MANUAL'},'key':{'type':'DYNAMIC'},'list':{'type':'MANUAL','schema':{'x':1}}}"));
        var settled = settings(
                imported(empty(), request("7", old.replace("'schema'", "'propertySettings':{},'schema'"))), "a");
        assertThat(settled.path("propertySettings")).isEqualTo(json("{}"));
        assertThat(settled.at("/input/auth").asText()).isEqualTo("{{connections.shop}}");
    }

    @Test
    void answersCallersByTheWebhookPiece_whenTheHttpPieceDid() {
        // given
        var old =
                "{'name':'a','displayName':'d','type':'PIECE','valid':true,'settings':{'pieceName':'@activepieces/piece-http',"
                        + "'pieceVersion':'~0.5.1','actionName':'return_response','input':{'status':201,'headers':{'x':'y'},"
                        + "'body_type':'json','body':{'data':{'id':'{{step_1.id}}'}}}}}";

        // when
        var settings = settings(imported(empty(), request("5", old)), "a");

        // then
        assertThat(settings.path("pieceName").asText()).isEqualTo("@activepieces/piece-webhook");
        assertThat(settings.path("pieceVersion").asText()).isEqualTo("0.1.20");
        assertThat(settings.at("/input/respond").asText()).isEqualTo("stop");
        assertThat(settings.at("/input/responseType").asText()).isEqualTo("json");
        assertThat(settings.at("/input/fields/status").asInt()).isEqualTo(201);
        assertThat(settings.at("/input/fields/body/id").asText()).isEqualTo("{{step_1['output'].id}}");
        assertThat(settings(imported(empty(), request("6", old)), "a")
                        .path("pieceName")
                        .asText())
                .isEqualTo("@activepieces/piece-http");
    }

    @Test
    void marksAStepInvalid_whenAReferenceInItCannotBeRewritten() {
        // given
        var broken = "{'name':'a'," + CODE + "{'x':'{{step_1.a +}}'}},'nextAction':{'name':'b'," + CODE
                + "{'x':'{{other +}} {{step_1.a}}'}}}}";

        // when
        var version = imported(empty(), request("21", broken));

        // then
        assertThat(version.steps().find("a").orElseThrow().valid()).isFalse();
        assertThat(version.steps().find("b").orElseThrow().valid()).isTrue();
        assertThat(settings(version, "a").at("/input/x").asText()).isEqualTo("{{step_1.a +}}");
        assertThat(imported(empty(), request("22", broken))
                        .steps()
                        .find("a")
                        .orElseThrow()
                        .valid())
                .isTrue();
    }

    @Test
    void rewritesLoopsAndConditions_withoutTouchingKeysAndParameters() {
        // given
        var router = json(FlowSamples.router("r"));
        ((ObjectNode) router.at("/settings/branches/0"))
                .set(
                        "conditions",
                        io.millrace.base.core.Json.trusted(
                                "[[{\"firstValue\":\"{{ trigger.list.map(step_1 => step_1.x) }}\",\"operator\":\"EXISTS\"}]]"));
        var loop = json(
                "{'name':'l','displayName':'d','type':'LOOP_ON_ITEMS','valid':true,'settings':{'items':'{{trigger.items}}'}}");
        loop.set("firstLoopAction", json("{'name':'in_loop'," + CODE + "{'step_1':'{{l.item.step_1}}'}}}"));
        loop.set("nextAction", router);

        // when
        var request = request("20", "{}");
        ((ObjectNode) request.get("trigger")).set("nextAction", loop);
        var version = imported(empty(), request);

        // then
        assertThat(settings(version, "l").path("items").asText()).isEqualTo("{{trigger['output'].items}}");
        assertThat(settings(version, "in_loop").at("/input/step_1").asText()).isEqualTo("{{l['output'].item.step_1}}");
        assertThat(settings(version, "r")
                        .at("/branches/0/conditions/0/0/firstValue")
                        .asText())
                .isEqualTo("{{ trigger['output'].list.map(step_1 => step_1.x) }}");
    }

    @Test
    void padsChildrenAndKeepsSurplusOnes() {
        // given
        var router = json(FlowSamples.router("a"));
        router.putArray("children")
                .add(json("{'name':'x'," + CODE + "{}}}"))
                .addNull()
                .add(json("{'name':'z'," + CODE + "{}}}"));
        var request = request("22", "{}");
        ((ObjectNode) request.get("trigger")).set("nextAction", router);

        // then
        assertThat(show(imported(empty(), request))).isEqualTo("trigger > a[x/null/z]");
        router.putArray("children").addNull();
        assertThat(show(imported(empty(), request))).isEqualTo("trigger > a[null/null]");
        router.putArray("children").addNull().addNull().addNull();
        assertThat(show(imported(empty(), request))).isEqualTo("trigger > a[null/null]");
    }

    @Test
    void keepsSettingsAndConditionKeysThatNoSchemaNames() {
        // given
        var router = json(FlowSamples.router("r"));
        ((ObjectNode) router.path("settings")).put("routerColor", "red");
        ((ObjectNode) router.at("/settings/branches/0"))
                .set(
                        "conditions",
                        json("{'a':[[{'firstValue':'x','secondValue':'','caseSensitive':true,"
                                        + "'operator':'EXISTS','note':{'by':'Ada'}}]]}")
                                .path("a"));
        router.set("nextAction", json("{'name':'a'," + CODE + "{},'width':3,'customLogoUrl':null}}"));
        var request = request("22", "{}");
        ((ObjectNode) request.get("trigger")).set("nextAction", router);

        // when
        var version = imported(empty(), request);

        // then
        assertThat(settings(version, "r").path("routerColor").asText()).isEqualTo("red");
        assertThat(settings(version, "r").at("/branches/0/conditions/0/0"))
                .isEqualTo(json("{'firstValue':'x','secondValue':'','caseSensitive':true,'operator':'EXISTS',"
                        + "'note':{'by':'Ada'}}"));
        assertThat(settings(version, "a").path("width").asInt()).isEqualTo(3);
        assertThat(settings(version, "a").has("customLogoUrl")).isFalse();
        assertThat(version.steps().find("r").orElseThrow().valid()).isTrue();
    }

    @Test
    void refusesTreesThatAreNestedTooDeep() {
        // given
        var inner = json("{'name':'a'," + CODE + "{}}}");
        for (var depth = 0; depth <= StepTree.NESTING_MAX; depth++) {
            var outer = json(FlowSamples.loop("loop_" + depth));
            outer.set("firstLoopAction", inner);
            inner = outer;
        }
        var request = request("22", "{}");
        ((ObjectNode) request.get("trigger")).set("nextAction", inner);

        // then
        assertThatThrownBy(() -> imported(empty(), request))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.FLOW_OPERATION_INVALID));
    }

    @Test
    void replacesNotes() {
        // given
        var request = request("22", "{'name':'a'," + CODE + "{}}}");
        request.set(
                "notes",
                io.millrace.base.core.Json.array()
                        .add(
                                json(
                                        "{'id':'n','content':'c','ownerId':'other','position':{'x':1,'y':1},'size':{'width':1,'height':1},'createdAt':'old'}")));

        // when
        var version = imported(empty(), request);

        // then
        assertThat(version.notes()).singleElement().satisfies(note -> {
            assertThat(note.ownerId()).isEqualTo(FlowSamples.CONTEXT.user());
            assertThat(note.createdAt()).isEqualTo(FlowSamples.NOW_TEXT);
        });
    }

    @Test
    void refusesASchemaVersionThatIsNoText() {
        assertThatThrownBy(() -> operation("IMPORT_FLOW", "{'displayName':'x','schemaVersion':22,'trigger':{}}"))
                .hasMessageContaining("body/request/schemaVersion");
    }
}
