/**
 * Systems outside that a server under test reaches: mail, models, git, npm, vaults and plain HTTP.
 *
 * <p>Each answers as the real one does, notes what it was asked, and can be told to fail.
 */
package io.millrace.support.outside;
