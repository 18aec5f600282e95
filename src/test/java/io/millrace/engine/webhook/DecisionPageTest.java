package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Page on which a person decides: it shows the whole text of the step, and the text cannot alter the page. */
final class DecisionPageTest {
    private static String html(String input) {
        return new DecisionPage("Pay", Optional.of("Mill"), Optional.of("Ask the boss"), Json.trusted(input)).html();
    }

    @Test
    void namesFlowProjectAndStep_andShowsTheTextOfTheStep() {
        assertThat(html("{\"message\":\"Pay 500 EUR?\",\"amount\":500}"))
                .contains("<strong>Pay</strong>", "<strong>Mill</strong>", "<strong>Ask the boss</strong>")
                .contains("<dt>message</dt><dd>Pay 500 EUR?</dd>", "<dt>amount</dt><dd>500</dd>");
    }

    @Test
    void escapesEverything() {
        var html = new DecisionPage(
                        "<b>", Optional.of("<i>"), Optional.of("<u>"), Json.trusted("{\"<p>\":\"<script>\"}"))
                .html();

        assertThat(html).contains("&lt;b&gt;", "&lt;i&gt;", "&lt;u&gt;", "&lt;p&gt;", "&lt;script&gt;");
        assertThat(html).doesNotContain("<script", "<i>", "<u>", "<b>");
    }

    @Test
    void leavesOutCredentialsLinksAndWhatIsNoText_andBoundsTheRest() {
        var many = Json.object();
        for (var index = 0; index < 50; index++) {
            many.put("field" + index, "x".repeat(5_000));
        }

        assertThat(
                        html(
                                "{\"auth\":\"flour\",\"approvalLink\":\"https://a\",\"list\":[1],\"empty\":\" \",\"none\":null}"))
                .doesNotContain("<dl>", "flour");
        assertThat(html(Json.text(many)))
                .hasSizeLessThan(30_000)
                .contains("field11")
                .doesNotContain("field12");
    }

    @Test
    void showsTheKnownParts_whenOthersAreMissing() {
        assertThat(new DecisionPage(null, Optional.empty(), Optional.empty(), null).html())
                .isEqualTo("<p>A flow waits for your answer. Nothing is decided before you press a button.</p>");
    }
}
