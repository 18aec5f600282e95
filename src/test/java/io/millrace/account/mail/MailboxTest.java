package io.millrace.account.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of addresses in the formats of mail programs. */
class MailboxTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a@x.org, b@x.org                          | a@x.org / b@x.org
            a@x.org;b@x.org; ;,                       | a@x.org / b@x.org
            "Berg, Anna" <a@x.org>, b@x.org           | "Berg, Anna" <a@x.org> / b@x.org
            "A \\"B\\"; C" <a@x.org>;b@x.org          | "A \\"B\\"; C" <a@x.org> / b@x.org
            Anna Berg <a@x.org>; Otto <o@x.org>       | Anna Berg <a@x.org> / Otto <o@x.org>
            a@m\u00fcller.de                          | a@xn--mller-kva.de
            Ada < a@x.org >                           | Ada <a@x.org>
            a'b+c@x.org                               | a'b+c@x.org
            ``                                        |
            """)
    void readsLists(String text, String expected) {
        var headers = Mailbox.parseAll(text).stream().map(Mailbox::header).toList();

        assertThat(headers).isEqualTo(expected == null ? List.of() : List.of(expected.split(" / ")));
    }

    @Test
    void refusesADomainThatExpands() {
        var domain = "\ufdfa".repeat(64);

        assertThatThrownBy(() -> Mailbox.parseAll("a@" + domain))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected an e-mail address, found ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Berg, Anna <a@x.org>",
                "\"open, a@x.org",
                "a@x.org b@x.org",
                "\u00fc@x.org",
                "a@x.org, b",
                "\"\\"
            })
    void refusesWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> Mailbox.parseAll(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected an e-mail address, found ");
    }
}
