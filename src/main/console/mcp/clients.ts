import type { TextKey } from '../base/text';

export const addressesOf = (server: string, projectId: string) => ({
  project: `${server}/api/v1/mcp/${projectId}/http`,
  platform: `${server}/mcp/platform`,
});

export interface Client {
  key: string;
  title: string;
  steps: readonly TextKey[];
  /** Text to copy: a command, or the content of a file. */
  code: (address: string, name: string) => string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** All clients sign in through OAuth once they have the address; no token has to be copied. */
export const CLIENTS: readonly Client[] = [
  {
    key: 'claude-code',
    title: 'Claude Code',
    steps: ['mcp.step.terminal', 'mcp.step.signIn'],
    code: (address, name) => `claude mcp add --transport http ${name} ${address}`,
  },
  {
    key: 'claude',
    title: 'Claude',
    steps: ['mcp.step.claude', 'mcp.step.paste', 'mcp.step.signIn'],
    code: (address) => address,
  },
  {
    key: 'chatgpt',
    title: 'ChatGPT',
    steps: ['mcp.step.chatgpt', 'mcp.step.paste', 'mcp.step.signIn'],
    code: (address) => address,
  },
  {
    key: 'cursor',
    title: 'Cursor',
    steps: ['mcp.step.cursor', 'mcp.step.signIn'],
    code: (address, name) => json({ mcpServers: { [name]: { url: address } } }),
  },
  {
    key: 'vscode',
    title: 'VS Code',
    steps: ['mcp.step.vscode', 'mcp.step.signIn'],
    code: (address, name) => json({ servers: { [name]: { type: 'http', url: address } } }),
  },
  {
    key: 'windsurf',
    title: 'Windsurf',
    steps: ['mcp.step.windsurf', 'mcp.step.signIn'],
    code: (address, name) => json({ mcpServers: { [name]: { serverUrl: address } } }),
  },
  {
    key: 'codex',
    title: 'Codex',
    steps: ['mcp.step.codex', 'mcp.step.codexLogin'],
    code: (address, name) => `[mcp_servers.${name}]\nurl = "${address}"`,
  },
  {
    key: 'gemini',
    title: 'Gemini CLI',
    steps: ['mcp.step.gemini', 'mcp.step.signIn'],
    code: (address, name) => json({ mcpServers: { [name]: { httpUrl: address } } }),
  },
  {
    key: 'other',
    title: '',
    steps: ['mcp.step.other'],
    code: (address) => `POST ${address}\nAuthorization: Bearer <token>`,
  },
];

/** Name that every client accepts: letters, digits and dashes. */
export const shortName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'millrace';
