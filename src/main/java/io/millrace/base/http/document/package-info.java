/**
 * The OpenAPI document and its HTML pages.
 *
 * <p>Describes the API and serves only the description: tests compare the document with the routes. Start reading at
 * {@code ApiDocumentRoutes}.
 */
package io.millrace.base.http.document;
