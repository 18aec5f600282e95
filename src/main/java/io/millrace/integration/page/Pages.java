package io.millrace.integration.page;

import io.millrace.account.platform.Platform;
import io.millrace.base.http.Html;
import io.millrace.base.http.HtmlPage;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pages' words. Which ways in are shown follows what is configured; what is refused is refused by the API.
 *
 * @param platform empty until somebody has signed up
 * @param prefix path in front of every path of this server
 * @param embedders origins that may put a frame around a page (contract admin-api 12.1)
 */
record Pages(Optional<Platform> platform, boolean mails, String prefix, List<String> embedders) {
    private static final String SCRIPT = HtmlPage.resource("/page.js");
    private static final Pattern COLOR = Pattern.compile("#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})");

    private static final String END = """
            <p id="problem" role="alert"></p>
            <p id="notice" role="status"></p>
            <noscript><p>This page needs JavaScript.</p></noscript>
            """;

    private static final String PASSWORD_FIELD = """
            <label>%s <input name="%s" type="password" autocomplete="%s" minlength="8" maxlength="64" required></label>
            """;

    /** The one screen of signing in and up: code first where one can be mailed, the password behind a link. */
    HtmlPage signIn() {
        return page("Sign in", """
                <h1 id="heading" tabindex="-1" data-usual="%1$s">%1$s</h1>
                <div id="ways" data-first="%2$s" data-codes="%3$s" data-passwords="%4$s">
                %5$s%6$s%7$s%8$s%9$s</div>
                <p id="others" class="or" hidden></p>
                %10$s""".formatted(
                        platform.isEmpty() ? "Create the first account" : "Sign in",
                        platform.isEmpty(),
                        offersCodes(),
                        byEmail(),
                        codeForms(),
                        passwordForm(),
                        signUpForm(),
                        forgottenForm(),
                        signedIn(),
                        END));
    }

    private boolean byEmail() {
        return platform.map(known -> known.signIn().emailAuthEnabled()).orElse(true);
    }

    private boolean offersCodes() {
        return mails && byEmail();
    }

    private static String codeForms() {
        return """
                <form id="ask" hidden>
                  <p>We send a code of six digits to your address.</p>
                  <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
                  <button type="submit">Send me a code</button>
                  <p class="switch"><button type="button" class="link" data-show="password">Use password</button></p>
                </form>
                <form id="code" hidden data-heading="Look into your mail">
                  <p>If <b id="address"></b> may sign in, a code is on its way. It is good for ten minutes.</p>
                  <label>Code <input class="code" name="code" inputmode="numeric" autocomplete="one-time-code"
                    pattern="[0-9]{6}" maxlength="6" title="six digits" required></label>
                  <button type="submit">Sign in</button>
                  <p class="switch"><button type="button" class="link" id="again">Send it again</button>
                    <button type="button" class="link" data-show="ask">Another address</button></p>
                </form>
                <form id="name" hidden data-heading="What shall we call you?">
                  <p>One more thing, and you are in.</p>
                  <label>Full name <input name="fullName" autocomplete="name" maxlength="200" required></label>
                  <button type="submit">Continue</button>
                </form>
                """;
    }

    private String passwordForm() {
        return """
                <form id="password" hidden>
                  <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
                  %s<button type="submit">Sign in</button>
                  <p class="switch"><button type="button" class="link" data-show="ask" data-codes>Use a mailed code</button>
                    %s</p>
                </form>
                """.formatted(
                PASSWORD_FIELD.formatted("Password", "password", "current-password"),
                mails ? "<button type=\"button\" class=\"link\" data-show=\"forgotten\">Forgot it?</button>" : "");
    }

    private static String signUpForm() {
        return """
                <form id="sign-up" hidden data-heading="Create your account">
                  <div class="names">
                  <label>First name <input name="firstName" autocomplete="given-name" pattern="[^.\\/]+" required></label>
                  <label>Last name <input name="lastName" autocomplete="family-name" pattern="[^.\\/]+" required></label>
                  </div>
                  <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
                  %s<button type="submit">Create the account</button>
                  <p class="switch"><button type="button" class="link" data-show="ask" data-codes>Use a mailed code</button>
                    <button type="button" class="link" data-show="password">I have an account</button></p>
                </form>
                """.formatted(PASSWORD_FIELD.formatted("Password (8 characters or more)", "password", "new-password"));
    }

    private static String forgottenForm() {
        return """
                <form id="forgotten" hidden data-heading="Forgotten password">
                  <p>We send you a link to choose a new password.</p>
                  <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
                  <button type="submit">Send me the link</button>
                  <p class="switch"><button type="button" class="link" data-show="password">Back</button></p>
                </form>
                """;
    }

    private String signedIn() {
        return """
                <section id="in" hidden>
                  <p>You are signed in as <b id="who"></b>. Your projects:</p>
                  <ul id="projects"></ul>
                  <p class="switch"><a href="%s/api/v1/docs">API reference</a>
                    <button type="button" class="link" id="out">Sign out</button></p>
                </section>
                """.formatted(Html.escape(prefix));
    }

    /** Accepted by a click: programs that look into mail follow links too. */
    HtmlPage invitation() {
        return page("Accept the invitation", """
                <h1>You are invited to %s</h1>
                <form id="accept">
                  <p>Accept, and sign in or create your account<span id="for"></span>.</p>
                  <button type="submit">Accept the invitation</button>
                </form>
                %s""".formatted(Html.escape(name()), END));
    }

    /** Where an identity provider's answer leads (contract admin-api 32.1). */
    HtmlPage authenticate() {
        return page("Signing in", """
                <h1 id="handover">Signing you in …</h1>
                %s<p class="switch"><a href="%s/sign-in">Sign in</a></p>
                """.formatted(END, Html.escape(prefix)));
    }

    HtmlPage resetPassword() {
        return page("Choose a new password", """
                <h1>Choose a new password</h1>
                <form id="reset">
                  <p>Every session that is open will end.</p>
                  %s<button type="submit">Save the password</button>
                </form>
                %s<p class="switch"><a href="%s/sign-in">Sign in</a></p>
                """.formatted(
                        PASSWORD_FIELD.formatted("New password (8 characters or more)", "newPassword", "new-password"),
                        END,
                        Html.escape(prefix)));
    }

    HtmlPage verifyEmail() {
        return page("Confirm your address", """
                <h1>Confirm your address</h1>
                <form id="verify">
                  <p>One click, and we know that this address is yours.</p>
                  <button type="submit">Confirm</button>
                </form>
                %s<p class="switch"><a href="%s/sign-in">Sign in</a></p>
                """.formatted(END, Html.escape(prefix)));
    }

    private String name() {
        return platform.map(Platform::name).orElse("Millrace");
    }

    private HtmlPage page(String title, String main) {
        var brand = """
                <p class="brand" id="page" data-prefix="%1$s" data-name="%2$s">%2$s</p>
                """.formatted(Html.escape(prefix), Html.escape(name()));
        return new HtmlPage(
                title + " · " + name(),
                platform.map(known -> known.looks().primaryColor())
                        .filter(color -> COLOR.matcher(color).matches()),
                brand + main,
                SCRIPT,
                embedders);
    }
}
