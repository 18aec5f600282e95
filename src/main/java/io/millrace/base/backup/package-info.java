/**
 * Backups: all data of a server in one file, taken while it runs, and restored into an empty target, embedded or external;
 * and the write-ahead log of the embedded database, by which any moment can be restored (decision 0198).
 *
 * <p>Knows no table: reads the tables, their columns and their references from the catalogue of the database. Blocks
 * throughout; for command-line tools, never for an event loop. Start reading at {@link io.millrace.base.backup.Backup} and
 * {@link io.millrace.base.backup.Restore}, or at {@link io.millrace.base.backup.LogArchive}.
 */
package io.millrace.base.backup;
