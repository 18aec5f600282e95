import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { ConfirmDialog } from '../base/components/ConfirmDialog';
import { DataTable, type Column } from '../base/components/DataTable';
import { RowMenu } from '../base/components/RowMenu';
import { SecretDialog } from '../base/components/SecretDialog';
import { Empty } from '../base/components/States';
import { useMay } from '../base/permissions';
import { useRows } from '../base/query';
import { t } from '../base/text';
import { ago } from '../base/time';
import { ServerDialog } from './ServerDialog';
import { summaryOf, type CustomServer } from './selection';

type Pending = { kind: 'edit' | 'rotate' | 'delete'; server: CustomServer } | { kind: 'create' };

export function ServerList({ projectId }: { projectId: string }) {
  const [pending, setPending] = useState<Pending>();
  const [token, setToken] = useState<string>();
  const mayChange = useMay('WRITE_MCP');
  const rows = useRows<CustomServer>(`mcp servers ${projectId}`, (cursor, signal) =>
    api('GET /v1/mcp/{projectId}/servers', {
      path: { projectId },
      query: { limit: 50, ...(cursor ? { cursor } : {}) },
      signal,
    }),
  );
  const close = (): void => setPending(undefined);
  const create = (
    <Button icon="plus" needs="WRITE_MCP" onClick={() => setPending({ kind: 'create' })}>
      {t('mcp.newServer')}
    </Button>
  );
  const columns: Column<CustomServer>[] = [
    { key: 'name', title: t('flows.column.name'), cell: (server) => <strong class="cut">{server.displayName}</strong> },
    {
      key: 'tools',
      title: t('mcp.tools'),
      width: '42%',
      cell: (server) => <span class="faint cut">{summaryOf(server)}</span>,
    },
    {
      key: 'since',
      title: t('mcp.created'),
      width: '130px',
      wideOnly: true,
      cell: (server) => <span class="faint">{ago(server.created, Date.now())}</span>,
    },
    ...(mayChange
      ? [
          {
            key: 'menu',
            title: t('base.more'),
            hidden: true,
            width: '56px',
            cell: (server: CustomServer) => (
              <RowMenu
                name={server.displayName}
                groups={[
                  {
                    items: [
                      {
                        label: t('mcp.change'),
                        icon: 'pencil' as const,
                        perform: () => setPending({ kind: 'edit', server }),
                      },
                      {
                        label: t('mcp.rotate'),
                        icon: 'rotate-ccw' as const,
                        perform: () => setPending({ kind: 'rotate', server }),
                      },
                    ],
                  },
                  {
                    items: [
                      {
                        label: t('base.delete'),
                        icon: 'trash-2' as const,
                        danger: true,
                        perform: () => setPending({ kind: 'delete', server }),
                      },
                    ],
                  },
                ]}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <p class="faint">{t('mcp.serversText')}</p>
      <div class="row">{create}</div>
      <DataTable
        label={t('mcp.servers')}
        rows={rows}
        columns={columns}
        id={(server) => server.id}
        empty={
          <div class="card">
            <Empty icon="plug" title={t('mcp.noServer')} text={t('mcp.noServerText')} needs="WRITE_MCP" />
          </div>
        }
      />
      {pending?.kind === 'create' || pending?.kind === 'edit' ? (
        <ServerDialog
          projectId={projectId}
          server={pending.kind === 'edit' ? pending.server : undefined}
          close={close}
          saved={(issued) => {
            setToken(issued);
            rows.reload();
          }}
        />
      ) : null}
      {pending?.kind === 'rotate' ? (
        <ConfirmDialog
          title={t('mcp.rotateTitle')}
          text={t('mcp.rotateServerText', { name: pending.server.displayName })}
          submit={t('mcp.rotate')}
          close={close}
          changed={() => undefined}
          perform={async () => {
            const rotated = await api('POST /v1/mcp/{projectId}/servers/{id}/rotate', {
              path: { projectId, id: pending.server.id },
            });
            if (rotated.ok) {
              setToken(rotated.value.token);
            }
            return rotated;
          }}
        />
      ) : null}
      {pending?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('mcp.deleteServerTitle', { name: pending.server.displayName })}
          text={t('mcp.deleteServerText')}
          close={close}
          changed={rows.reload}
          perform={() => api('DELETE /v1/mcp/{projectId}/servers/{id}', { path: { projectId, id: pending.server.id } })}
        />
      ) : null}
      {token ? <SecretDialog title={t('mcp.serverToken')} secret={token} close={() => setToken(undefined)} /> : null}
    </>
  );
}
