import type { Answer } from '../base/api/client';
import { count, t } from '../base/text';

export type CustomServer = Answer<'GET /v1/mcp/{projectId}/servers/{id}'>;

export function summaryOf(
  server: Pick<CustomServer, 'allFlows' | 'flowIds' | 'tables' | 'platformTools' | 'disabledTools'>,
): string {
  const groups = [
    ...(server.allFlows
      ? [t('mcp.allFlows')]
      : server.flowIds.length > 0
        ? [count('mcp.someFlows', server.flowIds.length)]
        : []),
    ...(server.tables ? [t('mcp.tableTools')] : []),
    ...(server.platformTools ? [t('mcp.platformTools')] : []),
  ];
  const hidden = server.disabledTools.length > 0 ? ` ${count('mcp.withoutTools', server.disabledTools.length)}` : '';
  return groups.length === 0 ? t('mcp.noTools') : groups.join(', ') + hidden;
}
