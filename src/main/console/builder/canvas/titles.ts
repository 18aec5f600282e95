const INITIALS = new Set([
  'ai',
  'api',
  'csv',
  'crm',
  'ftp',
  'http',
  'imap',
  'json',
  'mcp',
  'pdf',
  'rss',
  'sftp',
  'smtp',
  'sms',
  'sql',
  'ssh',
  'xml',
]);

/** Title of a piece derived from its package name. */
export function titleFrom(packageName: string): string {
  const words = packageName
    .replace(/^.*piece-/, '')
    .split('-')
    .map((word) => (INITIALS.has(word) ? word.toUpperCase() : word));
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
