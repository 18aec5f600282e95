import type { Permission } from '#api';
import { api, onDenied } from './api/client';
import { failure, refused, success, type Result } from './api/failure';
import { createStore, useStore } from './store';

export type { Permission };

/** What the person's role in a project allows. */
export interface Allowed {
  projectId: string;
  role: string;
  permissions: ReadonlySet<Permission>;
}

/** Of the project that is looked at; undefined while it is not known. */
export const allowed = createStore<Allowed | undefined>(undefined);

export async function roleIn(projectId: string): Promise<Result<Allowed>> {
  const role = await api('GET /v1/project-members/role', { query: { projectId } });
  return role.ok ? success({ projectId, role: role.value.name, permissions: new Set(role.value.permissions) }) : role;
}

// A role may be changed or edited while somebody is here: what is refused then is not offered again.
onDenied(() => {
  const known = allowed.get();
  if (known) {
    void roleIn(known.projectId).then((role) => role.ok && allowed.get()?.projectId === role.value.projectId && allowed.set(role.value));
  }
});

/** Whether the role in the project that is looked at allows something; without a permission, anybody may. */
export const may = (permission?: Permission): boolean => !permission || (allowed.get()?.permissions.has(permission) ?? false);

/** The same for a view, which is rendered again when the role changes. */
export const useMay = (permission?: Permission): boolean => useStore(allowed, () => may(permission));

/** Asks what a role may be refused only where it is not: the view does without. */
export const askIf = <T>(permission: Permission, ask: () => Promise<Result<T>>): Promise<Result<T>> =>
  may(permission) ? ask() : Promise.resolve(refused(failure('PERMISSION_DENIED')));
