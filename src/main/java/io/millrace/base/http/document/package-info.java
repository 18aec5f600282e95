/**
 * The OpenAPI document and the page that shows it to people.
 *
 * <p>Says what is served and serves nothing else: tests hold the document against the routes. Start reading at {@code
 * ApiDocumentRoutes}.
 */
package io.millrace.base.http.document;
