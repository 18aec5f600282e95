package io.millrace.base.http.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.browser.Browser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** API reference pages in a browser with a session: search, documentation and test requests. */
@Slow(Slow.Reason.BROWSER)
class ApiPageBrowserIT {
    @Test
    void findsAnOperation_andTriesItWithTheOwnSession() {
        assumeTrue(Browser.isHere(), "there is no chromedriver, or no Chromium");
        try (var server = TestServer.start(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true"));
                var browser = Browser.start()) {
            // Given
            var ada = server.signUp("ada@example.com", "Ada");
            var url = "http://localhost:" + server.port();
            browser.signIn(url, ada.api());
            browser.awaitText("body", "Create your first flow");

            // When
            browser.open(url + "/api/v1/docs");
            browser.type("#search", "/v1/users/me");

            // Then
            browser.awaitText("#found", "of");
            browser.inspect("api-index");

            // When
            browser.press("\uE007");
            browser.awaitText("h1", "Get the caller");
            browser.click("#try button");

            // Then
            browser.awaitText("#answer", "ada@example.com");
            assertThat(browser.address()).isEqualTo(url + "/api/v1/docs/getOwnUser");
            browser.awaitText(".sample", url + "/api/v1/users/me");

            // When
            browser.open(url + "/api/v1/docs/getFolder");
            browser.type("#try [name=id]", "nonsense");
            browser.click("#try button");

            // Then
            browser.awaitText("#answer", "400");
            browser.awaitText(".sample", url + "/api/v1/folders/nonsense");
            browser.inspect("api-operation");
        }
    }
}
