import type { Answer } from './api/client';
import { api, onSignedOut } from './api/client';
import { isInFrame } from './api/credentials';
import { prefix } from './prefix';
import { renewals } from './renewal';
import type { Failure } from './api/failure';
import { lastProject, PROJECTS_MAX } from './start';
import { createStore } from './store';
import { applyBrand } from './brand';

export type User = Answer<'GET /v1/users/me'>;
export type Project = Answer<'GET /v1/projects/{id}'>;
export type Flags = Record<string, unknown>;

export type Session =
  | { state: 'starting' }
  | { state: 'failed'; failure: Failure }
  | { state: 'new'; flags: Flags }
  | { state: 'out'; flags: Flags }
  /** `isExpired`: the session is no longer valid; the page stays, and the user signs in over it. */
  | { state: 'in'; flags: Flags; user: User; projects: Project[]; isExpired?: boolean };

export const session = createStore<Session>({ state: 'starting' });

export async function enter(): Promise<void> {
  const before = session.get();
  const [flags, user] = await Promise.all([api('GET /v1/flags', {}), api('GET /v1/users/me', {})]);
  if (!flags.ok) {
    session.set({ state: 'failed', failure: flags.failure });
    return;
  }
  const known = flags.value as Flags;
  applyBrand(known);
  if (before.state === 'in' && before.isExpired && user.ok && user.value.id !== before.user.id) {
    // Another user has signed in: reload, so that no state of the previous user remains.
    location.reload();
    return;
  }
  if (!user.ok) {
    const unknown = user.failure.status === 401 || user.failure.status === 403;
    session.set(
      unknown
        ? { state: known['USER_CREATED'] === true ? 'out' : 'new', flags: known }
        : { state: 'failed', failure: user.failure },
    );
    return;
  }
  const projects = await api('GET /v1/projects', { query: { limit: PROJECTS_MAX } });
  session.set(
    projects.ok
      ? { state: 'in', flags: known, user: user.value, projects: projects.value.data as Project[] }
      : { state: 'failed', failure: projects.failure },
  );
  if (before.state === 'in' && projects.ok) {
    renewals.update((count) => count + 1);
  }
}

export async function reloadProjects(): Promise<void> {
  const projects = await api('GET /v1/projects', { query: { limit: PROJECTS_MAX } });
  if (projects.ok) {
    session.update((now) => (now.state === 'in' ? { ...now, projects: projects.value.data as Project[] } : now));
  }
}

/** Reloads the flags and applies the branding at once. */
export async function reloadFlags(): Promise<void> {
  const flags = await api('GET /v1/flags', {});
  if (flags.ok) {
    applyBrand(flags.value as Flags);
    session.update((now) => (now.state === 'in' ? { ...now, flags: flags.value as Flags } : now));
  }
}

/** Ends the session in this browser and stays on the current path. */
export async function forget(): Promise<void> {
  await api('POST /v1/authentication/sign-out', {});
  session.update((now) => (now.state === 'in' ? { state: 'out', flags: now.flags } : now));
}

export async function signOut(): Promise<void> {
  await api('POST /v1/authentication/sign-out', {});
  location.assign(`${prefix}/`);
}

onSignedOut(() =>
  session.update((now) =>
    now.state !== 'in'
      ? now
      : isInFrame()
        ? { state: 'out', flags: now.flags }
        : now.isExpired
          ? now
          : { ...now, isExpired: true },
  ),
);

export function usualProject(projects: Project[]): Project | undefined {
  const last = lastProject();
  return (
    projects.find((project) => project.id === last) ??
    projects.find((project) => project.type === 'TEAM') ??
    projects[0]
  );
}
