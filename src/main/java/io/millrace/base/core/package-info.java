/**
 * Words that every module uses: identifiers, JSON, pages, errors, checks of input.
 *
 * <p>Knows nothing of Vert.x, SQL or HTTP. Start reading at {@link io.millrace.base.core.ErrorCode}.
 */
package io.millrace.base.core;
