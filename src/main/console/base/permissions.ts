import type { Permission } from '#api';
import { api, onDenied } from './api/client';
import { failure, refused, success, type Result } from './api/failure';
import { createStore, useStore } from './store';

export type { Permission };

export interface Allowed {
  projectId: string;
  role: string;
  permissions: ReadonlySet<Permission>;
}

/** Permissions in the current project; undefined until they are known. */
export const allowed = createStore<Allowed | undefined>(undefined);

/** Permissions that a view withholds while it is shown, such as those of the flow editor while another user edits. */
export const withheld = createStore<ReadonlySet<Permission>>(new Set());

export async function roleIn(projectId: string): Promise<Result<Allowed>> {
  const role = await api('GET /v1/project-members/role', { query: { projectId } });
  return role.ok ? success({ projectId, role: role.value.name, permissions: new Set(role.value.permissions) }) : role;
}

// The role may have been changed meanwhile: after a refusal, reload the permissions so that the action is no longer offered.
onDenied(() => {
  const known = allowed.get();
  if (known) {
    void roleIn(known.projectId).then(
      (role) => role.ok && allowed.get()?.projectId === role.value.projectId && allowed.set(role.value),
    );
  }
});

const mayByRole = (permission?: Permission): boolean =>
  !permission || (allowed.get()?.permissions.has(permission) ?? false);

export const may = (permission?: Permission): boolean =>
  mayByRole(permission) && !(permission && withheld.get().has(permission));

/** {@link may} for a view, which is rendered again when the role changes. */
export function useMay(permission?: Permission): boolean {
  const byRole = useRoleMay(permission);
  const isWithheld = useStore(withheld, (all) => permission !== undefined && all.has(permission));
  return byRole && !isWithheld;
}

export const useRoleMay = (permission?: Permission): boolean => useStore(allowed, () => mayByRole(permission));

/** Sends a request only if the role allows it; otherwise the result is a local PERMISSION_DENIED. */
export const askIf = <T>(permission: Permission, ask: () => Promise<Result<T>>): Promise<Result<T>> =>
  may(permission) ? ask() : Promise.resolve(refused(failure('PERMISSION_DENIED')));
