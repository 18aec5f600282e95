import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { DataTable, type Column } from '../base/components/DataTable';
import { Combobox } from '../base/components/Combobox';
import { Empty } from '../base/components/States';
import { complain, say } from '../base/components/Toasts';
import { useMay } from '../base/permissions';
import { useRows, type Rows } from '../base/query';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { ago } from '../base/time';
import { nameOf, type Asked, type Member } from './model';
import { PersonName } from './PersonName';
import { useRoles } from './useRoles';
import { useTurn } from './useTurn';

const ROWS = 50;

export function MemberList({ projectId, turn, ask }: { projectId: string; turn: number; ask: (asked: Asked) => void }) {
  const rows = useRows<Member>(`members ${projectId}`, (cursor, signal) =>
    api('GET /v1/project-members', { query: { projectId, limit: ROWS, cursor }, signal }),
  );
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  useTurn(turn, rows.reload);
  const columns: Column<Member>[] = [
    { key: 'name', title: t('people.person'), cell: (member) => <PersonName user={member.user} /> },
    { key: 'role', title: t('people.role'), width: '132px', cell: (member) => <RoleOf member={member} rows={rows} /> },
    {
      key: 'since',
      title: t('people.since'),
      width: '132px',
      wideOnly: true,
      cell: (member) => <span class="faint">{ago(member.created, Date.now())}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '56px',
      cell: (member) => (
        <Button
          kind="quiet"
          size="small"
          icon="user-minus"
          needs="WRITE_PROJECT_MEMBER"
          label={`${t('people.remove')}: ${nameOf(member.user)}`}
          onClick={() => ask({ what: 'remove', member })}
        />
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={t('people.members')}
        rows={rows}
        columns={columns}
        id={(member) => member.id}
        empty={
          <div class="card">
            <Empty
              icon="users"
              title={t('people.empty.title')}
              text={t('people.empty.text')}
              needs="WRITE_INVITATION"
              readerText={t('people.empty.reader')}
            />
          </div>
        }
      />
      {!isAdmin && rows.value && rows.value.length > 0 ? <p class="faint">{t('people.note')}</p> : null}
    </>
  );
}

function RoleOf({ member, rows }: { member: Member; rows: Rows<Member> }) {
  const mayChange = useMay('WRITE_PROJECT_MEMBER');
  const roles = useRoles();
  const name = nameOf(member.user);
  const show = (projectRole: Member['projectRole']): void =>
    rows.put((all) => all.map((each) => (each.id === member.id ? { ...each, projectRole } : each)));
  const change = async (role: string): Promise<void> => {
    const chosen = roles.value?.find((each) => each.name === role);
    if (chosen) {
      show(chosen);
    }
    const changed = await api('POST /v1/project-members/{id}', { path: { id: member.id }, body: { role } });
    if (changed.ok) {
      say(t('people.changed', { name, role }));
    } else {
      show(member.projectRole);
      complain(changed.failure);
    }
  };
  if (!mayChange || !roles.value) {
    return <span>{member.projectRole.name}</span>;
  }
  return (
    <Combobox
      small
      label={t('people.roleOf', { name })}
      value={member.projectRole.name}
      options={roles.value.map((role) => ({ value: role.name, label: role.name }))}
      onValue={(role) => void change(role)}
    />
  );
}
