package io.millrace.engine.run.journal;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.LoggedTrigger;
import io.millrace.support.Seeds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Conversion between the log of an ended run and the results of a live one (contract flows-and-engine 5.6, 6.4). */
class LoggedResultsTest {
    private static final JsonNode LOG = json("""
            {'trigger':{'type':'PIECE_TRIGGER','status':'SUCCEEDED','input':{},'output':{'xs':[1,2]}},
             'step_1':{'type':'CODE','status':'SUCCEEDED','input':{},'output':1,'duration':5},
             'step_2':{'type':'LOOP_ON_ITEMS','status':'SUCCEEDED','input':{},'output':{'item':2,'index':2,'iterations':[
               {'step_3':{'type':'PIECE','status':'SUCCEEDED','input':{},'output':10},
                'step_4':{'type':'LOOP_ON_ITEMS','status':'SUCCEEDED','input':{},'output':{'index':2,'iterations':[
                  {},{'step_5':{'type':'CODE','status':'PAUSED','input':{}}}]}}},
               {'step_3':{'type':'PIECE','status':'FAILED','input':{},'errorMessage':'{}'}}]}},
             'step_6':{'type':'ROUTER','status':'SUCCEEDED','input':{},'output':{'branches':[]}},
             'step_7':{'type':'CODE','status':'FAILED','input':{},'errorMessage':'{}'}}
            """);

    @Test
    void restoresWhatSucceededOrPaused_insideLoopsToo() {
        // When
        var restored = LoggedResults.restored(LOG);

        // Then
        assertThat(restored).containsOnlyKeys("step_1", "step_2[0].step_3", "step_2[0].step_4[1].step_5");
        assertThat(restored.get("step_1")).isEqualTo(LOG.get("step_1"));
    }

    @Test
    void restoresNothingOfAnEmptyLog() {
        assertThat(LoggedResults.restored(Json.object())).isEmpty();
        assertThat(LoggedTrigger.of(Json.object())).isEmpty();
    }

    @Test
    void findsTheTrigger_andWhetherItFailed() {
        assertThat(LoggedTrigger.of(LOG)).contains(new LoggedTrigger(json("{'xs':[1,2]}"), false, false));
        assertThat(LoggedTrigger.of(json("{'trigger':{'type':'PIECE_TRIGGER','status':'FAILED','output':7}}")))
                .contains(new LoggedTrigger(json("7"), true, false));
        assertThat(LoggedTrigger.of(
                        json("{'trigger':{'type':'PIECE_TRIGGER','status':'FAILED','output':7,'unprepared':true}}")))
                .contains(new LoggedTrigger(json("7"), false, true));
    }

    @Test
    void showsTheIterationsOfRecordedResults() {
        // Given
        var record = json("{'type':'CODE','status':'SUCCEEDED','input':{},'output':1,'duration':0}");

        // When
        var log = LoggedResults.log(json("{'a':1}"), Map.of("step_2[1].step_3", record));

        // Then
        assertThat(log.at("/trigger/output")).isEqualTo(json("{'a':1}"));
        assertThat(log.at("/step_2/output/index").asInt()).isEqualTo(2);
        assertThat(log.at("/step_2/output/iterations/0")).isEmpty();
        assertThat(log.at("/step_2/output/iterations/1/step_3")).isEqualTo(record);
    }

    @Test
    void losesNothing_thereAndBack() {
        Seeds.each(200, random -> {
            // Given
            var records = new LinkedHashMap<String, JsonNode>();
            for (var count = random.nextInt(12); count > 0; count--) {
                records.put(
                        path(random), json("{'type':'PIECE','status':'SUCCEEDED','input':{},'output':" + count + "}"));
            }

            // When
            var restored = LoggedResults.restored(LoggedResults.log(Json.object(), records));

            // Then
            assertThat(restored).containsExactlyInAnyOrderEntriesOf(Map.copyOf(objects(records)));
        });
    }

    private static Map<String, ObjectNode> objects(Map<String, JsonNode> records) {
        var objects = new LinkedHashMap<String, ObjectNode>();
        records.forEach((path, record) -> objects.put(path, (ObjectNode) record));
        return objects;
    }

    private static String path(Random random) {
        var path = new StringBuilder();
        for (var depth = random.nextInt(3); depth > 0; depth--) {
            path.append("loop_")
                    .append(depth)
                    .append('[')
                    .append(random.nextInt(4))
                    .append("].");
        }
        return path.append("step_").append(random.nextInt(5)).toString();
    }
}
