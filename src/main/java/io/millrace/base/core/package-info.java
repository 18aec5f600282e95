/**
 * Basic types of all modules: identifiers, JSON, errors.
 *
 * <p>Independent of Vert.x, SQL and HTTP. Start reading at {@link io.millrace.base.core.ErrorCode}. {@code core.input} reads
 * fields and pages of requests, {@code core.text} text of peers, {@code core.memory} saves and estimates memory.
 */
package io.millrace.base.core;
