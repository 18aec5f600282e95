import type { Route } from '../base/router';

export const platformRoutes: readonly Route[] = [
  { pattern: '/platform', load: () => import('./overview/OverviewPage') },
  { pattern: '/platform/insight', load: () => import('./insight/InsightPage') },
  { pattern: '/platform/audit', load: () => import('./audit/AuditPage') },
  { pattern: '/platform/pieces', load: () => import('./pieces/PiecesPage') },
  { pattern: '/platform/templates', load: () => import('./templates/TemplatesPage') },
  { pattern: '/platform/connections', load: () => import('./connections/PlatformConnectionsPage') },
  { pattern: '/platform/ai', load: () => import('./ai/AiPage') },
  { pattern: '/platform/projects', load: () => import('./projects/ProjectsPage') },
  { pattern: '/platform/users', load: () => import('./users/UsersPage') },
  { pattern: '/platform/sign-on', load: () => import('./signOn/SignOnPage') },
  { pattern: '/platform/keys', load: () => import('./keys/KeysPage') },
  { pattern: '/platform/secrets', load: () => import('./secrets/SecretManagersPage') },
  { pattern: '/platform/embedding', load: () => import('./embedding/EmbeddingPage') },
  { pattern: '/platform/branding', load: () => import('./branding/BrandingPage') },
  { pattern: '/platform/events', load: () => import('./events/EventsPage') },
  { pattern: '/platform/encryption', load: () => import('./encryption/EncryptionPage') },
];
