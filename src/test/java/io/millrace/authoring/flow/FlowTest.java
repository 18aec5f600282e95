package io.millrace.authoring.flow;

import static io.millrace.authoring.flow.editor.FlowSamples.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.authoring.flow.version.VersionSummary;
import io.millrace.base.core.Json;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** JSON representation of flows and versions (contract flows-and-engine 2.1, 2.2). */
class FlowTest {
    private static final Flow FLOW = Flow.created(
            "flow00000000000000001", "external0000000000001", "project00000000000001", null, null, FlowSamples.CREATED);

    @Test
    void showsEmptyFieldsOfAFlowAsNull() {
        assertThat(FLOW.toJson())
                .isEqualTo(json("{'id':'flow00000000000000001','created':'2026-01-05T10:20:30.123Z',"
                        + "'updated':'2026-01-05T10:20:30.123Z','projectId':'project00000000000001',"
                        + "'externalId':'external0000000000001','ownerId':null,'folderId':null,'status':'DISABLED',"
                        + "'publishedVersionId':null,'metadata':null,'operationStatus':'NONE','timeSavedPerRun':null,"
                        + "'templateId':null,'createdBy':null}"));
    }

    @Test
    void showsTheVersionOfANewFlow() {
        // when
        var json = FLOW.toJson(FlowSamples.empty(), Json.object().nullNode());

        // then
        assertThat(json.path("triggerSource")).isEqualTo(json("{'schedule':null}"));
        assertThat(json.path("version"))
                .isEqualTo(json("{'id':'version00000000000001','created':'2026-01-05T10:20:30.123Z',"
                        + "'updated':'2026-01-05T10:20:30.123Z','flowId':'flow00000000000000001',"
                        + "'displayName':'My flow','schemaVersion':'22','valid':false,'state':'DRAFT','updatedBy':null,"
                        + "'trigger':{'name':'trigger','displayName':'Select Trigger','type':'EMPTY','valid':false,"
                        + "'settings':{},'lastUpdatedDate':'2026-01-05T10:20:30.123Z'},'agentIds':[],"
                        + "'connectionIds':[],'backupFiles':null,'notes':[]}"));
    }

    @Test
    void showsTheMetadataOfAVersionWithoutItsSteps() {
        // given
        var summary = new VersionSummary(
                "v",
                FlowSamples.CREATED,
                FlowSamples.NOW,
                "f",
                "My flow",
                true,
                VersionState.DRAFT,
                "22",
                null,
                Optional.empty());

        // then
        assertThat(summary.toJson().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "id",
                        "created",
                        "updated",
                        "flowId",
                        "displayName",
                        "schemaVersion",
                        "valid",
                        "state",
                        "updatedBy",
                        "updatedByUser");
    }

    @Test
    void writesChildrenAndErrorBranches_butNoEmptyLinks() {
        // given
        var version = FlowSamples.add(
                FlowSamples.base(),
                "step_1",
                "'stepLocationRelativeToParent':'INSIDE_ON_FAILURE_BRANCH',",
                FlowSamples.code("failure"));

        // when
        var first = FlowSamples.trigger(version).path("nextAction");

        // then
        assertThat(first.at("/continueOnFailureBranches/onFailure/name").asText())
                .isEqualTo("failure");
        assertThat(first.path("continueOnFailureBranches").has("onSuccess")).isFalse();
        assertThat(first.at("/nextAction/firstLoopAction/name").asText()).isEqualTo("step_3");
        var router = first.at("/nextAction/nextAction");
        assertThat(router.path("children").path(0).path("name").asText()).isEqualTo("step_5");
        assertThat(router.path("children").path(1).isNull()).isTrue();
        assertThat(router.has("nextAction")).isFalse();
    }
}
