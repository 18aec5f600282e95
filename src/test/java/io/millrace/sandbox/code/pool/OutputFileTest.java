package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.OutputFile;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputFileTest {
    private static final TextNode URL = TextNode.valueOf("url");
    private static final int MAX = 20;

    private static OutputFile at(String keys) {
        return OutputFile.read(json("[{'keys':" + keys + ",'data':'AP8='}]"), MAX)
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | null | 'url' | output.bin",
                "['a'] | {'a':null,'b':1} | {'a':'url','b':1} | a.bin",
                "['a',1] | {'a':[0,null]} | {'a':[0,'url']} | output.bin",
                "[0,'report.pdf'] | [{'report.pdf':null}] | [{'report.pdf':'url'}] | report.pdf",
                "['x/y~'] | {'x/y~':null} | {'x/y~':'url'} | output.bin",
                "['7'] | {'7':null} | {'7':'url'} | output.bin",
                "['../../etc'] | {'../../etc':null} | {'../../etc':'url'} | output.bin",
                "['a'] | {'a':'hidden'} | {'a':'hidden'} | a.bin",
                "['b'] | {'a':null} | {'a':null} | b.bin",
                "['b'] | null | null | b.bin"
            })
    void putsTheAddressInThePlaceOfTheBytes(String keys, String output, String expected, String name) {
        var file = at(keys);

        assertThat(file.replacedIn(json(output), URL)).isEqualTo(json(expected));
        assertThat(file.name()).isEqualTo(name);
        assertThat(file.data().getBytes()).containsExactly(0, -1);
    }

    @Test
    void rejectsWhatIsNoBase64_andMoreFilesThanItsLimit() {
        assertThatThrownBy(() -> OutputFile.read(json("[{'keys':[],'data':'?'}]"), MAX))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OutputFile.read(json("[" + "{},".repeat(20) + "{}]"), MAX))
                .hasMessage("expected at most 20 files, found 21");
        assertThat(OutputFile.read(json("[" + "{},".repeat(19) + "{}]"), MAX)).hasSize(20);
    }

    @Test
    void replacesTheNull_atKeysWithSpecialCharacters() throws Exception {
        // given
        var output = Json.parse("{\"a/b~1\":[1,{\"\":null}]}");
        var files = filesAt(Json.array().add("a/b~1").add(1).add(""));

        // when
        var file = OutputFile.read(files, 1).getFirst();

        // then
        assertThat(file.replacedIn(output, URL)).isEqualTo(Json.parse("{\"a/b~1\":[1,{\"\":\"url\"}]}"));
        assertThat(file.data().toString()).isEqualTo("text");
    }

    @Test
    void acceptsAPlaceOf200Keys() {
        // when
        var file = OutputFile.read(filesAt(zeros(200)), 1).getFirst();

        // then
        assertThat(file.place().toString()).isEqualTo("/0".repeat(200));
    }

    @Test
    void refusesAPlaceOf201Keys() {
        assertThatThrownBy(() -> OutputFile.read(filesAt(zeros(201)), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected files at most 200 levels deep, found 201");
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesAPlaceOfMillionsOfKeysAtOnce() {
        var files = filesAt(zeros(5_000_000));

        assertThatThrownBy(() -> OutputFile.read(files, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acceptsKeysOf64KCharactersTogether() {
        // given
        var key = "k".repeat(64 * 1024);

        // when
        var file = OutputFile.read(filesAt(Json.array().add(key)), 1).getFirst();

        // then
        assertThat(file.replacedIn(Json.object().putNull(key), URL))
                .isEqualTo(Json.object().set(key, URL));
    }

    @Test
    void refusesKeysOfMoreThan64KCharactersTogether() {
        assertThatThrownBy(() -> OutputFile.read(
                        filesAt(Json.array().add("k".repeat(40_000)).add("k".repeat(40_000))), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536 characters");
    }

    @Test
    void leavesAnOutputOfNothing_whenAForgedFileHasAPlaceInIt() {
        var file = OutputFile.read(filesAt(Json.array().add("a")), 1).getFirst();

        assertThat(file.replacedIn(null, URL)).isNull();
    }

    @Test
    void leavesTheOutput_whenForgedKeysAreOfOtherTypes() throws Exception {
        // given
        var output = Json.parse("{\"a\":[null]}");
        var keys = Json.array().add("a").add(-1.5).addNull();
        keys.addObject();

        // when
        var file = OutputFile.read(filesAt(keys), 1).getFirst();

        // then
        assertThat(file.replacedIn(output, URL)).isEqualTo(Json.parse("{\"a\":[null]}"));
    }

    private static ArrayNode zeros(int count) {
        var keys = Json.array();
        IntStream.range(0, count).forEach(_ -> keys.add(0));
        return keys;
    }

    private static JsonNode filesAt(ArrayNode keys) {
        var files = Json.array();
        files.addObject().put("data", "dGV4dA==").set("keys", keys);
        return files;
    }
}
