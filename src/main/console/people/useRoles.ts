import { api } from '../base/api/client';
import { success } from '../base/api/failure';
import { useQuery, type Query } from '../base/query';
import type { Role } from './model';

export const useRoles = (): Query<Role[]> =>
  useQuery<Role[]>('roles', async (signal) => {
    const page = await api('GET /v1/project-roles', { signal });
    return page.ok ? success(page.value.data as Role[]) : page;
  });
