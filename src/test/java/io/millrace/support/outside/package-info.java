/**
 * External systems that a server under test calls: mail, models, git, npm, vaults and plain HTTP.
 *
 * <p>Each responds like the real system, records its requests, and can inject failures.
 */
package io.millrace.support.outside;
