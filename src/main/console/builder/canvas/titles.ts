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

export function titleFrom(packageName: string): string {
  const words = packageName
    .replace(/^.*piece-/, '')
    .split('-')
    .map((word) => (INITIALS.has(word) ? word.toUpperCase() : word));
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Title of an action derived from its name: `send_request` and `sendRequest` become `Send request`. */
export function actionTitleFrom(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => (INITIALS.has(word) ? word.toUpperCase() : word));
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
