import { api } from '../base/api/client';
import { DataTable, type Column } from '../base/components/DataTable';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { deletion, RowMenu } from '../base/components/RowMenu';
import { Badge } from '../base/components/States';
import { useRows } from '../base/query';
import { count, t } from '../base/text';
import { SUBJECTS, type Asked, type Role } from './model';
import { useTurn } from './useTurn';

const ALL = SUBJECTS.flatMap((subject) => subject.permissions).length;

export function RoleList({ turn, ask, isAdmin }: { turn: number; ask: (asked: Asked) => void; isAdmin: boolean }) {
  const rows = useRows<Role>('roles of the platform', (_, signal) => api('GET /v1/project-roles', { signal }));
  useTurn(turn, rows.reload);
  const columns: Column<Role>[] = [
    {
      key: 'name',
      title: t('people.roles.name'),
      cell: (role) => (
        <button type="button" class="role-name" onClick={() => ask({ what: 'role', role })}>
          <Icon name="shield" />
          {role.name}
        </button>
      ),
    },
    {
      key: 'kind',
      title: t('people.roles.kind'),
      width: '132px',
      wideOnly: true,
      cell: (role) =>
        role.type === 'DEFAULT' ? (
          <Badge tone="grey" icon="lock">
            {t('people.roles.default')}
          </Badge>
        ) : (
          <Badge tone="blue" icon="pencil">
            {t('people.roles.custom')}
          </Badge>
        ),
    },
    {
      key: 'allows',
      title: t('people.roles.allows'),
      width: '160px',
      cell: (role) =>
        role.permissions.length === ALL ? t('people.roles.all') : count('people.roles.count', role.permissions.length),
    },
    {
      key: 'users',
      title: t('people.roles.users'),
      width: '120px',
      wideOnly: true,
      cell: (role) => <span class="faint">{count('people.roles.holders', role.userCount)}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (role) =>
        role.type === 'CUSTOM' && isAdmin ? (
          <RowMenu
            name={role.name}
            groups={[
              {
                items: [
                  { label: t('people.roles.look'), icon: 'pencil', perform: () => ask({ what: 'role', role }) },
                  deletion(() => ask({ what: 'deleteRole', role })),
                ],
              },
            ]}
          />
        ) : (
          <Button
            kind="quiet"
            size="small"
            icon="eye"
            label={`${t('people.roles.look')}: ${role.name}`}
            onClick={() => ask({ what: 'role', role })}
          />
        ),
    },
  ];
  return <DataTable label={t('people.roles')} rows={rows} columns={columns} id={(role) => role.id} empty={null} />;
}
