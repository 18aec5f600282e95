import type { Command } from '../base/commands';
import type { IconName } from '../base/components/Icon';
import { navigate } from '../base/router';
import { t, type TextKey } from '../base/text';

interface PlatformArea {
  to: string;
  text: TextKey;
  icon: IconName;
}

/** Navigation of administrators, in order. */
export const platformAreas: ReadonlyArray<{ title: TextKey; areas: readonly PlatformArea[] }> = [
  {
    title: 'platform.group.look',
    areas: [
      { to: '/platform', text: 'platform.overview', icon: 'activity' },
      { to: '/platform/insight', text: 'insight.title', icon: 'chart-column' },
      { to: '/platform/audit', text: 'audit.title', icon: 'history' },
    ],
  },
  {
    title: 'platform.group.offer',
    areas: [
      { to: '/platform/pieces', text: 'pieces.title', icon: 'layout-grid' },
      { to: '/platform/templates', text: 'templates.title', icon: 'layout-template' },
      { to: '/platform/connections', text: 'nav.connections', icon: 'plug' },
      { to: '/platform/ai', text: 'ai.title', icon: 'sparkles' },
    ],
  },
  {
    title: 'platform.group.access',
    areas: [
      { to: '/platform/projects', text: 'projects.title', icon: 'folder' },
      { to: '/platform/users', text: 'platform.users', icon: 'users' },
      { to: '/platform/sign-on', text: 'signOn.title', icon: 'lock' },
      { to: '/platform/keys', text: 'keys.title', icon: 'key-round' },
      { to: '/platform/secrets', text: 'secrets.title', icon: 'shield-check' },
      { to: '/platform/embedding', text: 'embedding.title', icon: 'panel-left' },
    ],
  },
  {
    title: 'platform.group.system',
    areas: [
      { to: '/platform/branding', text: 'branding.title', icon: 'sun' },
      { to: '/platform/events', text: 'events.title', icon: 'webhook' },
      { to: '/platform/encryption', text: 'encryption.title', icon: 'rotate-ccw' },
    ],
  },
];

export const isCurrent = (to: string, path: string): boolean =>
  path === to || (to !== '/platform' && path.startsWith(`${to}/`));

export const platformCommands = (): Command[] =>
  platformAreas.flatMap((group) =>
    group.areas.map((area) => ({
      id: `go${area.to}`,
      label: t(area.text),
      icon: area.icon,
      group: t('nav.platform'),
      perform: () => navigate(area.to),
    })),
  );
