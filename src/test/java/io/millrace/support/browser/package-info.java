/**
 * Real browser, driven by the W3C WebDriver protocol.
 *
 * <p>Start reading at {@link io.millrace.support.browser.Browser}.
 */
package io.millrace.support.browser;
