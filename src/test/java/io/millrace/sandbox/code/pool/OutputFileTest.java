package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.code.OutputFile;
import org.junit.jupiter.api.Test;
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
}
