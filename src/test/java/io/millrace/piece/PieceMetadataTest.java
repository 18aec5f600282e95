package io.millrace.piece;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.catalogue.CatalogueEntry;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.catalogue.PieceQuery;
import io.millrace.piece.catalogue.PieceQuery.Order;
import io.millrace.piece.catalogue.PieceQuery.SortBy;
import io.millrace.piece.catalogue.PieceQuery.SuggestionType;
import io.millrace.piece.catalogue.PieceScope;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class PieceMetadataTest {
    private final List<Piece> pieces = Builtins.all(InstantSource.system(), new Random(1));
    private final PieceCatalogue catalogue = new PieceCatalogue(pieces);

    @Test
    void describesAPieceInFull() {
        var metadata = PieceMetadata.full(piece("webhook"), "0.1.25");

        assertThat(metadata.path("name").asText()).isEqualTo("@activepieces/piece-webhook");
        assertThat(metadata.path("version").asText()).isEqualTo("0.1.25");
        assertThat(metadata.path("pieceType").asText()).isEqualTo("OFFICIAL");
        assertThat(metadata.path("packageType").asText()).isEqualTo("REGISTRY");
        assertThat(metadata.path("projectUsage").asInt(-1)).isZero();
        assertThat(metadata.path("maximumSupportedRelease").asText()).isEqualTo("999.999.999");
        assertThat(metadata.path("contextInfo")).isEqualTo(json("{'version':'2'}"));
        assertThat(metadata.has("auth")).isFalse();
        assertThat(metadata.has("i18n")).isFalse();
        assertThat(metadata.path("triggers").path("catch_webhook").path("type").asText())
                .isEqualTo("WEBHOOK");
        assertThat(metadata.path("triggers")
                        .path("catch_webhook")
                        .path("sampleData")
                        .isNull())
                .isTrue();
    }

    @Test
    void describesTheActionsOfAPiece() {
        var webhook = PieceMetadata.full(piece("webhook"), "0.1.29").path("actions");
        var mapper = PieceMetadata.full(piece("data-mapper"), "0.3.0").path("actions");

        assertThat(webhook.path("return_response").path("errorHandlingOptions"))
                .isEqualTo(
                        json("{'continueOnFailure':{'defaultValue':false},'retryOnFailure':{'defaultValue':false}}"));
        assertThat(mapper.path("advanced_mapping"))
                .isEqualTo(
                        json(
                                "{'name':'advanced_mapping','displayName':'Advanced Mapping',"
                                        + "'description':'Maps data from one form to another.',"
                                        + "'props':{'mapping':{'type':'JSON','displayName':'Mapping',"
                                        + "'description':'The structure to build.','required':true,"
                                        + "'defaultValue':{'newProperty':'oldProperty'}}},'requireAuth':true,"
                                        + "'errorHandlingOptions':{'continueOnFailure':{'hide':true},'retryOnFailure':{'hide':true}}}"));
    }

    @Test
    void describesDropDownsAndDynamicProperties() {
        var props = PieceMetadata.full(piece("webhook"), "0.1.29")
                .path("triggers")
                .path("catch_webhook")
                .path("props");

        assertThat(props.path("authType").path("options").path("options").path(1))
                .isEqualTo(json("{'label':'Basic Auth','value':'basic'}"));
        assertThat(props.path("authFields").path("refreshers"))
                .isEqualTo(Json.array().add("authType"));
        assertThat(props.path("liveMarkdown").path("variant").asText()).isEqualTo("BORDERLESS");
    }

    @Test
    void givesEveryPieceAStableIdentifier() {
        var ids = pieces.stream()
                .map(piece -> PieceMetadata.full(piece, "1.0.0").path("id").asText())
                .toList();

        assertThat(ids).doesNotHaveDuplicates().allMatch(Ids::isId);
        assertThat(PieceMetadata.idOf("a")).isEqualTo(PieceMetadata.idOf("a"));
    }

    @Test
    void countsActionsAndTriggersInAList() {
        var list = new PieceQuery(null, Set.of(), null, null, null)
                .answer(entries(catalogue.newest(PieceScope.EVERYBODY)), Map.of());

        assertThat(list).hasSize(pieces.size());
        assertThat(list.path(0).path("actions").asInt()).isEqualTo(2);
        assertThat(list.path(0).path("triggers").asInt()).isEqualTo(1);
        assertThat(list.path(0).has("suggestedActions")).isFalse();
    }

    @Test
    void findsPiecesByAllWords_inTheirNamesAndDescriptions() {
        assertThat(names(new PieceQuery("HELPER text", Set.of(), null, null, null)))
                .containsExactly("Text Helper");
        assertThat(names(new PieceQuery("nothing at all", Set.of(), null, null, null)))
                .isEmpty();
    }

    @Test
    void sortsByName_inBothDirections() {
        assertThat(names(new PieceQuery(null, Set.of(), SortBy.NAME, null, null)))
                .isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER);
        assertThat(names(new PieceQuery(null, Set.of(), SortBy.NAME, Order.DESC, null))
                        .reversed())
                .isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER);
    }

    @Test
    void filtersByCategory() {
        assertThat(names(new PieceQuery(null, Set.of(PieceCategory.FLOW_CONTROL), null, null, null)))
                .containsExactly("Delay", "Approval");
    }

    @Test
    void suggestsMatchingActionsAndTriggers() {
        var actions =
                new PieceQuery("append", Set.of(), null, null, SuggestionType.ACTION).answer(entries(pieces), Map.of());
        var triggers = new PieceQuery("every month", Set.of(), null, null, SuggestionType.ACTION_AND_TRIGGER)
                .answer(entries(pieces), Map.of());

        assertThat(actions).hasSize(1);
        assertThat(actions.path(0).path("suggestedActions")).hasSize(1);
        assertThat(actions.path(0).has("suggestedTriggers")).isFalse();
        assertThat(triggers.path(0)
                        .path("suggestedTriggers")
                        .path(0)
                        .path("name")
                        .asText())
                .isEqualTo("every_month");
    }

    @Test
    void answersTheChildrenOfADynamicProperty() {
        var answer =
                PieceOptions.answer(piece("webhook"), "return_response", "fields", json("{'responseType':'redirect'}"));

        assertThat(answer)
                .isEqualTo(json("{'options':{'body':{'type':'LONG_TEXT','displayName':'Redirect URL',"
                        + "'required':true}},'type':'DYNAMIC'}"));
        assertThatThrownBy(() -> PieceOptions.answer(piece("webhook"), "return_response", "nothing", json("{}")))
                .isInstanceOf(ApiException.class);
    }

    private static List<CatalogueEntry> entries(List<Piece> pieces) {
        return pieces.stream().map(CatalogueEntry::of).toList();
    }

    private Piece piece(String shortName) {
        var name = "@activepieces/piece-" + shortName;
        return catalogue
                .find(
                        PieceScope.EVERYBODY,
                        name,
                        catalogue.versions(PieceScope.EVERYBODY, name).getFirst())
                .orElseThrow();
    }

    private List<String> names(PieceQuery query) {
        return StreamSupport.stream(
                        query.answer(entries(catalogue.newest(PieceScope.EVERYBODY)), Map.of())
                                .spliterator(),
                        false)
                .map(piece -> piece.path("displayName").asText())
                .toList();
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }
}
