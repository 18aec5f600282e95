package io.millrace.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.support.Seeds;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whatever is done to a flow, its tree stays a tree. */
class FlowEditorPropertyTest {
    private static final List<String> PLACEMENTS = List.of(
            "",
            "'stepLocationRelativeToParent':'AFTER',",
            "'stepLocationRelativeToParent':'INSIDE_LOOP',",
            "'stepLocationRelativeToParent':'INSIDE_ON_FAILURE_BRANCH',",
            "'stepLocationRelativeToParent':'INSIDE_BRANCH','branchIndex':0,",
            "'stepLocationRelativeToParent':'INSIDE_BRANCH','branchIndex':1,");

    @Test
    void keepsTheTreeWhole_whateverIsDone() {
        Seeds.each(200, random -> {
            var version = FlowSamples.base();
            for (var count = random.nextInt(1, 41); count > 0; count--) {
                version = next(version, random);
                assertInvariants(version);
            }
        });
    }

    private static FlowVersion next(FlowVersion version, Random random) {
        try {
            return step(version, random);
        } catch (ApiException refusal) {
            assertThat(refusal.code()).isIn(ErrorCode.FLOW_OPERATION_INVALID, ErrorCode.ENTITY_NOT_FOUND);
            return version;
        }
    }

    private static FlowVersion step(FlowVersion version, Random random) {
        var name = anyName(version, random);
        var index = random.nextInt(-1, 4);
        return switch (random.nextInt(10)) {
            case 0, 1, 2 ->
                FlowSamples.add(
                        version,
                        name,
                        any(PLACEMENTS, random),
                        action(version.steps().freeName(), random));
            case 3 -> FlowSamples.apply(version, "DELETE_ACTION", "{'names':['" + name + "']}");
            case 4 ->
                FlowSamples.apply(
                        version,
                        "MOVE_ACTION",
                        "{'name':'" + name + "','newParentStep':'" + anyName(version, random) + "',"
                                + any(PLACEMENTS, random).replace("ToParent", "ToNewParent") + "'x':1}");
            case 5 -> FlowSamples.apply(version, "DUPLICATE_ACTION", "{'stepName':'" + name + "'}");
            case 6 ->
                FlowSamples.apply(
                        version,
                        "ADD_BRANCH",
                        "{'stepName':'" + name + "','branchIndex':" + index + ",'branchName':'B'}");
            case 7 ->
                FlowSamples.apply(
                        version, "DUPLICATE_BRANCH", "{'stepName':'" + name + "','branchIndex':" + index + "}");
            case 8 ->
                FlowSamples.apply(version, "DELETE_BRANCH", "{'stepName':'" + name + "','branchIndex':" + index + "}");
            default ->
                FlowSamples.apply(
                        version,
                        "MOVE_BRANCH",
                        "{'stepName':'" + name + "','sourceBranchIndex':" + index + ",'targetBranchIndex':"
                                + random.nextInt(3) + "}");
        };
    }

    private static String action(String name, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> FlowSamples.code(name);
            case 1 -> FlowSamples.loop(name);
            default -> FlowSamples.router(name);
        };
    }

    private static String anyName(FlowVersion version, Random random) {
        return any(version.steps().steps(), random).name();
    }

    private static <T> T any(List<T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static void assertInvariants(FlowVersion version) {
        var steps = version.steps().steps();
        assertThat(version.steps().names()).hasSize(steps.size());
        assertThat(version.valid()).isEqualTo(version.steps().isValid());
        assertThat(StepTree.stored(version.steps().toJson())).isEqualTo(version.steps());
        assertThat(steps)
                .allSatisfy(
                        step -> assertThat(version.steps().find(step.name())).contains(step));
        assertThat(steps).filteredOn(RouterStep.class::isInstance).allSatisfy(step -> {
            var router = (RouterStep) step;
            assertThat(router.children()).hasSameSizeAs(router.branches());
        });
        assertThat(Set.copyOf(version.steps().names())).contains("trigger");
    }
}
