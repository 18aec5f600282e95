/**
 * Holds the shape of the main code: who may import whom, and what must never be touched where (style, section 5).
 *
 * <p>Start reading at {@link io.millrace.architecture.ArchitectureTest}. Changing the ordered list is allowed, together
 * with a decision record; weakening a rule to make a change pass is not.
 */
package io.millrace.architecture;
