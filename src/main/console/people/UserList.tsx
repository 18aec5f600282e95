import { api } from '../base/api/client';
import { DataTable, type Column } from '../base/components/DataTable';
import { SmallSelect } from '../base/components/Field';
import { deletion, RowMenu } from '../base/components/RowMenu';
import { Badge } from '../base/components/States';
import { complain, say } from '../base/components/Toasts';
import { useRows, type Rows } from '../base/query';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { ago } from '../base/time';
import { nameOf, PLATFORM_ROLES, type Asked, type PlatformRole, type User } from './model';
import { PersonName } from './PersonName';
import { useTurn } from './useTurn';

const ROWS = 50;

export function UserList({ turn, ask }: { turn: number; ask: (asked: Asked) => void }) {
  const rows = useRows<User>('users of the platform', (cursor, signal) =>
    api('GET /v1/users', { query: { limit: ROWS, cursor }, signal }),
  );
  const me = useStore(session, (now) => (now.state === 'in' ? now.user.id : ''));
  useTurn(turn, rows.reload);
  const columns: Column<User>[] = [
    { key: 'name', title: t('people.person'), cell: (user) => <PersonName user={user} /> },
    {
      key: 'role',
      title: t('people.role'),
      width: '148px',
      cell: (user) =>
        user.id === me ? t(`people.platformRole.${user.platformRole}`) : <RoleOf user={user} rows={rows} />,
    },
    {
      key: 'status',
      title: t('people.status'),
      width: '116px',
      wideOnly: true,
      cell: (user) =>
        user.status === 'ACTIVE' ? (
          <Badge tone="green" icon="circle-check">
            {t('people.status.ACTIVE')}
          </Badge>
        ) : (
          <Badge tone="grey" icon="lock">
            {t('people.status.INACTIVE')}
          </Badge>
        ),
    },
    {
      key: 'seen',
      title: t('people.lastActive'),
      width: '132px',
      wideOnly: true,
      cell: (user) => <span class="faint">{ago(user.lastActiveDate, Date.now())}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (user) =>
        user.id === me ? null : (
          <RowMenu
            name={nameOf(user)}
            groups={[
              {
                items: [
                  user.status === 'ACTIVE'
                    ? { label: t('people.deactivate'), icon: 'lock', perform: () => ask({ what: 'deactivate', user }) }
                    : {
                        label: t('people.activate'),
                        icon: 'lock-open',
                        perform: () =>
                          void change(user, rows, { status: 'ACTIVE' }, t('people.activated', { name: nameOf(user) })),
                      },
                ],
              },
              { items: [deletion(() => ask({ what: 'deleteUser', user }))] },
            ]}
          />
        ),
    },
  ];
  return <DataTable label={t('people.users')} rows={rows} columns={columns} id={(user) => user.id} empty={null} />;
}

/** Reverts and shows the failure if the server refuses. */
async function change(
  user: User,
  rows: Rows<User>,
  part: { status?: User['status']; platformRole?: PlatformRole },
  done: string,
): Promise<void> {
  const show = (now: Partial<User>): void =>
    rows.put((all) => all.map((each) => (each.id === user.id ? { ...each, ...now } : each)));
  show(part);
  const changed = await api('POST /v1/users/{id}', { path: { id: user.id }, body: part });
  if (changed.ok) {
    say(done);
  } else {
    show({ status: user.status, platformRole: user.platformRole });
    complain(changed.failure);
  }
}

function RoleOf({ user, rows }: { user: User; rows: Rows<User> }) {
  const name = nameOf(user);
  return (
    <SmallSelect
      label={t('people.roleOf', { name })}
      value={user.platformRole}
      onValue={(role) =>
        void change(
          user,
          rows,
          { platformRole: role as PlatformRole },
          t('people.changed', { name, role: t(`people.platformRole.${role as PlatformRole}`) }),
        )
      }>
      {PLATFORM_ROLES.map((role) => (
        <option key={role} value={role}>
          {t(`people.platformRole.${role}`)}
        </option>
      ))}
    </SmallSelect>
  );
}
