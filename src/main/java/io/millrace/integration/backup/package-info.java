/**
 * Scheduled backups: times, target and retention, and the archive of the write-ahead log (decision 0198).
 *
 * <p>{@link io.millrace.base.backup.Backup} defines the content of a backup. Start reading at
 * {@link io.millrace.integration.backup.ScheduledBackups}. One node of the cluster takes each backup, in the background.
 */
package io.millrace.integration.backup;
