package io.millrace.engine.run.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.machine.StepPath;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunLogTest {
    private final RunLog log = new RunLog();

    @Test
    void leavesTheOutputOut_whenThereIsNone() {
        // When
        var with = RunLog.record("CODE", "SUCCEEDED", Json.object(), IntNode.valueOf(1), 5);
        var without = RunLog.record("CODE", "FAILED", Json.object(), null, 5);

        // Then
        assertThat(Json.text(with))
                .isEqualTo("{\"type\":\"CODE\",\"status\":\"SUCCEEDED\",\"input\":{},\"output\":1,\"duration\":5}");
        assertThat(without.has("output")).isFalse();
    }

    @Test
    void beginsALoopWithoutItem() {
        // When
        var record = RunLog.loopRecord(Json.array(), 0);

        // Then
        assertThat(Json.text(record))
                .isEqualTo("{\"type\":\"LOOP_ON_ITEMS\",\"status\":\"SUCCEEDED\",\"input\":{\"items\":[]},"
                        + "\"output\":{\"index\":0,\"iterations\":[]},\"duration\":0}");
    }

    @Test
    void showsTheCurrentItem_whenAnIterationIsEntered() {
        // Given
        log.steps().set("outer", RunLog.loopRecord(Json.array(), 0));

        // When
        RunLog.enterIteration(log.steps(), "outer", 0, TextNode.valueOf("a"));
        RunLog.enterIteration(log.steps(), "outer", 1, TextNode.valueOf("b"));

        // Then
        assertThat(Json.text(log.steps().at("/outer/output")))
                .isEqualTo("{\"index\":2,\"iterations\":[{},{}],\"item\":\"b\"}");
    }

    @Test
    void findsTheMapsOfNestedIterations_outermostFirst() {
        // Given
        log.steps().set("outer", RunLog.loopRecord(Json.array(), 0));
        RunLog.enterIteration(log.steps(), "outer", 0, TextNode.valueOf("a"));
        RunLog.enterIteration(log.steps(), "outer", 1, TextNode.valueOf("b"));
        var second = log.mapsAt(List.of("outer"), StepPath.of(0, 1)).getLast();
        second.set("inner", RunLog.loopRecord(Json.array(), 0));
        RunLog.enterIteration(second, "inner", 0, TextNode.valueOf("c"));

        // When
        var maps = log.mapsAt(List.of("outer", "inner"), StepPath.of(2, 1, 0));
        maps.getLast().put("mark", true);

        // Then
        assertThat(maps).hasSize(3);
        assertThat(maps.getFirst()).isSameAs(log.steps());
        assertThat(maps.get(1)).isSameAs(second);
        assertThat(log.steps()
                        .at("/outer/output/iterations/1/inner/output/iterations/0/mark")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void hasOneMap_outsideLoops() {
        assertThat(log.mapsAt(List.of(), StepPath.of(3))).containsExactly(log.steps());
    }
}
