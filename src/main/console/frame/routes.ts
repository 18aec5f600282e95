import type { Route } from '../base/router';
import * as FlowsPage from '../flows/FlowsPage';
import { platformRoutes } from '../platform/routes';
import * as SignInPage from '../start/SignInPage';

/** Modules are loaded on first use; the list of flows and sign-in come with the first load. */
export const routes: readonly Route[] = [
  { pattern: '/projects/:projectId/flows', needs: 'READ_FLOW', load: async () => FlowsPage },
  { pattern: '/projects/:projectId/flows/:flowId', needs: 'READ_FLOW', load: () => import('../builder/BuilderPage') },
  {
    pattern: '/projects/:projectId/flows/:flowId/tests',
    needs: 'READ_FLOW',
    load: () => import('../flowTests/TestsPage'),
  },
  { pattern: '/projects/:projectId/runs', needs: 'READ_RUN', load: () => import('../runs/RunsPage') },
  { pattern: '/projects/:projectId/approvals', needs: 'READ_RUN', load: () => import('../approvals/ApprovalsPage') },
  { pattern: '/projects/:projectId/runs/:runId', needs: 'READ_RUN', load: () => import('../runs/RunPage') },
  { pattern: '/projects/:projectId/tables', needs: 'READ_TABLE', load: () => import('../tables/TablesPage') },
  {
    pattern: '/projects/:projectId/tables/:tableId',
    needs: 'READ_TABLE',
    load: () => import('../tables/grid/TablePage'),
  },
  {
    pattern: '/projects/:projectId/connections',
    needs: 'READ_APP_CONNECTION',
    load: () => import('../connections/ConnectionsPage'),
  },
  { pattern: '/projects/:projectId/people', needs: 'READ_PROJECT_MEMBER', load: () => import('../people/PeoplePage') },
  { pattern: '/projects/:projectId/settings', needs: 'READ_PROJECT', load: () => import('../settings/SettingsPage') },
  { pattern: '/projects/:projectId/agents', needs: 'READ_AGENT', load: () => import('../agents/AgentsPage') },
  { pattern: '/projects/:projectId/agents/:agentId', needs: 'READ_AGENT', load: () => import('../agents/AgentPage') },
  {
    pattern: '/projects/:projectId/agents/:agentId/runs/:runId',
    needs: 'READ_AGENT',
    load: () => import('../agents/AgentRunPage'),
  },
  { pattern: '/projects/:projectId/mcp', needs: 'READ_MCP', load: () => import('../mcp/McpPage') },
  ...platformRoutes,
  { pattern: '/welcome', load: () => import('../start/WelcomePage') },
];

/** Views that need no session. Forms and chats are not part of the console: see `guest/`. */
export const openRoutes: readonly Route[] = [
  { pattern: '/sign-in', load: async () => SignInPage },
  { pattern: '/sign-up', load: async () => SignInPage },
  { pattern: '/invitation', load: () => import('../start/InvitationPage') },
  { pattern: '/reset-password', load: () => import('../start/ResetPage') },
  { pattern: '/verify-email', load: () => import('../start/VerifyPage') },
  { pattern: '/authenticate', load: () => import('../start/HandOverPage') },
];
