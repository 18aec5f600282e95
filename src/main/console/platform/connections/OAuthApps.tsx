import { useState } from 'preact/hooks';
import { api, type Answer } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { ConfirmDialog } from '../../base/components/ConfirmDialog';
import { changedColumn } from '../../base/components/columns';
import { DataTable, type Column } from '../../base/components/DataTable';
import { Empty } from '../../base/components/States';
import { useRows } from '../../base/query';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { PieceLogo } from '../../builder/canvas/PieceLogo';
import { pieceTitle, summaries } from '../../builder/canvas/pieces';

type App = Answer<'POST /v1/oauth-apps'>;

const ROWS = 50;

export function OAuthApps({ turn, begin }: { turn: number; begin: () => void }) {
  useStore(summaries);
  const [doomed, setDoomed] = useState<App>();
  const rows = useRows<App>(`oauth apps ${turn}`, (cursor, signal) =>
    api('GET /v1/oauth-apps', { query: { limit: ROWS, cursor }, signal }),
  );
  const columns: Column<App>[] = [
    {
      key: 'piece',
      title: t('oauthApps.service'),
      cell: (each) => (
        <div class="connection-name">
          <PieceLogo pieceName={each.pieceName} size={20} />
          <strong class="cut">{pieceTitle(each.pieceName)}</strong>
        </div>
      ),
    },
    {
      key: 'client',
      title: t('oauthApps.clientId'),
      width: '34%',
      cell: (each) => <code class="cut">{each.clientId}</code>,
    },
    changedColumn(),
    {
      key: 'delete',
      title: t('base.delete'),
      hidden: true,
      width: '56px',
      cell: (each) => (
        <Button
          kind="quiet"
          size="small"
          icon="trash-2"
          label={t('keys.deleteTitle', { name: pieceTitle(each.pieceName) })}
          onClick={() => setDoomed(each)}
        />
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={t('platformConnections.apps')}
        rows={rows}
        columns={columns}
        id={(each) => each.id}
        empty={
          <div class="card">
            <Empty icon="key-round" title={t('oauthApps.none')} text={t('oauthApps.noneText')}>
              <Button icon="plus" onClick={begin}>
                {t('oauthApps.new')}
              </Button>
            </Empty>
          </div>
        }
      />
      {doomed ? (
        <ConfirmDialog
          title={t('keys.deleteTitle', { name: pieceTitle(doomed.pieceName) })}
          text={t('oauthApps.deleteText')}
          perform={() => api('DELETE /v1/oauth-apps/{id}', { path: { id: doomed.id } })}
          close={() => setDoomed(undefined)}
          changed={rows.reload}
        />
      ) : null}
    </>
  );
}
