package io.millrace.app.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.app.cli.command.ExitStatus;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.support.CommandRun;
import io.millrace.support.FlowScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

/** Tests of the files of a project, without a server. */
class FlowTestCommandTest {
    private static final String FIXTURE =
            "'fixtures':{'http':[{'method':'GET','urlPattern':'http://shop.test/*','response':{'body':{'price':9}}}]}";

    @TempDir
    private Path files;

    private void flow(String name, FlowScript script, String... tests) {
        var operation = script.importOperation(name);
        var flow = Json.object().put("externalId", name.replaceAll("\\W", "")).put("published", false);
        var version = (ObjectNode) operation.get("request");
        for (var test : tests) {
            version.withArrayProperty("tests").add(FlowScript.json(test));
        }
        flow.set("version", version);
        write("project.json", Json.object().put("formatVersion", 1));
        write("flows/" + flow.path("externalId").asText() + ".json", flow);
    }

    private void write(String name, ObjectNode content) {
        try {
            Files.createDirectories(files.resolve(name).getParent());
            Files.write(files.resolve(name), DeepJson.lines(content));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private CommandRun test(String... more) {
        var words = new String[more.length + 3];
        words[0] = "test";
        words[1] = "--directory";
        words[2] = files.toString();
        System.arraycopy(more, 0, words, 3, more.length);
        return CommandRun.of(Map.of(), words);
    }

    private static FlowScript price() {
        return FlowScript.webhook()
                .http("ask", "GET", "http://shop.test/{{trigger.output.body.item}}")
                .returnJson("answer", "{'price':'{{ask.output.body.price}}'}");
    }

    private static String expecting(String id, String name, int price, String more) {
        return "{'id':'" + id + "','name':'" + name + "','trigger':{'body':{'item':1}}," + more
                + "'expectations':{'answer':{'body':{'price':" + price + "}}}}";
    }

    @Test
    void endsWithZero_whenAllTestsPass() {
        flow("Prices", price(), expecting("a", "Nine", 9, FIXTURE + ","));
        flow("Without tests", FlowScript.webhook().map("one", "{'a':1}"));

        var run = test();

        assertThat(run.out() + run.err()).isEqualTo("passed  Prices / Nine\n1 passed, 0 failed, 0 stale\n");
        assertThat(run.status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void takesTheFolderAsAWord() {
        flow("Prices", price(), expecting("a", "Nine", 9, FIXTURE + ","));

        var run = CommandRun.of(Map.of(), "test", files.toString());

        assertThat(run.out() + run.err()).isEqualTo("passed  Prices / Nine\n1 passed, 0 failed, 0 stale\n");
        assertThat(run.status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void endsWithOneAndTheReasons_whenATestFailsOrIsStale() throws Exception {
        flow(
                "Prices & <more>",
                price(),
                expecting("a", "Nine", 9, FIXTURE + ","),
                expecting("b", "Eight \\\"8\\\"", 8, FIXTURE + ","),
                expecting("c", "Unknown", 9, ""));
        var junit = files.resolve("results.xml");

        var run = test("--junit", junit.toString());

        assertThat(run.status()).isEqualTo(ExitStatus.PROBLEM);
        assertThat(run.out())
                .contains("answer.body.price: expected 8, found 9\n")
                .contains("step ask: no fixture answers it\n")
                .endsWith("1 passed, 1 failed, 1 stale\n");
        var suite = (Element) DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(junit.toFile())
                .getElementsByTagName("testsuite")
                .item(0);
        assertThat(suite.getAttribute("name")).isEqualTo("Prices & <more>");
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(3);
        assertThat(suite.getElementsByTagName("failure").item(0).getTextContent())
                .isEqualTo("answer.body.price: expected 8, found 9\n");
    }

    @Test
    void printsOneObject_whenJsonIsAsked() {
        flow("Prices", price(), expecting("a", "Nine", 9, FIXTURE + ","));

        var json = test("--json").json();

        assertThat(json.path("passed").asInt()).isEqualTo(1);
        assertThat(json.at("/flows/0/report/results/0/testId").asText()).isEqualTo("a");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --version,draft | expected --project
            --project,8c2vKq0aXbY7mNpTzR4eL | expected --directory or --project, found both
            """)
    void refusesOptionsThatDoNotAgree(String words, String message) {
        var run = test(words.split(","));

        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.err()).contains(message);
    }

    @Test
    void namesTheFileAndFlow_whenATestIsMalformed() {
        flow("Prices", price(), "{'id':'a','name':'N','trigger':1,'expectations':{'status':'PAUSED'}}");

        var run = test();

        assertThat(run.status()).isEqualTo(ExitStatus.DATA);
        assertThat(run.err()).contains("flow \"Prices\"").contains("expectations/status");
    }

    @Test
    void refusesAFolderWithoutAProject() {
        assertThat(test().status()).isEqualTo(ExitStatus.DATA);
    }
}
