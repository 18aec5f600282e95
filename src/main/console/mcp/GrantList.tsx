import { useState } from 'preact/hooks';
import { api, type Answer } from '../base/api/client';
import { Button } from '../base/components/Button';
import { ConfirmDialog } from '../base/components/ConfirmDialog';
import { DataTable, type Column } from '../base/components/DataTable';
import { Empty } from '../base/components/States';
import { useRows } from '../base/query';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { ago, moment } from '../base/time';

type Grant = {
  id: string;
  created: string;
  expires: string;
  clientName: string | null;
  redirectUri: string;
  userEmail: string;
  projectId: string | null;
};
type Told = Answer<'GET /v1/mcp-oauth/grants'>;

const hostOf = (address: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(address)?.[1] ?? address.split(':')[0]!;

export function GrantList() {
  const projects = useStore(session, (now) => (now.state === 'in' ? now.projects : []));
  const [doomed, setDoomed] = useState<Grant>();
  const rows = useRows<Grant>(
    'grants',
    (_, signal) => api('GET /v1/mcp-oauth/grants', { signal }) as Promise<never> & Promise<Told>,
  );
  const nameOf = (grant: Grant): string => grant.clientName ?? hostOf(grant.redirectUri);
  const columns: Column<Grant>[] = [
    {
      key: 'client',
      title: t('mcp.client'),
      cell: (grant) => (
        <div class="row-name">
          <strong class="cut">{nameOf(grant)}</strong>
          <span class="faint cut">{hostOf(grant.redirectUri)}</span>
        </div>
      ),
    },
    {
      key: 'who',
      title: t('mcp.grantedBy'),
      width: '24%',
      wideOnly: true,
      cell: (grant) => <span class="cut">{grant.userEmail}</span>,
    },
    {
      key: 'what',
      title: t('mcp.opens'),
      width: '22%',
      wideOnly: true,
      cell: (grant) =>
        grant.projectId === null
          ? t('mcp.everyProject')
          : (projects.find((each) => each.id === grant.projectId)?.displayName ?? grant.projectId),
    },
    {
      key: 'since',
      title: t('mcp.since'),
      width: '130px',
      wideOnly: true,
      cell: (grant) => (
        <span class="faint" title={moment(grant.expires)}>
          {ago(grant.created, Date.now())}
        </span>
      ),
    },
    {
      key: 'end',
      title: t('mcp.end'),
      hidden: true,
      width: '104px',
      cell: (grant) => (
        <Button size="small" onClick={() => setDoomed(grant)}>
          {t('mcp.end')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <p class="faint">{t('mcp.grantedText')}</p>
      <DataTable
        label={t('mcp.granted')}
        rows={rows}
        columns={columns}
        id={(grant) => grant.id}
        empty={
          <div class="card">
            <Empty icon="plug" title={t('mcp.noGrant')} text={t('mcp.noGrantText')} />
          </div>
        }
      />
      {doomed ? (
        <ConfirmDialog
          title={t('mcp.endTitle', { name: nameOf(doomed) })}
          text={t('mcp.endText', { who: doomed.userEmail })}
          submit={t('mcp.end')}
          done={t('mcp.ended', { name: nameOf(doomed) })}
          perform={() => api('DELETE /v1/mcp-oauth/grants/{id}', { path: { id: doomed.id } })}
          close={() => setDoomed(undefined)}
          changed={rows.reload}
        />
      ) : null}
    </>
  );
}
