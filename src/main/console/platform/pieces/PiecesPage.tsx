import { useState } from 'preact/hooks';
import { api } from '../../base/api/client';
import { Button } from '../../base/components/Button';
import { SearchField } from '../../base/components/Field';
import { Tabs } from '../../base/components/Tabs';
import { complain, say } from '../../base/components/Toasts';
import { useCommands } from '../../base/commands';
import { useQuery } from '../../base/query';
import { narrow, usePlace } from '../../base/router';
import { found } from '../../base/search';
import { t } from '../../base/text';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';
import { usePlatform } from '../usePlatform';
import { inView, type Piece, type View } from './offer';
import { PieceDialogs, type Asked } from './PieceDialogs';
import { PieceList } from './PieceList';
import { PieceRequestList } from './PieceRequestList';

const VIEWS: readonly View[] = ['all', 'installed', 'hidden', 'requests'];

export default function PiecesPage() {
  const [asked, setAsked] = useState<Asked>();
  const install = (): void => setAsked({ what: 'install' });
  const read = (): void => setAsked({ what: 'openapi' });
  useCommands(
    [
      { id: 'install-piece', label: t('pieces.install'), icon: 'plus', keys: 'c', perform: install },
      { id: 'openapi-piece', label: t('openapi.title'), icon: 'file-json', perform: read },
    ],
    [],
  );
  return (
    <PlatformPage
      title={t('pieces.title')}
      actions={
        <>
          <Button icon="file-json" onClick={read}>
            {t('openapi.open')}
          </Button>
          <Button kind="primary" icon="plus" onClick={install}>
            {t('pieces.install')}
          </Button>
        </>
      }>
      {() => <Pieces asked={asked} ask={setAsked} />}
    </PlatformPage>
  );
}

function Pieces({ asked, ask }: { asked: Asked | undefined; ask: (asked: Asked | undefined) => void }) {
  const { query } = usePlace();
  const view = VIEWS.find((each) => each === query.get('view')) ?? 'all';
  const typed = query.get('name') ?? '';
  const { platform, change } = usePlatform();
  const pieces = useQuery<Piece[]>('platform pieces', (signal) =>
    api('GET /v1/pieces', { query: { includeHidden: true, includeTags: true, sortBy: 'NAME' }, signal }),
  );
  const sync = async (): Promise<void> => {
    const done = await api('POST /v1/pieces/sync', {});
    if (done.ok) {
      say(t('pieces.synced'));
      pieces.reload();
    } else {
      complain(done.failure);
    }
  };
  return (
    <Tabs
      label={t('pieces.title')}
      chosen={view}
      onChoose={(key) => narrow({ view: key === 'all' ? '' : key })}
      tabs={VIEWS.map((key) => ({ key, label: t(`pieces.view.${key}`) }))}>
      {view === 'requests' ? (
        <PieceRequestList changed={pieces.reload} />
      ) : (
        <div class="connections">
          <div class="toolbar">
            <SearchField label={t('pieces.search')} value={typed} onValue={(value) => narrow({ name: value })} />
            <span class="spread" />
            <Button size="small" icon="refresh-cw" onClick={() => sync()}>
              {t('pieces.sync')}
            </Button>
          </div>
          <Loaded query={platform}>
            {(offer) => (
              <PieceList
                offer={offer}
                change={change}
                typed={typed}
                view={view}
                ask={ask}
                pieces={{
                  ...pieces,
                  ...(pieces.value ? { value: searched(inView(pieces.value, view, offer), typed) } : {}),
                }}
              />
            )}
          </Loaded>
        </div>
      )}
      {asked ? <PieceDialogs asked={asked} close={() => ask(undefined)} changed={pieces.reload} /> : null}
    </Tabs>
  );
}

const searched = (pieces: Piece[], typed: string): Piece[] =>
  typed === ''
    ? pieces
    : found(pieces, typed, (piece) => `${piece.displayName} ${piece.name} ${(piece.tags ?? []).join(' ')}`);
