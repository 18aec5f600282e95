/**
 * HTML pages: those of the server, and content of authors that must not act in its name.
 *
 * <p>Every value is escaped by {@link io.millrace.base.http.page.Html}, and the policy of a page restricts the sources of a
 * browser ({@link io.millrace.base.http.page.PictureSources}). Start reading at {@link io.millrace.base.http.page.HtmlPage}.
 */
package io.millrace.base.http.page;
