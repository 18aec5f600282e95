/**
 * HTML for people: pages of the server's own, and content of authors that must not act in its name.
 *
 * <p>Every value is escaped by {@link io.millrace.base.http.page.Html}, and a page says what a browser may load ({@link
 * io.millrace.base.http.page.PictureSources}). Start reading at {@link io.millrace.base.http.page.HtmlPage}.
 */
package io.millrace.base.http.page;
