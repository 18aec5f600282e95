/**
 * A real browser, driven as the W3C WebDriver standard says.
 *
 * <p>Start reading at {@link io.millrace.support.browser.Browser}.
 */
package io.millrace.support.browser;
