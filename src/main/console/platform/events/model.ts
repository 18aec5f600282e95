import type { EventAction } from '#api';
import type { Answer } from '../../base/api/client';
import { t, type TextKey } from '../../base/text';

export type Destination = Answer<'POST /v1/event-destinations/{id}'>;

/** Kinds of events in the order of the API. */
export const ACTIONS: readonly EventAction[] = [
  'flow.created',
  'flow.deleted',
  'flow.updated',
  'flow.published',
  'flow.activated',
  'flow.deactivated',
  'flow.run.started',
  'flow.run.finished',
  'flow.run.resumed',
  'flow.run.retried',
  'flow.run.replayed',
  'folder.created',
  'folder.updated',
  'folder.deleted',
  'connection.upserted',
  'connection.deleted',
  'variable.upserted',
  'variable.deleted',
  'variable.value.revealed',
  'user.signed.up',
  'user.signed.in',
  'user.password.reset',
  'user.email.verified',
  'signing.key.created',
  'project.role.created',
  'project.role.updated',
  'project.role.deleted',
  'project.release.created',
  'project.replaced',
  'piece.native.installed',
  'code.native.installed',
  'agent.created',
  'agent.updated',
  'agent.published',
  'agent.unpublished',
  'agent.deleted',
  'mcp.grant.revoked',
  'mcp.server.created',
  'mcp.server.updated',
  'mcp.server.deleted',
  'mcp.server.token.rotated',
  'issue.updated',
];

/** Names whose words are not those of the API. */
const names: Record<string, TextKey> = {
  'connection.upserted': 'events.name.connectionSaved',
  'variable.upserted': 'events.name.variableSaved',
  'user.email.verified': 'events.name.emailVerified',
  'project.replaced': 'events.name.projectReplaced',
  'piece.native.installed': 'events.name.nativePiece',
  'code.native.installed': 'events.name.nativePackages',
  'mcp.grant.revoked': 'events.name.grantRevoked',
  'mcp.server.created': 'events.name.serverCreated',
  'mcp.server.updated': 'events.name.serverUpdated',
  'mcp.server.deleted': 'events.name.serverDeleted',
  'mcp.server.token.rotated': 'events.name.serverToken',
  'flow.run': 'events.name.runs',
  mcp: 'nav.mcp',
  signing: 'keys.signing',
  code: 'events.name.packages',
};

export function worded(action: string): string {
  const name = names[action];
  const words = name ? t(name) : action.replaceAll('.', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function eventGroups(): Array<{ subject: string; actions: EventAction[] }> {
  const groups = new Map<string, EventAction[]>();
  for (const action of ACTIONS) {
    const subject = action.startsWith('flow.run.') ? 'flow.run' : action.split('.')[0]!;
    groups.set(subject, [...(groups.get(subject) ?? []), action]);
  }
  return [...groups].map(([subject, actions]) => ({ subject: worded(subject), actions }));
}

/** Subject of an event, from the names in its data; empty if it has none. An id tells a reader nothing. */
export function subjectOf(data: Record<string, unknown>): string {
  for (const key of [
    'flowVersion',
    'flowRun',
    'folder',
    'connection',
    'variable',
    'projectRole',
    'signingKey',
    'release',
    'user',
    'flow',
    'agent',
    'grant',
    'mcpServer',
    'piece',
  ]) {
    const part = data[key];
    if (typeof part === 'object' && part !== null) {
      const named = part as Record<string, unknown>;
      const name =
        named['displayName'] ?? named['flowDisplayName'] ?? named['name'] ?? named['clientName'] ?? named['email'];
      if (typeof name === 'string' && name !== '') {
        return name;
      }
    }
  }
  const packages = data['packages'];
  return Array.isArray(packages) ? packages.join(', ') : '';
}
