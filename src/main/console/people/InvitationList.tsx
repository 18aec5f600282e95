import { api } from '../base/api/client';
import { reliably } from '../base/api/reliably';
import { Button } from '../base/components/Button';
import { DataTable, type Column } from '../base/components/DataTable';
import { complain } from '../base/components/Toasts';
import { useRows } from '../base/query';
import { t } from '../base/text';
import { ago } from '../base/time';
import type { Asked, Invitation } from './model';
import { useTurn } from './useTurn';

const ROWS = 50;

interface Props {
  projectId: string;
  type: 'PROJECT' | 'PLATFORM';
  turn: number;
  ask: (asked: Asked) => void;
}

/** Renders nothing if there are no pending invitations. */
export function InvitationList({ projectId, type, turn, ask }: Props) {
  const rows = useRows<Invitation>(`invitations ${type} ${projectId}`, (cursor, signal) =>
    api('GET /v1/user-invitations', {
      query: { type, status: 'PENDING', limit: ROWS, cursor, ...(type === 'PROJECT' ? { projectId } : {}) },
      signal,
    }),
  );
  useTurn(turn, rows.reload);
  const again = async (invitation: Invitation): Promise<void> => {
    const made = await reliably('POST /v1/user-invitations', {
      body:
        type === 'PROJECT'
          ? { type, email: invitation.email, projectId, projectRole: invitation.projectRole?.name ?? '' }
          : { type, email: invitation.email, platformRole: invitation.platformRole ?? 'MEMBER' },
    });
    if (made.ok) {
      ask({ what: 'link', invitation: made.value });
      rows.reload();
    } else {
      complain(made.failure);
    }
  };
  const needs = type === 'PROJECT' ? ('WRITE_INVITATION' as const) : undefined;
  const roleOf = (invitation: Invitation): string =>
    invitation.projectRole?.name ?? t(`people.platformRole.${invitation.platformRole ?? 'MEMBER'}`);
  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      title: t('people.email'),
      cell: (invitation) => (
        <span class="row-name">
          <span class="cut" title={invitation.email}>
            {invitation.email}
          </span>
          <span class="faint narrow-role">{roleOf(invitation)}</span>
        </span>
      ),
    },
    { key: 'role', title: t('people.role'), width: '160px', wideOnly: true, cell: roleOf },
    {
      key: 'sent',
      title: t('people.sent'),
      width: '132px',
      wideOnly: true,
      cell: (invitation) => <span class="faint">{ago(invitation.updated, Date.now())}</span>,
    },
    {
      key: 'menu',
      title: t('base.more'),
      hidden: true,
      width: '96px',
      cell: (invitation) => (
        <span class="row">
          <Button
            kind="quiet"
            size="small"
            icon="link"
            needs={needs}
            label={`${t('people.sendAgain')}: ${invitation.email}`}
            onClick={() => again(invitation)}
          />
          <Button
            kind="quiet"
            size="small"
            icon="trash-2"
            needs={needs}
            label={`${t('people.revoke')}: ${invitation.email}`}
            onClick={() => ask({ what: 'revoke', invitation })}
          />
        </span>
      ),
    },
  ];
  if (!rows.value?.length && !rows.failure) {
    return null;
  }
  return (
    <section class="column" data-invitations>
      <h2>{t('people.invitations')}</h2>
      <DataTable
        label={t('people.invitations')}
        rows={rows}
        columns={columns}
        id={(invitation) => invitation.id}
        empty={null}
      />
    </section>
  );
}
