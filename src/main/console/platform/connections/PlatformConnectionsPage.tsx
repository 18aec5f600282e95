import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { SearchField } from '../../base/components/Field';
import { Tabs } from '../../base/components/Tabs';
import { complain } from '../../base/components/Toasts';
import { useCommands } from '../../base/commands';
import { narrow, usePlace } from '../../base/router';
import { session, usualProject } from '../../base/session';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { loadPieces } from '../../builder/canvas/pieces';
import { ConnectionDialogs } from '../../connections/ConnectionDialogs';
import { ConnectionList } from '../../connections/ConnectionList';
import type { Asked } from '../../connections/model';
import { PlatformPage } from '../PlatformPage';
import { EveryConnection } from './EveryConnection';
import { OAuthAppDialog } from './OAuthAppDialog';
import { OAuthApps } from './OAuthApps';

const VIEWS = ['global', 'every', 'apps'] as const;

export default function PlatformConnectionsPage() {
  const { query } = usePlace();
  const view = VIEWS.find((each) => each === query.get('view')) ?? 'global';
  const name = query.get('name') ?? '';
  const projectId = useStore(session, (now) => (now.state === 'in' ? (usualProject(now.projects)?.id ?? '') : ''));
  const [asked, setAsked] = useState<Asked>();
  const [making, setMaking] = useState(false);
  const [turn, setTurn] = useState(0);
  const changed = (): void => setTurn((n) => n + 1);
  useEffect(() => void loadPieces(projectId).then((failure) => failure && complain(failure)), [projectId]);
  const title = t(view === 'apps' ? 'oauthApps.new' : 'connections.newGlobal');
  const begin = (): void => (view === 'apps' ? setMaking(true) : setAsked({ what: 'new', global: true }));
  useCommands([{ id: 'new-global', label: title, icon: 'plus', keys: 'c', perform: begin }], [view]);
  return (
    <PlatformPage
      title={t('nav.connections')}
      actions={
        <Button kind="primary" icon="plus" onClick={begin}>
          {title}
        </Button>
      }>
      {() => (
        <>
          <Tabs
            label={t('connections.view')}
            chosen={view}
            onChoose={(key) => narrow({ view: key === 'global' ? '' : key, name: '' })}
            tabs={VIEWS.map((key) => ({ key, label: t(`platformConnections.${key}`) }))}>
            <div class="connections">
              {view === 'apps' ? (
                <p class="faint">{t('oauthApps.text')}</p>
              ) : (
                <SearchField
                  label={t('connections.search')}
                  value={name}
                  onValue={(value) => narrow({ name: value })}
                />
              )}
              {view === 'global' ? (
                <ConnectionList projectId={projectId} name={name} global ask={setAsked} turn={turn} />
              ) : view === 'every' ? (
                <EveryConnection name={name} />
              ) : (
                <OAuthApps turn={turn} begin={begin} />
              )}
            </div>
          </Tabs>
          {asked ? (
            <ConnectionDialogs
              asked={asked}
              projectId={projectId}
              close={() => setAsked(undefined)}
              changed={changed}
            />
          ) : null}
          {making ? <OAuthAppDialog close={() => setMaking(false)} changed={changed} /> : null}
        </>
      )}
    </PlatformPage>
  );
}
