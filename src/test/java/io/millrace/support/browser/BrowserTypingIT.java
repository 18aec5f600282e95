package io.millrace.support.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Slow;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Typing into fields that a page renders again meanwhile. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class BrowserTypingIT {
    /** Page that restores the content of its fields, as a render does: only an input event changes its state. */
    private static final String PAGE = """
            <!doctype html><title>Fields</title>
            <input name="one" value="before"><textarea name="two">before</textarea><div id="three" contenteditable>before</div>
            <script>
              for (const field of document.querySelectorAll('input, textarea')) {
                let state = field.value;
                field.addEventListener('input', () => { state = field.value; });
                setInterval(() => { if (field.value !== state) { field.value = state; } }, 1);
              }
            </script>
            """;

    @AutoClose
    private static Browser browser = Browser.start();

    @Test
    void replacesTheContent_whileThePageRestoresIt() {
        // Given
        browser.open(
                "data:text/html;base64," + Base64.getEncoder().encodeToString(PAGE.getBytes(StandardCharsets.UTF_8)));

        // When
        browser.type("[name=one]", "after");
        browser.type("[name=two]", "after\nlines");
        browser.type("#three", "after");

        // Then
        assertThat(browser.run("return document.querySelector('[name=one]').value")
                        .asText())
                .isEqualTo("after");
        assertThat(browser.run("return document.querySelector('[name=two]').value")
                        .asText())
                .isEqualTo("after\nlines");
        assertThat(browser.run("return document.querySelector('#three').innerText")
                        .asText())
                .isEqualTo("after");
    }
}
