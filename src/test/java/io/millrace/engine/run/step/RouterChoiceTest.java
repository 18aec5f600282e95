package io.millrace.engine.run.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlow.Branch;
import io.millrace.engine.run.plan.CompiledFlow.Work;
import io.millrace.sandbox.expression.ConditionOperator;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.Needs;
import io.millrace.sandbox.expression.TestScope;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Evaluation of the branches of a router in the budget of one step. */
class RouterChoiceTest {
    private static final int LENGTH = 1_000_000;

    private final TestScope scope = new TestScope();

    private static Work.OfRouter router(int branches, String first, ConditionOperator operator, String second) {
        var condition = new CompiledFlow.Condition(
                operator,
                InputTemplate.compile(TextNode.valueOf(first)),
                second == null ? null : InputTemplate.compile(TextNode.valueOf(second)),
                false);
        var branch = new Branch(false, List.of(List.of(condition)), Json.object(), Json.object());
        return new Work.OfRouter(Json.object(), 0, Collections.nCopies(branches, branch), Needs.NONE);
    }

    @Test
    void sharesOneBudget_whenARouterHasManyConditions() {
        // given
        var router = router(100, "{{[...Array(50000).keys()].length}}", ConditionOperator.EXISTS, null);

        // when, then
        assertThatThrownBy(() -> RouterChoice.of(router, scope))
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo(ExpressionFailure.LIMIT_EXCEEDED));
    }

    @ParameterizedTest
    @CsvSource({
        "TEXT_CONTAINS, blanks, 200",
        "TEXT_EXACTLY_MATCHES, blanks, 50",
        "TEXT_DOES_NOT_EXACTLY_MATCH, blanks, 50",
        "TEXT_START_WITH, blanks, 50",
        "TEXT_ENDS_WITH, blanks, 50",
        "LIST_CONTAINS, blanks, 50",
        "LIST_IS_EMPTY, blanks, 50",
        "NUMBER_IS_GREATER_THAN, blanks, 50",
        "NUMBER_IS_LESS_THAN, blanks, 50",
        "NUMBER_IS_EQUAL_TO, blanks, 50",
        "DATE_IS_BEFORE, blanks, 50",
        "DATE_IS_EQUAL, blanks, 50",
        "DATE_IS_AFTER, blanks, 50",
        "LIST_CONTAINS, list, 50"
    })
    void metersTheLengthOfOperands(ConditionOperator operator, String step, int branches) {
        // given
        scope.step("blanks", TextNode.valueOf(" ".repeat(LENGTH)));
        scope.step("equal", TextNode.valueOf(" ".repeat(LENGTH)));
        scope.step("list", listOf(100_000));
        var first = "{{" + step + "['output']}}";

        // when, then
        assertThatThrownBy(() -> RouterChoice.of(router(branches, first, operator, "{{equal['output']}}"), scope))
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo(ExpressionFailure.LIMIT_EXCEEDED));
    }

    private static JsonNode listOf(int size) {
        var list = Json.array();
        for (var i = 0; i < size; i++) {
            list.add("item");
        }
        return list;
    }

    @Test
    void leavesRoomForManySimpleConditions() {
        // given
        scope.step("s", "{'kind':'order'}");

        // when
        var choice = RouterChoice.of(
                router(2_000, "{{s['output']['kind']}}", ConditionOperator.TEXT_EXACTLY_MATCHES, "Order"), scope);

        // then
        assertThat(choice.evaluation()).hasSize(2_000).containsOnly(true);
    }

    @Test
    void leavesRoomForSearchesOfALongText() {
        // given
        scope.step("mail", TextNode.valueOf("Some text. ".repeat(450_000)));

        // when
        var choice =
                RouterChoice.of(router(20, "{{mail['output']}}", ConditionOperator.TEXT_CONTAINS, "Invoice"), scope);

        // then
        assertThat(choice.evaluation()).hasSize(20).containsOnly(false);
    }
}
