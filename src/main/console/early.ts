/**
 * Script of about 1 KB that the page loads before all others. It sends the first requests of the console while the other scripts
 * load: on a slow connection, requests after the scripts would take one more round trip each.
 */
import { sendEarly } from './base/api/early';
import { lastProject, PROJECTS_MAX } from './base/start';

const PROJECT = /\/projects\/([^/]+)/;

// In a frame of another site the session is not in a cookie.
if (window.parent === window) {
  sendEarly('/v1/flags');
  sendEarly('/v1/users/me');
  const project = PROJECT.exec(location.pathname)?.[1] ?? lastProject();
  if (project) {
    sendEarly('/v1/projects', { limit: PROJECTS_MAX });
    sendEarly('/v1/project-members/role', { projectId: project });
  }
}
