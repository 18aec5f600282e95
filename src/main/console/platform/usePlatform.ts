import { api, type Answer } from '../base/api/client';
import { settle, type Failure } from '../base/api/failure';
import { useQuery, type Query } from '../base/query';
import { session } from '../base/session';
import { useStore } from '../base/store';

export type Platform = Answer<'GET /v1/platforms/{id}'>;
type Changes = Record<string, unknown> | FormData;

export function usePlatform(): {
  platform: Query<Platform>;
  change: (changes: Changes) => Promise<Failure | undefined>;
} {
  const id = useStore(session, (now) => (now.state === 'in' ? (now.user.platformId ?? '') : ''));
  const platform = useQuery<Platform>(`platform ${id}`, (signal) =>
    api('GET /v1/platforms/{id}', { path: { id }, signal }),
  );
  const change = async (changes: Changes): Promise<Failure | undefined> => {
    const changed = await api('POST /v1/platforms/{id}', { path: { id }, body: changes });
    return settle(changed, (value) => platform.put(() => value));
  };
  return { platform, change };
}
