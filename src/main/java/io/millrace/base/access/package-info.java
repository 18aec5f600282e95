/**
 * Authentication and authorization: principals, permissions, and the access rule that every route carries.
 *
 * <p>Start reading at {@link io.millrace.base.access.Access}. The questions that need rows
 * ({@link io.millrace.base.access.Gate}) are declared here and answered by the modules that own the rows.
 */
package io.millrace.base.access;
