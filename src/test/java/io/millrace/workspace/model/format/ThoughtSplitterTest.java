package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workspace.model.format.ThoughtSplitter.Split;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Thoughts within the responses of models. */
class ThoughtSplitterTest {
    private static final String[] WORDS = {
        "<think>",
        "</think>",
        "<THINK>",
        "<thi",
        "nk>",
        "</",
        "<",
        ">",
        "```",
        "\n",
        "~~~",
        "`",
        " ",
        "Paris",
        "\r\n",
        "<b>",
        "``"
    };

    /** The text and its parts; {@code |} separates the columns, {@code N} is a line feed. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "<think>secret plan</think>NNParis|Paris|secret plan",
                "Paris|Paris|~~",
                "  N Paris |  N Paris |~~",
                "<think>a</think>Paris<think>b</think> it is|Paris it is|aNb",
                "<think>still going|~~|still going",
                "<think>a <think> b</think> c</think>Paris|Paris|a <think> b</think> c",
                "<think>a literal <think> here</think>Paris|Paris|a literal <think> here",
                "no opening tag</think>NParis|Paris|no opening tag",
                "<Think>a</Think>Paris|Paris|a",
                "```N<think>code</think>N```N|```N<think>code</think>N```N|~~",
                "Use `<think>` and `</think>` tags|Use `<think>` and `</think>` tags|~~",
                "<think>```N</think>Paris|Paris|```",
                "<think></think>Paris|Paris|~~",
                "<thinking>a</thinking>|<thinking>a</thinking>|~~",
                "a < b <th|a < b <th|~~",
                "```N```N<think>a</think>b|```N```Nb|a",
                "````N```N<think>a</think>N````|````N```N<think>a</think>N````|~~",
            })
    void separatesThoughts(String text, String answer, String thoughts) {
        assertThat(ThoughtSplitter.split(text.replace("N", "\n")))
                .isEqualTo(new Split(
                        answer == null ? "" : answer.replace("N", "\n"),
                        thoughts == null ? "" : thoughts.replace("N", "\n").strip()));
    }

    /**
     * A text has the same parts however it is split into fragments; early output is a beginning of the response, unless
     * only the end of the text decides.
     */
    @RepeatedTest(300)
    void separatesTheSame_whereverTheTextIsCut(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        var text = new StringBuilder();
        for (var words = random.nextInt(20); words >= 0; words--) {
            text.append(WORDS[random.nextInt(WORDS.length)]);
        }
        var whole = ThoughtSplitter.split(text.toString());
        var received = new StringBuilder();
        var splitter = new ThoughtSplitter(received::append);

        for (var from = 0; from < text.length(); ) {
            var to = Math.min(text.length(), from + 1 + random.nextInt(4));
            splitter.add(text.substring(from, to));
            from = to;
        }

        assertThat(splitter.finish()).as(text.toString()).isEqualTo(whole);
        var lower = text.toString().toLowerCase(Locale.ROOT);
        var isOpenedByThePrompt = lower.contains("</think>")
                && (lower.contains("`")
                        || lower.contains("~")
                        || !lower.contains("<think>")
                        || lower.indexOf("</think>") < lower.indexOf("<think>"));
        assertThat(isOpenedByThePrompt
                        || whole.text()
                                .stripLeading()
                                .startsWith(received.toString().stripLeading()))
                .as(text + " -> " + received)
                .isTrue();
    }

    @Test
    void readsALongText_inTimeThatGrowsWithItsLength() {
        var splitter = new ThoughtSplitter(_ -> {});

        for (var piece = 0; piece < 500_000; piece++) {
            splitter.add(piece % 100 == 0 ? "\n```\n" : "<b> word ");
        }

        assertThat(splitter.finish().text()).hasSizeGreaterThan(4_000_000);
    }
}
