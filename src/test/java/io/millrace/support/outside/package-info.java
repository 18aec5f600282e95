/**
 * Systems outside that a server under test reaches: mail, models, git, npm, vaults and plain HTTP.
 *
 * <p>Each answers like the real system, records its requests, and can inject failures.
 */
package io.millrace.support.outside;
