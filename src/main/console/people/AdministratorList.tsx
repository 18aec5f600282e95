import { api } from '../base/api/client';
import { Badge } from '../base/components/States';
import { useQuery } from '../base/query';
import { t } from '../base/text';
import { entitled, type User } from './model';
import { PersonName } from './PersonName';
import { useTurn } from './useTurn';

const USERS_MAX = 100;

/** Administrators and operators have access to every project without being its members. */
export function AdministratorList({ turn }: { turn: number }) {
  const users = useQuery<User[]>('users with access to all projects', async (signal) => {
    const page = await api('GET /v1/users', { query: { limit: USERS_MAX }, signal });
    return page.ok ? { ok: true, value: entitled(page.value.data as User[]) } : page;
  });
  useTurn(turn, users.reload);
  if (!users.value?.length) {
    return null;
  }
  return (
    <section class="column" data-administrators>
      <h2>{t('people.everywhere')}</h2>
      <p class="faint">{t('people.everywhere.text')}</p>
      <ul class="card person-list">
        {users.value.map((user) => (
          <li key={user.id}>
            <PersonName user={user} />
            <span class="spread" />
            <Badge tone="grey" icon="shield">
              {t(`people.platformRole.${user.platformRole}`)}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
