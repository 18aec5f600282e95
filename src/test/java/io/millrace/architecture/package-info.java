/**
 * Rules of the main code: permitted imports, and forbidden calls (style, section 5).
 *
 * <p>Start reading at {@link io.millrace.architecture.ArchitectureTest}. Changing the ordered list is allowed, together
 * with a decision record; weakening a rule to make a change pass is not.
 */
package io.millrace.architecture;
