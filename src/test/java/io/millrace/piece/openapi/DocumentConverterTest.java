package io.millrace.piece.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversion of 32 documents: the results, and the reported gaps. */
final class DocumentConverterTest {
    @Test
    void listsTheServersThatCanBeChosen() {
        var document = Documents.text("01-pets-30.yaml")
                .replaceFirst(
                        "servers: .*",
                        "servers: [{url: 'https://a.example.com/v1/', description: Main}, {url: 'https://{region}.example.com', variables: {region: {default: eu}}},"
                                + " {url: 'https://user:secret@b.example.com'}, {url: 'ftp://c.example.com'}, {url: 'https://a.example.com/v1'}, {}, {url: /relative}]");
        var converted = DocumentConverter.convert(document, Documents.BYTES_MAX, Documents.options());

        assertThat(converted.servers().common()).isEqualTo("https://a.example.com/v1");
        assertThat(converted.servers().listed())
                .extracting(Servers.ServerEntry::url)
                .startsWith("https://a.example.com/v1", "https://eu.example.com")
                .contains("https://docs.example.com/relative")
                .doesNotHaveDuplicates()
                .noneMatch(url -> url.contains("secret"));
        assertThat(converted.servers().listed().getFirst().description()).isEqualTo("Main");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            01-pets-30.yaml | 5 | 5 | SECRET_TEXT | 0
            02-type-lists-31.yaml | 1 | 1 | - | 0
            03-swagger2.json | 4 | 4 | OAUTH2 BASIC_AUTH | 0
            04-cyclic.yaml | 3 | 3 | - | 1
            05-anchors.yaml | 2 | 2 | - | 0
            06-weird-ids.yaml | 9 | 9 | - | 0
            07-no-ids.json | 6 | 6 | - | 3
            08-path-parameters.yaml | 2 | 2 | - | 0
            09-deep-allof.yaml | 1 | 1 | - | 0
            10-non-ascii.yaml | 2 | 2 | - | 0
            11-and-auth.yaml | 2 | 2 | CUSTOM_AUTH | 0
            12-or-auth.yaml | 2 | 2 | CUSTOM_AUTH | 0
            13-oauth-and-key.yaml | 1 | 1 | OAUTH2 | 0
            14-client-credentials.yaml | 1 | 1 | OAUTH2 | 0
            15-unsupported-auth.yaml | 5 | 5 | SECRET_TEXT | 5
            16-server-variables.yaml | 3 | 3 | - | 0
            17-styles.yaml | 1 | 1 | - | 0
            18-bodies.yaml | 7 | 7 | - | 0
            19-alternatives.yaml | 2 | 2 | - | 0
            20-remote-references.yaml | 1 | 1 | - | 5
            21-read-only.yaml | 1 | 1 | - | 0
            22-relative-server.yaml | 1 | 1 | - | 0
            23-no-server.yaml | 1 | 1 | - | 0
            24-yaml-words.yaml | 1 | 1 | - | 0
            25-large-enum.json | 1 | 1 | - | 0
            26-lists.yaml | 2 | 2 | - | 0
            27-many-properties.json | 2 | 1 | - | 2
            28-swagger2-shared.yaml | 3 | 3 | OAUTH2 SECRET_TEXT | 0
            29-odd-structure.json | 2 | 2 | - | 6
            30-pets-31.json | 1 | 1 | - | 0
            31-kinds-31.yaml | 8 | 8 | - | 0
            32-swagger2-forms.yaml | 5 | 5 | - | 0
            """)
    void yields(String name, int operations, int actions, String auth, int gaps) {
        var converted = Documents.convert(name);
        assertThat(converted.listed()).hasSize(operations);
        assertThat(converted.metadata().path("actions").size()).isEqualTo(actions);
        var definition = converted.metadata().path("auth");
        var types = (definition.isArray() ? definition : Json.array().add(definition))
                .findValuesAsText("type").stream()
                        .filter(type -> type.endsWith("_AUTH") || type.equals("OAUTH2") || type.equals("SECRET_TEXT"))
                        .toList();
        assertThat(types.isEmpty() ? "-" : String.join(" ", distinctOf(definition)))
                .isEqualTo(auth);
        assertThat(converted.gaps()).as(converted.gaps().toString()).hasSize(gaps);
    }

    private static Iterable<String> distinctOf(JsonNode definition) {
        return (definition.isArray() ? definition.valueStream() : Stream.of(definition))
                .map(one -> one.path("type").asText())
                .toList();
    }

    private static String props(String document, String action) {
        return Documents.convert(document).metadata().path("actions").path(action).path("props").properties().stream()
                .map(entry ->
                        entry.getKey() + ":" + entry.getValue().path("type").asText()
                                + (entry.getValue().path("required").asBoolean() ? "*" : ""))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            01-pets-30.yaml | listPets | status:STATIC_DROPDOWN limit:NUMBER tags:ARRAY
            01-pets-30.yaml | addPet | name:SHORT_TEXT* status:STATIC_DROPDOWN photoUrls:ARRAY category:JSON
            02-type-lists-31.yaml | makeNote | title:SHORT_TEXT* rank:JSON kind:STATIC_DROPDOWN color:STATIC_DROPDOWN extra:OBJECT colors:STATIC_DROPDOWN
            03-swagger2.json | upload | title:SHORT_TEXT* data:FILE*
            03-swagger2.json | items | page:NUMBER ids:JSON q:ARRAY
            04-cyclic.yaml | putTree | name:SHORT_TEXT left:JSON children:JSON
            04-cyclic.yaml | putLoop | a:SHORT_TEXT
            05-anchors.yaml | b | q:SHORT_TEXT r:SHORT_TEXT
            08-path-parameters.yaml | getX | tenant:SHORT_TEXT* verbose:STATIC_DROPDOWN* X-Trace:SHORT_TEXT
            08-path-parameters.yaml | postX | tenant:SHORT_TEXT* verbose:CHECKBOX X-Trace:SHORT_TEXT tenant_body:SHORT_TEXT* auth_body:SHORT_TEXT
            09-deep-allof.yaml | deep | a:SHORT_TEXT* b:NUMBER* c:CHECKBOX d:SHORT_TEXT e:ARRAY
            10-non-ascii.yaml | größeLesen | höhe:SHORT_TEXT* 検索:SHORT_TEXT
            18-bodies.yaml | sendMultipart | file:FILE* more:ARRAY note:SHORT_TEXT meta:JSON
            18-bodies.yaml | sendText | body:LONG_TEXT
            18-bodies.yaml | sendBinary | body:FILE*
            19-alternatives.yaml | in | pet:JSON id:SHORT_TEXT size:JSON level:STATIC_DROPDOWN
            21-read-only.yaml | a | name:SHORT_TEXT* secret:SHORT_TEXT big:LONG_TEXT blob:LONG_TEXT at:DATE_TIME
            25-large-enum.json | a | big:SHORT_TEXT fits:STATIC_DROPDOWN
            31-kinds-31.yaml | readOrder | orderId:SHORT_TEXT* verbose:CHECKBOX session:SHORT_TEXT* filter:JSON tags:ARRAY sizes:JSON since:DATE_TIME state:STATIC_DROPDOWN X-Trace:SHORT_TEXT
            31-kinds-31.yaml | changeOrder | orderId:SHORT_TEXT* verbose:CHECKBOX note:SHORT_TEXT amount:JSON payment:JSON* labels:OBJECT parent:JSON
            31-kinds-31.yaml | sendFiles | file:FILE more:ARRAY cover:FILE about:JSON script:SHORT_TEXT stamp:SHORT_TEXT
            31-kinds-31.yaml | replaceFiles | file:FILE more:ARRAY cover:FILE about:JSON script:SHORT_TEXT stamp:SHORT_TEXT
            31-kinds-31.yaml | post__same |
            32-swagger2-forms.yaml | uploadImage | petId:NUMBER* note:SHORT_TEXT file:FILE*
            32-swagger2-forms.yaml | findPets | page:NUMBER csv:ARRAY ssv:ARRAY tsv:ARRAY pipes:ARRAY multi:ARRAY on:CHECKBOX
            32-swagger2-forms.yaml | addPet | kind:SHORT_TEXT* on:CHECKBOX no:STATIC_DROPDOWN photo:LONG_TEXT tags:ARRAY lives:NUMBER
            28-swagger2-shared.yaml | post | lang:SHORT_TEXT tags:STATIC_MULTI_SELECT_DROPDOWN on:CHECKBOX
            """)
    void mapsProperties(String document, String action, String expected) {
        assertThat(props(document, action)).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void keepsWordsOfYaml_asTexts() {
        var props = Documents.convert("24-yaml-words.yaml").metadata().at("/actions/a/props");
        assertThat(props.at("/country/options/options").findValuesAsText("value"))
                .containsExactly("no", "se", "on", "yes", "off");
        assertThat(props.at("/country/defaultValue").asText()).isEqualTo("no");
    }

    @Test
    void namesActionsByIdOrPlace_andNumbersDuplicates() {
        assertThat(Documents.convert("06-weird-ids.yaml")
                        .metadata()
                        .path("actions")
                        .properties())
                .extracting(Map.Entry::getKey)
                .containsExactly(
                        "get_things_with_spaces_more",
                        "etc_passwd",
                        "get__b",
                        "42",
                        "averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryver",
                        "same",
                        "same_2",
                        "sa_me",
                        "sa_me_2");
    }

    @Test
    void fillsServerVariables_andPrefersTheBaseAddressOfTheCaller() {
        var plans = Documents.convert("16-server-variables.yaml").metadata().at("/openApi/actions");
        assertThat(plans.at("/a/server").asText()).isEqualTo("https://eu.example.com:8443/v2");
        assertThat(plans.at("/b/server").asText()).isEqualTo("https://b.example.com");
        assertThat(plans.at("/b2/server").asText()).isEqualTo("https://b2.example.com/x");
        var given = new ConversionOptions(
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of("region", "us"),
                Set.of(),
                10,
                10);
        assertThat(DocumentConverter.convert(Documents.text("16-server-variables.yaml"), Documents.BYTES_MAX, given)
                        .servers()
                        .common())
                .isEqualTo("https://us.example.com:8443/v2");
        var elsewhere = new ConversionOptions(
                Set.of(),
                Optional.empty(),
                Optional.of("http://localhost:1/"),
                Optional.empty(),
                Map.of(),
                Set.of(),
                10,
                10);
        assertThat(DocumentConverter.convert(Documents.text("16-server-variables.yaml"), Documents.BYTES_MAX, elsewhere)
                        .metadata()
                        .at("/openApi/actions/b2/server")
                        .asText())
                .isEqualTo("http://localhost:1");
    }

    private static Servers servers(String server, String baseUrl, Map<String, String> variables) {
        var text = Documents.text("16-server-variables.yaml").replaceFirst("servers: .*", "servers: [" + server + "]");
        var options = new ConversionOptions(
                Set.of(),
                Optional.empty(),
                Optional.ofNullable(baseUrl),
                Optional.of("https://docs.example.com/open/api.yaml"),
                variables,
                Set.of(),
                10,
                10);
        return DocumentConverter.convert(text, Documents.BYTES_MAX, options).servers();
    }

    private static final String TENANT =
            "{url: 'https://a.example.com'}, {url: 'https://{tenant}.example.com/{base}', variables: {tenant: {description: Account}, base: {default: ''}}}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://{tenant}.example.com/{base} | https://acme.example.com
            https://{tenant}.example.org | https://acme.example.org
            https://b.example.com | https://b.example.com
            """)
    void fillsTheVariablesOfTheChosenServer(String baseUrl, String expected) {
        var servers = servers(TENANT, baseUrl, Map.of("tenant", "acme"));
        servers.requireValues();

        assertThat(servers.common()).isEqualTo(expected);
    }

    @Test
    void listsVariables_andRequiresTheirValuesOnlyForTheChosenServer() {
        var usual = servers(TENANT, null, Map.of());
        usual.requireValues();
        assertThat(usual.listed().getLast().toJson().toString())
                .isEqualTo(
                        "{\"url\":\"https://{tenant}.example.com/{base}\",\"template\":\"https://{tenant}.example.com/{base}\",\"description\":\"\","
                                + "\"variables\":[{\"name\":\"tenant\",\"choices\":[],\"description\":\"Account\"},"
                                + "{\"name\":\"base\",\"value\":\"\",\"default\":\"\",\"choices\":[],\"description\":\"\"}]}");

        var chosen = servers(TENANT, "https://{tenant}.example.com/{base}", Map.of());
        assertThat(chosen.common()).isEqualTo("https://{tenant}.example.com/{base}");
        assertThatThrownBy(chosen::requireValues)
                .isInstanceOf(UnusableDocument.class)
                .hasMessage("Required: the document has no default of the server variable tenant")
                .extracting(failure -> ((UnusableDocument) failure).field())
                .isEqualTo("serverVariables/tenant");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            region | asia | Expected eu, us; found asia
            zone | eu | Expected a variable of a server: base, port, region
            base | a@b.example.com/ | -
            region | us | -
            """)
    void refusesValues_thatNoServerAccepts(String name, String value, String message) {
        var server =
                "{url: 'https://{region}.example.com:{port}/{base}', variables: {region: {default: eu, enum: [eu, us]}, port: {default: '8443'}, base: {default: v2}}}";
        if (message.equals("-")) {
            assertThat(servers(server, null, Map.of(name, value)).common()).contains(value.replaceAll("/$", ""));
        } else {
            assertThatThrownBy(() -> servers(server, null, Map.of(name, value)))
                    .isInstanceOf(UnusableDocument.class)
                    .hasMessage(message)
                    .extracting(failure -> ((UnusableDocument) failure).field())
                    .isEqualTo("serverVariables/" + name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"22-relative-server.yaml", "23-no-server.yaml"})
    void asksForTheBaseAddress_whenTheDocumentHasNone(String name) {
        var options = new ConversionOptions(
                Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Set.of(), 10, 10);
        assertThatThrownBy(() -> DocumentConverter.convert(Documents.text(name), Documents.BYTES_MAX, options))
                .isInstanceOf(UnusableDocument.class)
                .hasMessageContaining("give baseUrl");
    }

    @Test
    void convertsChosenOperations() {
        var options = new ConversionOptions(
                Set.of("GET /pets", "deletePet"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Set.of(),
                2,
                10);
        var converted = DocumentConverter.convert(Documents.text("01-pets-30.yaml"), Documents.BYTES_MAX, options);
        assertThat(converted.metadata().path("actions").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("listPets", "deletePet");
        assertThat(converted.listed()).hasSize(5);
        var unknown = new ConversionOptions(
                Set.of("none"), Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Set.of(), 2, 10);
        assertThatThrownBy(() ->
                        DocumentConverter.convert(Documents.text("01-pets-30.yaml"), Documents.BYTES_MAX, unknown))
                .hasMessage("the document has no operation none");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hello | expected an OpenAPI document
            [1, 2] | expected an OpenAPI document
            {} | expected openapi 3.0 or 3.1
            openapi: 4.0.0 | found 4.0.0
            {"openapi":"3.0.0", | not valid JSON
            'a: b: c' | not valid YAML
            'a: !!java.lang.Runtime {}' | Global tag is not allowed
            '{"openapi":"3.0.0","paths":{}}' | expected operations
            """)
    void namesTheReason_ofAnUnusableDocument(String text, String reason) {
        assertThatThrownBy(() -> DocumentConverter.convert(text, Documents.BYTES_MAX, Documents.options()))
                .isInstanceOf(UnusableDocument.class)
                .hasMessageContaining(reason);
    }
}
