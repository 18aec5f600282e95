package io.millrace.piece.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.catalogue.CatalogueEntry;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Indexes of published pieces: the bundled one, and others from remote servers. */
class FeedIndexTest {
    private static final Instant AT = Instant.parse("2026-02-03T04:05:06Z");

    private static FeedIndex index(String list) throws IOException {
        return FeedIndex.of(Json.parse(list.replace('\'', '"')), AT);
    }

    private static JsonNode summary(String list) throws IOException {
        return index(list).entries().getFirst().documents().summary();
    }

    @Test
    void describesEveryPieceOfTheServersIndex() {
        var entries = ServerIndex.read().entries();

        assertThat(entries).hasSizeGreaterThanOrEqualTo(89);
        for (var entry : entries) {
            var metadata = ServerIndex.metadata(entry.name(), entry.version());
            assertThat(metadata).as(entry.name()).isPresent();
            assertThat(metadata.orElseThrow().path("actions"))
                    .hasSize(entry.parts().actions().size());
            assertThat(entry.documents().summary().path("logoUrl").asText()).startsWith("https://");
            assertThat(entry.documents().summary().has("versionRange")).isTrue();
        }
        assertThat(ServerIndex.metadata(entries.getFirst().name(), "99.0.0")).isEmpty();
    }

    @Test
    void travelsInLessThanThreeMegabytes() throws IOException {
        var bytes = 0;
        for (var name : new String[] {"/catalogue/index.json", "/catalogue/details.jsonl"}) {
            try (var stream = FeedIndexTest.class.getResourceAsStream(name)) {
                bytes += stream.readAllBytes().length;
            }
        }

        assertThat(bytes).isLessThan(3_000_000);
    }

    @Test
    void leavesOutWhatIsNoOfficialPackageAtAnExactVersion() throws IOException {
        var index = index("""
                [{'name':'@activepieces/piece-good','version':'1.2.3'},
                 {'name':'@activepieces/piece-good','version':'1.2.2'},
                 {'name':'@activepieces/piece-range','version':'^1.2.3'},
                 {'name':'@activepieces/piece-../../x','version':'1.2.3'},
                 {'name':'@else/piece-good','version':'1.2.3'},
                 {'name':7,'version':'1.2.3'}, 'text', null, []]""");

        assertThat(index.entries())
                .extracting(CatalogueEntry::name, CatalogueEntry::version)
                .containsExactly(tuple("@activepieces/piece-good", "1.2.3"));
    }

    @Test
    void fillsInWhatAnEntryLeavesOut_orTellsInAnotherKind() throws IOException {
        var summary = summary("""
                [{'name':'@activepieces/piece-bare','version':'1.2.3','authors':'me','categories':[7],'auth':'none',
                  'displayName':{},'created':'yesterday','actions':-1,'suggestedActions':[{'name':''},'x']}]""");

        assertThat(summary.path("displayName").asText()).isEqualTo("@activepieces/piece-bare");
        assertThat(summary.path("authors")).isEmpty();
        assertThat(summary.path("categories")).isEmpty();
        assertThat(summary.has("auth")).isFalse();
        assertThat(summary.path("created").asText()).isEqualTo("2026-02-03T04:05:06.000Z");
        assertThat(summary.path("actions").asInt()).isZero();
    }

    @Test
    void readsCountsAsWellAsWholeDescriptions() throws IOException {
        var entry = index("""
                [{'name':'@activepieces/piece-both','version':'1.2.3','triggers':4,
                  'actions':{'send':{'name':'send','displayName':'Send Mail','description':'Away'}}}]""").entries().getFirst();

        assertThat(entry.parts().actions()).containsExactly(new CatalogueEntry.Part("send", "send mail\nsend\naway"));
        assertThat(entry.documents().summary().path("actions").asInt()).isEqualTo(1);
        assertThat(entry.documents().summary().path("triggers").asInt()).isEqualTo(4);
    }
}
