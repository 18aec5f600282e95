package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ErrorCode;
import io.millrace.support.ApiContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API document is consistent, and its enumerations are those of the code. */
final class ApiDocumentTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([^}]+)}");

    private final ApiContract contract = ApiContract.ofThisBuild();
    private final JsonNode document = contract.document();

    @Test
    void isOpenApi31() {
        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
    }

    @Test
    void referencesHaveTargets() {
        var lost = new ArrayList<String>();
        document.findValuesAsText("$ref").stream()
                .filter(reference -> document.at(reference.substring(1)).isMissingNode())
                .forEach(lost::add);

        assertThat(lost).isEmpty();
    }

    @Test
    void everyComponentIsUsed() {
        var used = new HashSet<>(document.findValuesAsText("$ref"));
        document.findValues("mapping").forEach(mapping -> mapping.forEach(target -> used.add(target.asText())));

        var unused = Stream.of("schemas", "responses", "parameters", "requestBodies")
                .flatMap(kind ->
                        names(document.path("components").path(kind)).map(name -> "#/components/" + kind + "/" + name))
                .filter(reference -> !used.contains(reference));

        assertThat(unused).isEmpty();
    }

    @Test
    void operationsAreNamedOnceAndTagged() {
        var ids = new ArrayList<String>();
        var tags = StreamSupport.stream(document.path("tags").spliterator(), false)
                .map(tag -> tag.path("name").asText())
                .toList();
        forEachOperation((place, operation) -> {
            ids.add(operation.path("operationId").asText());
            assertThat(operation.path("summary").asText()).as(place).isNotBlank();
            assertThat(tags).as(place).contains(operation.path("tags").path(0).asText());
            assertThat(operation.path("x-access").asText()).as(place).isNotBlank();
        });

        assertThat(ids).doesNotHaveDuplicates().doesNotContain("");
    }

    @Test
    void pathParametersAreDeclared() {
        for (var path : document.path("paths").properties()) {
            var wanted = PATH_PARAMETER.matcher(path.getKey()).results().map(match -> match.group(1));
            for (var method : path.getValue().properties()) {
                if (METHODS.contains(method.getKey())) {
                    assertThat(pathParameters(path.getValue(), method.getValue()))
                            .as(method.getKey() + " " + path.getKey())
                            .containsExactlyInAnyOrderElementsOf(wanted.toList());
                    wanted = PATH_PARAMETER.matcher(path.getKey()).results().map(match -> match.group(1));
                }
            }
        }
    }

    /** The document states access twice: as access rule for readers of this server, and as security for tools. */
    @Test
    void securityFollowsFromAccess() {
        forEachOperation((place, operation) -> {
            var access = operation.path("x-access").asText();
            var expected = switch (access.split(" ", 2)[0]) {
                case "public" -> "[]";
                case "engine" -> "[{\"engineToken\":[]}]";
                case "anybody" -> "[{},{\"userToken\":[]},{\"apiKey\":[]}]";
                case "platform" -> access.endsWith(" services") ? "[{\"apiKey\":[]}]" : users(access);
                default -> users(access);
            };
            assertThat(operation.path("security").toString()).as(place).isEqualTo(expected);
        });
    }

    private static String users(String access) {
        if (access.endsWith(" users and pieces")) {
            return "[{\"userToken\":[]},{\"engineToken\":[]}]";
        }
        if (access.contains(" pieces ")) {
            return "[{\"userToken\":[]},{\"apiKey\":[]},{\"engineToken\":[]}]";
        }
        return access.contains("users") ? "[{\"userToken\":[]}]" : "";
    }

    @Test
    void examplesOfSchemasFitThem() {
        for (var schema : document.path("components").path("schemas").properties()) {
            for (var example : schema.getValue().path("examples")) {
                assertThat(contract.objections(schema.getValue(), example))
                        .as(schema.getKey())
                        .isEmpty();
            }
        }
    }

    @Test
    void everyFlowOperationHasAnExampleThatIsOne() {
        var operation = document.at("/components/schemas/FlowOperation");
        for (var mapped : operation.at("/discriminator/mapping").properties()) {
            var schema = document.at(mapped.getValue().asText().substring(1));
            assertThat(contract.objections(operation, schema.path("examples").path(0)))
                    .as(mapped.getKey())
                    .isEmpty();
        }
    }

    @Test
    void examplesOfAnswersFitTheirSchemas() {
        forEachContent((place, content) -> {
            if (content.has("example") && content.has("schema")) {
                assertThat(contract.objections(content.path("schema"), content.path("example")))
                        .as(place)
                        .isEmpty();
            }
        });
    }

    @Test
    void everyBodyAndAnswerHasAnExample() {
        var without = new ArrayList<String>();
        forEachContent((place, content) -> {
            if (place.endsWith("json")
                    && !content.has("example")
                    && !content.has("examples")
                    && !contract.resolved(content.path("schema")).has("examples")) {
                without.add(place);
            }
        });

        assertThat(without).isEmpty();
    }

    @Test
    void errorCodesStandUnderTheirStatus() {
        forEachOperation((place, operation) -> {
            for (var answer : operation.path("responses").properties()) {
                for (var code : codesOf(contract.resolved(answer.getValue()))) {
                    var statuses = Arrays.stream(ErrorCode.values())
                            .filter(known -> code.equals(known.wireCode()))
                            .map(known -> String.valueOf(known.status()));
                    assertThat(statuses).as(place + " " + code).containsExactly(answer.getKey());
                }
            }
        });
    }

    @Test
    void errorCodesAreThoseOfTheServer() {
        assertThat(words("ApplicationErrorCode"))
                .containsExactlyInAnyOrderElementsOf(wireCodes(ErrorCode.Shape.APPLICATION));
        assertThat(words("FrameworkErrorCode"))
                .containsExactlyInAnyOrderElementsOf(wireCodes(ErrorCode.Shape.FRAMEWORK));
        assertThat(words("OAuthErrorCode")).containsExactlyInAnyOrderElementsOf(wireCodes(ErrorCode.Shape.OAUTH));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            FlowStatus,        io.millrace.authoring.flow.editor.FlowStatus
            OperationStatus,   io.millrace.authoring.flow.OperationStatus
            VersionState,      io.millrace.authoring.flow.version.VersionState
            StepType,          io.millrace.authoring.flow.step.StepType
            Placement,         io.millrace.authoring.flow.step.Placement
            ConditionOperator, io.millrace.sandbox.expression.ConditionOperator
            RunStatus,         io.millrace.engine.run.RunStatus
            Environment,       io.millrace.engine.run.RunEnvironment
            PropertyType,      io.millrace.piece.property.PropertyType
            PieceCategory,     io.millrace.piece.catalogue.PieceCategory
            TriggerStrategy,   io.millrace.piece.TriggerSpec$Strategy
            TestStrategy,      io.millrace.piece.TriggerSpec$TestStrategy
            PlatformRole,      io.millrace.base.access.PlatformRole
            UserStatus,        io.millrace.account.identity.UserStatus
            ConnectionType,    io.millrace.workspace.connection.credential.ConnectionType
            ConnectionScope,   io.millrace.workspace.connection.ConnectionScope
            ConnectionStatus,  io.millrace.workspace.connection.credential.ConnectionStatus
            ProjectType,       io.millrace.workspace.project.ProjectType
            IconColor,         io.millrace.workspace.project.IconColor
            PiecesFilterType,  io.millrace.workspace.project.PiecesFilterType
            """)
    void wordsAreThoseOfTheCode(String schema, Class<? extends Enum<?>> type) {
        assertThat(words(schema)).containsExactlyElementsOf(constants(type));
    }

    @ParameterizedTest
    @CsvSource("io.millrace.authoring.flow.editor.OperationType")
    void operationsOfFlowsAreThoseOfTheCode(Class<? extends Enum<?>> type) {
        assertThat(names(document.at("/components/schemas/FlowOperation/discriminator/mapping")))
                .containsExactlyElementsOf(constants(type));
    }

    @Test
    void scopesOfKeysAreThePermissions_andThoseOfThePlatform() {
        assertThat(words("KeyScope"))
                .startsWith(words("Permission").toArray(String[]::new))
                .hasSize(words("Permission").size() + 2);
    }

    /** Client generators ignore an enum without a type. */
    @Test
    void wordsHaveAType() {
        var untyped = document.findParents("enum").stream()
                .filter(schema -> schema.path("enum").isArray() && !schema.has("type"))
                .map(JsonNode::toString);

        assertThat(untyped).isEmpty();
    }

    /** They also ignore the type null alone, and then import a missing class. */
    @Test
    void noPropertyIsNullAlone() {
        var alone = new ArrayList<String>();
        forEachProperty(document, (name, schema) -> {
            if (schema.path("type").asText().equals("null")) {
                alone.add(name + " " + schema);
            }
        });

        assertThat(alone).isEmpty();
    }

    @Test
    void coloursOfNotesAreLowerCase() {
        assertThat(words("NoteColor"))
                .containsExactlyElementsOf(constants(io.millrace.authoring.flow.version.Note.Color.class).stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .toList());
    }

    @Test
    void everyPermissionOfARouteIsOne() {
        forEachOperation((place, operation) -> {
            var rule = operation.path("x-access").asText().split(" ", -1);
            if (rule[0].equals("project") && !rule[1].equals("of") && !rule[1].equals("users")) {
                assertThat(constants(io.millrace.base.access.Permission.class))
                        .as(place)
                        .contains(rule[1]);
            }
        });
    }

    private static void forEachProperty(JsonNode node, BiConsumer<String, JsonNode> look) {
        for (var property : node.path("properties").properties()) {
            look.accept(property.getKey(), property.getValue());
        }
        node.forEach(child -> forEachProperty(child, look));
    }

    private void forEachOperation(BiConsumer<String, JsonNode> look) {
        for (var path : document.path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                if (METHODS.contains(method.getKey())) {
                    look.accept(method.getKey() + " " + path.getKey(), method.getValue());
                }
            }
        }
    }

    private void forEachContent(BiConsumer<String, JsonNode> look) {
        forEachOperation((place, operation) -> {
            contract.resolved(operation.path("requestBody"))
                    .path("content")
                    .properties()
                    .forEach(content -> look.accept(place + " " + content.getKey(), content.getValue()));
            for (var answer : operation.path("responses").properties()) {
                contract.resolved(answer.getValue())
                        .path("content")
                        .properties()
                        .forEach(content -> look.accept(
                                place + " " + answer.getKey() + " " + content.getKey(), content.getValue()));
            }
        });
    }

    private List<String> pathParameters(JsonNode item, JsonNode operation) {
        return Stream.of(item, operation)
                .flatMap(list -> StreamSupport.stream(list.path("parameters").spliterator(), false))
                .map(contract::resolved)
                .filter(parameter -> parameter.path("in").asText().equals("path"))
                .map(parameter -> parameter.path("name").asText())
                .toList();
    }

    /** Error codes to which a response is restricted. */
    private List<String> codesOf(JsonNode answer) {
        return answer.path("content")
                .valueStream()
                .flatMap(content -> contract.resolved(content.path("schema")).findValues("code").stream())
                .flatMap(code -> StreamSupport.stream(code.path("enum").spliterator(), false))
                .map(JsonNode::asText)
                .toList();
    }

    private List<String> words(String schema) {
        return StreamSupport.stream(
                        document.path("components")
                                .path("schemas")
                                .path(schema)
                                .path("enum")
                                .spliterator(),
                        false)
                .map(JsonNode::asText)
                .toList();
    }

    private static List<String> constants(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
    }

    private static List<String> wireCodes(ErrorCode.Shape shape) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.shape() == shape)
                .map(ErrorCode::wireCode)
                .filter(Objects::nonNull)
                .toList();
    }

    private static Stream<String> names(JsonNode object) {
        return object.properties().stream().map(java.util.Map.Entry::getKey);
    }
}
