/**
 * Compares documents with the server: the API document, the settings, the error codes.
 *
 * <p>Start reading at {@link io.millrace.contract.ApiDocumentTest}. {@link io.millrace.support.ApiClient} checks every
 * single response that a test receives.
 */
package io.millrace.contract;
