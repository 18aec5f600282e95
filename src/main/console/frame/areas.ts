import type { IconName } from '../base/components/Icon';
import type { Permission } from '../base/permissions';
import type { TextKey } from '../base/text';

/** `keys` are those of the command that opens the area. */
export interface Area {
  path: string;
  text: TextKey;
  icon: IconName;
  keys: string;
  /** Permission that the role in the project must have; otherwise the area is hidden. */
  needs?: Permission;
}

export const permittedArea = (permissions: ReadonlySet<Permission>, wanted?: string): Area =>
  areas.find((area) => area.path === wanted && isPermitted(area, permissions)) ??
  areas.find((area) => isPermitted(area, permissions)) ??
  areas[0]!;

const isPermitted = (area: Area, permissions: ReadonlySet<Permission>): boolean =>
  area.needs === undefined || permissions.has(area.needs);

export const areas: readonly Area[] = [
  { path: 'flows', text: 'nav.flows', icon: 'workflow', keys: 'g f', needs: 'READ_FLOW' },
  { path: 'runs', text: 'nav.runs', icon: 'activity', keys: 'g r', needs: 'READ_RUN' },
  { path: 'approvals', text: 'approvals.title', icon: 'hand', keys: 'g w', needs: 'READ_RUN' },
  { path: 'tables', text: 'nav.tables', icon: 'table', keys: 'g t', needs: 'READ_TABLE' },
  { path: 'agents', text: 'nav.agents', icon: 'bot', keys: 'g a', needs: 'READ_AGENT' },
  { path: 'connections', text: 'nav.connections', icon: 'plug', keys: 'g c', needs: 'READ_APP_CONNECTION' },
  { path: 'mcp', text: 'nav.mcp', icon: 'sparkles', keys: 'g m', needs: 'READ_MCP' },
  { path: 'people', text: 'people.title', icon: 'users', keys: 'g p', needs: 'READ_PROJECT_MEMBER' },
  { path: 'settings', text: 'nav.settings', icon: 'settings', keys: 'g s', needs: 'READ_PROJECT' },
];
