/**
 * Words that every room uses: identifiers, JSON, pages, errors, checks of input.
 *
 * <p>Knows nothing of Vert.x, SQL or HTTP. Start reading at {@link io.millrace.core.ErrorCode}.
 */
package io.millrace.core;
