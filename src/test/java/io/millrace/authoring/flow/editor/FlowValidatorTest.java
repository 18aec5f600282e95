package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.code;
import static io.millrace.authoring.flow.editor.FlowSamples.json;
import static io.millrace.authoring.flow.editor.FlowSamples.operation;
import static io.millrace.authoring.flow.editor.FlowSamples.piece;
import static io.millrace.authoring.flow.editor.FlowSamples.pieceTrigger;
import static io.millrace.authoring.flow.editor.FlowSamples.router;
import static io.millrace.authoring.flow.editor.FlowSamples.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.StepContext;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Layer B of contract flows-and-engine 2.12. */
class FlowValidatorTest {
    /** A piece with one action and one trigger, known at version 1.2.3. */
    private record OnePiece(Map<String, Property> properties, ObjectNode auth, boolean requireAuth) implements Piece {
        @Override
        public PieceSpec spec() {
            return new PieceSpec("x", "X", "", "", List.of(), List.of(), List.of("1.2.3"), auth);
        }

        @Override
        public Map<String, Action> actions() {
            return Map.of("go", new Action() {
                @Override
                public ActionSpec spec() {
                    return new ActionSpec("go", "Go", "", properties, requireAuth, true, false);
                }

                @Override
                public Future<JsonNode> run(StepContext context) {
                    return Future.failedFuture("validation runs nothing");
                }
            });
        }

        @Override
        public Map<String, PieceTrigger> triggers() {
            return Map.of("when", new PieceTrigger() {
                @Override
                public TriggerSpec spec() {
                    return new TriggerSpec(
                            "when",
                            "When",
                            "",
                            properties,
                            requireAuth,
                            TriggerSpec.Strategy.WEBHOOK,
                            null,
                            TriggerSpec.TestStrategy.SIMULATION);
                }

                @Override
                public Future<List<JsonNode>> run(TriggerContext context) {
                    return Future.failedFuture("validation runs nothing");
                }
            });
        }
    }

    private static FlowValidator validator(Piece piece) {
        return new FlowValidator((_, name, version) -> name.equals("@activepieces/piece-x") && version.equals("1.2.3")
                ? Optional.of(piece)
                : Optional.empty());
    }

    private static FlowValidator validator(Property property) {
        return validator(new OnePiece(Map.of("a", property), null, true));
    }

    private static ActionStep judged(FlowValidator validator, String action) {
        var edit = (FlowOperation.VersionEdit) operation("UPDATE_ACTION", action);
        return ((FlowOperation.UpdateAction) validator.judge(PieceScope.EVERYBODY, edit)).action();
    }

    private static boolean accepts(Property property, String input) {
        return judged(validator(property), piece("s", "1.2.3", input)).valid();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "SHORT_TEXT; 'x'; true",
                "SHORT_TEXT; ''; false",
                "SHORT_TEXT; 5; false",
                "SHORT_TEXT; null; false",
                "CHECKBOX; true; true",
                "CHECKBOX; '{{x}}'; true",
                "CHECKBOX; 1; false",
                "NUMBER; 5; true",
                "NUMBER; '5'; true",
                "NUMBER; ''; false",
                "STATIC_DROPDOWN; 5; true",
                "DROPDOWN; null; false",
                "MULTI_SELECT_DROPDOWN; []; false",
                "MULTI_SELECT_DROPDOWN; [1]; true",
                "MULTI_SELECT_DROPDOWN; '{{x}}'; true",
                "ARRAY; ['x']; true",
                "ARRAY; ['']; false",
                "ARRAY; []; false",
                "ARRAY; [5]; false",
                "ARRAY; {}; true",
                "ARRAY; ''; true",
                "OBJECT; {}; true",
                "OBJECT; []; false",
                "JSON; []; true",
                "JSON; 5; false",
                "DYNAMIC; {}; true",
                "DYNAMIC; 'x'; false",
                "CUSTOM; null; true",
                "MARKDOWN; null; true"
            })
    void judgesRequiredProperties(PropertyType type, String value, boolean expected) {
        assertThat(accepts(Property.of(type, "A", true), "{'a':" + value + "}")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "SHORT_TEXT,true",
        "NUMBER,true",
        "DROPDOWN,true",
        "MULTI_SELECT_DROPDOWN,true",
        "OBJECT,true",
        "JSON,true",
        "DYNAMIC,true",
        "ARRAY,false"
    })
    void judgesOptionalProperties_whenAbsentOrNull(PropertyType type, boolean expected) {
        var property = Property.of(type, "A", false);
        assertThat(accepts(property, "{}")).isEqualTo(expected);
        assertThat(accepts(property, "{'a':null}")).isEqualTo(expected);
    }

    @Test
    void judgesItemsOfAnArray() {
        // given
        var items = Property.of(PropertyType.ARRAY, "A", true)
                .withItems(Map.of("b", Property.of(PropertyType.SHORT_TEXT, "B", true)));

        // then
        assertThat(accepts(items, "{'a':[{'b':'x'}]}")).isTrue();
        assertThat(accepts(items, "{'a':[{'b':''}]}")).isFalse();
        assertThat(accepts(items, "{'a':['x']}")).isFalse();
        assertThat(accepts(items, "{'a':{'b':['x']}}")).isTrue();
    }

    @Test
    void asksForAConnection_whenThePieceHasAuthAndTheActionWantsIt() {
        // given
        var asking = validator(new OnePiece(Map.of(), Json.object(), true));
        var open = validator(new OnePiece(Map.of(), Json.object(), false));

        // then
        assertThat(judged(asking, piece("s", "1.2.3", "{}")).valid()).isFalse();
        assertThat(judged(asking, piece("s", "1.2.3", "{'auth':'{{connections.a}}'}"))
                        .valid())
                .isTrue();
        assertThat(judged(open, piece("s", "1.2.3", "{}")).valid()).isTrue();
    }

    @Test
    void cleansTheInput_alwaysForActions_andOnlyWhenValidForTriggers() {
        // given
        var validator = validator(Property.of(PropertyType.NUMBER, "A", true));

        // when
        var action = judged(validator, piece("s", "1.2.3", "{'a':true,'b':1}"));
        var broken = judgedTrigger(validator, pieceTrigger("{'a':true,'b':1}"));
        var sound = judgedTrigger(validator, pieceTrigger("{'a':1,'b':1}"));

        // then
        assertThat(action.settings().get("input")).isEqualTo(json("{'a':true}"));
        assertThat(action.valid()).isFalse();
        assertThat(broken.settings().get("input")).isEqualTo(json("{'a':true,'b':1}"));
        assertThat(broken.valid()).isFalse();
        assertThat(sound.settings().get("input")).isEqualTo(json("{'a':1}"));
        assertThat(sound.valid()).isTrue();
    }

    private static TriggerStep judgedTrigger(FlowValidator validator, String trigger) {
        var edit = (FlowOperation.VersionEdit) operation("UPDATE_TRIGGER", trigger);
        return ((FlowOperation.UpdateTrigger) validator.judge(PieceScope.EVERYBODY, edit)).trigger();
    }

    @Test
    void answersNotFound_whenThePieceOrItsVersionIsUnknown() {
        var validator = validator(Property.of(PropertyType.CUSTOM, "A", false));
        for (var unknown :
                List.of(piece("s", "9.9.9", "{}"), piece("s", "1.2.3", "{}").replace("piece-x", "piece-y"))) {
            assertThatThrownBy(() -> judged(validator, unknown))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND));
        }
    }

    @Test
    void isInvalid_whenThePieceLacksTheAction() {
        var validator = validator(Property.of(PropertyType.CUSTOM, "A", false));
        var unknown = piece("s", "1.2.3", "{}").replace("'go'", "'fly'");
        var edit = (FlowOperation.VersionEdit)
                operation("ADD_ACTION", "{'parentStep':'trigger','action':" + unknown + "}");

        assertThat(judged(validator, unknown).valid()).isFalse();
        assertThat(validator.judge(PieceScope.EVERYBODY, edit))
                .isInstanceOfSatisfying(
                        FlowOperation.AddAction.class,
                        add -> assertThat(add.action().valid()).isFalse());
    }

    @Test
    void isInvalid_whenTheTriggerIsUnknown() {
        var validator = validator(Property.of(PropertyType.CUSTOM, "A", false));
        assertThat(judgedTrigger(validator, pieceTrigger("{}").replace("'when'", "'never'"))
                        .valid())
                .isFalse();
    }

    @Test
    void judgesCodeLoopsRoutersAndEmptyTriggers() {
        // given
        var validator = validator(Property.of(PropertyType.CUSTOM, "A", false));
        var condition = "{'executionType':'EXECUTE_ALL_MATCH','branches':[{'branchType':'CONDITION','branchName':'B',"
                + "'conditions':[[{'firstValue':'%s','operator':'EXISTS'}]]}]}";

        // then
        assertThat(judged(validator, code("s").replace("'valid':true", "'valid':false"))
                        .valid())
                .isTrue();
        assertThat(judged(validator, code("s").replace("'x'", "''")).valid()).isFalse();
        assertThat(judged(validator, code("s").replace("'{}'", "''")).valid()).isFalse();
        assertThat(judged(validator, step("s", "LOOP_ON_ITEMS", "{'items':''}")).valid())
                .isFalse();
        assertThat(judged(validator, router("s")).valid()).isTrue();
        assertThat(judged(validator, step("s", "ROUTER", condition.formatted("")))
                        .valid())
                .isFalse();
        assertThat(judged(validator, step("s", "ROUTER", condition.formatted("x")))
                        .valid())
                .isTrue();
        assertThat(judgedTrigger(validator, step("trigger", "EMPTY", "{}")).valid())
                .isFalse();
    }
}
