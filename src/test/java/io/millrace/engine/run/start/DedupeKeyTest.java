package io.millrace.engine.run.start;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DedupeKeyTest {
    private static RunWrite.RunHeader run(String versionId, RunEnvironment environment) {
        var now = Instant.EPOCH;
        return new RunWrite.RunHeader(
                "run",
                now,
                "project",
                new RunWrite.RunHeader.FlowOfRun("flow", versionId),
                environment,
                now,
                new RunWrite.RunHeader.RunOrigin(null, true, null, null, null),
                "Mill");
    }

    private static DedupeKey key(JsonNode item) {
        return DedupeKey.of(run("v1", RunEnvironment.PRODUCTION), item);
    }

    @Test
    void isWhatTheItemSays_inItsVersionOfTheFlow() {
        assertThat(key(json("{'_dedupe_key':'a','n':1}"))).isEqualTo(key(json("{'_dedupe_key':'a','n':2}")));
        assertThat(key(json("{'_dedupe_key':7}"))).isEqualTo(key(json("{'_dedupe_key':'7'}")));
        assertThat(key(json("{'_dedupe_key':'a'}"))).isNotEqualTo(key(json("{'_dedupe_key':'b'}")));
        assertThat(DedupeKey.of(run("v2", RunEnvironment.PRODUCTION), json("{'_dedupe_key':'a'}")))
                .isNotEqualTo(key(json("{'_dedupe_key':'a'}")));
    }

    @Test
    void differsForADraft_soThatWhatWasTriedIsNotTakenForDone() {
        var item = json("{'_dedupe_key':'a'}");

        assertThat(DedupeKey.of(run("v1", RunEnvironment.TESTING), item)).isNotEqualTo(key(item));
    }

    @Test
    void isNone_whenTheItemSaysNothing() {
        assertThat(key(json("{'n':1}"))).isNull();
        assertThat(key(json("['_dedupe_key']"))).isNull();
    }

    @Test
    void fitsIntoTheDatabase_whateverItIs() {
        var half = Json.object().put("_dedupe_key", "a\ud83d");
        var zero = Json.object().put("_dedupe_key", "a\0");
        var large = Json.object();
        large.putObject("_dedupe_key").put("a", "x".repeat(100_000));

        assertThat(key(half).text()).isEqualTo("a?");
        assertThat(key(zero).text()).doesNotContain("\0");
        assertThat(key(large).text()).hasSizeLessThan(256);
    }

    @Test
    void isRemoved_andTheGivenItemStaysAsItWas() {
        var item = json("{'_dedupe_key':'a','n':1}");
        var other = json("[1]");

        assertThat(DedupeKey.removedFrom(item)).isEqualTo(json("{'n':1}"));
        assertThat(item).isEqualTo(json("{'_dedupe_key':'a','n':1}"));
        assertThat(DedupeKey.removedFrom(other)).isSameAs(other);
    }
}
