package io.millrace.support.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Skips a test class, with a message, if there is no browser. */
@EnabledIf(
        value = "io.millrace.support.browser.Browser#isHere",
        disabledReason = "there is no chromedriver, or no Chromium")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface NeedsBrowser {}
