/**
 * Application events and the audit log (contract admin-api 21, 22): who changed what, written in the transaction of the
 * change itself, so that neither is there without the other.
 *
 * <p>The events of a platform form a chain: each carries the hash of the one before, so that a row that was changed,
 * taken out or put in later shows. Modules above record through {@link io.millrace.account.audit.AuditLog}; what users and
 * projects are called comes in through {@link io.millrace.account.audit.EventSubjects}. Start reading at {@link io.millrace.account.audit.AuditEvents}.
 */
package io.millrace.account.audit;
