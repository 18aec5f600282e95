/**
 * Application events and the audit log (contract admin-api 21, 22): the actor and content of each change, written in the
 * transaction of the change itself, so that neither exists without the other.
 *
 * <p>The events of a platform form a hash chain, which reveals a row that was changed, removed or inserted later. Modules
 * above record through {@link io.millrace.account.audit.AuditLog}; the names of users and projects are supplied by
 * {@link io.millrace.account.audit.EventSubjects}. Start reading at {@link io.millrace.account.audit.AuditEvents}.
 */
package io.millrace.account.audit;
