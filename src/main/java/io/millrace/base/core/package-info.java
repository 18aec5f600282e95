/**
 * Basic types of all modules: identifiers, JSON, pages, errors, checks of input.
 *
 * <p>Independent of Vert.x, SQL and HTTP. Start reading at {@link io.millrace.base.core.ErrorCode}.
 */
package io.millrace.base.core;
