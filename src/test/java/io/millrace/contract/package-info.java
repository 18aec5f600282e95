/**
 * Holds what is written down against what the server does: the API document, the settings, the error codes.
 *
 * <p>Start reading at {@link io.millrace.contract.ApiDocumentTest}. What single exchanges look like is held by {@link
 * io.millrace.support.ApiClient}, which checks every answer that a test receives.
 */
package io.millrace.contract;
