package io.millrace.sandbox.expression.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Seeds;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TokeniserTest {
    private static java.util.List<String> found(String text) {
        return Tokeniser.tokens(text).stream()
                .map(token -> text.substring(token.start(), token.end()))
                .toList();
    }

    @Test
    void endsATokenAtTheFirstMatchingPair_evenInsideQuotesAndObjects() {
        // given the vector of contract 34.3
        var text = "a {{x}} {{ {\"a\":{\"b\":1}} }} {{ \"}}\" }}";

        // when, then
        assertThat(found(text)).containsExactly("{{x}}", "{{ {\"a\":{\"b\":1}}", "{{ \"}}");
    }

    @Test
    void keepsNestedPairsTogether() {
        assertThat(found("{{ a {{b}} c }}")).containsExactly("{{ a {{b}} c }}");
        assertThat(found("{{{a}}}")).containsExactly("{{{a}}");
        assertThat(found("{{{{a}}}}")).containsExactly("{{{{a}}}}");
    }

    @Test
    void makesNoToken_whenThePairIsNeverClosed() {
        assertThat(found("{{a")).isEmpty();
        assertThat(found("{{ a {{b}}")).isEmpty();
        assertThat(found("}} {a} { {b} }")).isEmpty();
        assertThat(found("")).isEmpty();
        assertThat(found("{")).isEmpty();
    }

    @Test
    void trimsTheInside() {
        assertThat(Tokeniser.tokens("x{{ \u00a0a.b\n}}")).containsExactly(new Tokeniser.Token(1, 11, "a.b"));
    }

    @Test
    void rewritesOnlyTheInsideOfTokens() {
        // when
        var rewritten = Tokeniser.rewrite("a {{ b }} c {{d}} {{e", inner -> inner.toUpperCase(Locale.ROOT));

        // then
        assertThat(rewritten).isEqualTo("a {{ B }} c {{D}} {{e");
    }

    @Test
    void givesTheSameText_whenTheRewriteChangesNothing() {
        Seeds.each(1_000, random -> {
            var text = Seeds.text(random, "{}a ", 40);
            assertThat(Tokeniser.rewrite(text, inner -> inner)).isEqualTo(text);
        });
    }
}
