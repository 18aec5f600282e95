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

/** Permissions that a view withholds for as long as it is shown, as the editor of a flow that another person edits. */
export const withheld = createStore<ReadonlySet<Permission>>(new Set());

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

/** True if the role in the current project allows something; without a permission, always. */
const mayByRole = (permission?: Permission): boolean => !permission || (allowed.get()?.permissions.has(permission) ?? false);

/** True if the role in the current project allows something and the view does not withhold it. */
export const may = (permission?: Permission): boolean => mayByRole(permission) && !(permission && withheld.get().has(permission));

/** {@link may} for a view, which is rendered again when the role changes. */
export function useMay(permission?: Permission): boolean {
  const byRole = useRoleMay(permission);
  const isWithheld = useStore(withheld, (all) => permission !== undefined && all.has(permission));
  return byRole && !isWithheld;
}

/** The same by the role alone. */
export const useRoleMay = (permission?: Permission): boolean => useStore(allowed, () => mayByRole(permission));

/** Asks what a role may be refused only where it is not: the view does without. */
export const askIf = <T>(permission: Permission, ask: () => Promise<Result<T>>): Promise<Result<T>> =>
  may(permission) ? ask() : Promise.resolve(refused(failure('PERMISSION_DENIED')));
