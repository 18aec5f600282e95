import { useEffect, useState } from 'preact/hooks';
import { complain } from '../base/components/Toasts';
import { useCommands } from '../base/commands';
import { Button } from '../base/components/Button';
import { SearchField } from '../base/components/Field';
import { Tabs } from '../base/components/Tabs';
import { narrow, usePlace } from '../base/router';
import { useMay } from '../base/permissions';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { loadPieces } from '../builder/canvas/pieces';
import { Page } from '../frame/Page';
import { ConnectionDialogs } from './ConnectionDialogs';
import { ConnectionList } from './ConnectionList';
import type { Asked } from './model';
import { VariableList } from './VariableList';

const VIEWS = ['connections', 'variables', 'global'] as const;
type View = (typeof VIEWS)[number];

export default function ConnectionsPage({ params }: { params: Record<string, string> }) {
  const projectId = params['projectId']!;
  const { query } = usePlace();
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  const wanted = VIEWS.find((each) => each === query.get('view')) ?? 'connections';
  const view: View = wanted === 'global' && !isAdmin ? 'connections' : wanted;
  const name = query.get('name') ?? '';
  const [asked, setAsked] = useState<Asked>();
  const [turn, setTurn] = useState(0);
  useEffect(() => void loadPieces(projectId).then((failure) => failure && complain(failure)), [projectId]);
  const begin = (): void =>
    setAsked(view === 'variables' ? { what: 'newVariable' } : { what: 'new', global: view === 'global' });
  const title = t(
    view === 'variables' ? 'connections.newVariable' : view === 'global' ? 'connections.newGlobal' : 'connections.new',
  );
  const needs = view === 'variables' ? ('WRITE_VARIABLE' as const) : ('WRITE_APP_CONNECTION' as const);
  useCommands([{ id: 'new-connection', label: title, icon: 'plus', keys: 'c', needs, perform: begin }], [view]);
  const list = { projectId, name, ask: setAsked, turn };
  return (
    <Page
      title={t('nav.connections')}
      actions={
        <Button kind="primary" icon="plus" needs={needs} onClick={begin}>
          {title}
        </Button>
      }>
      <Tabs
        label={t('connections.view')}
        chosen={view}
        onChoose={(key) => narrow({ view: key === 'connections' ? '' : key, name: '' })}
        tabs={[
          { key: 'connections', label: t('nav.connections') },
          ...(useMay('READ_VARIABLE') ? [{ key: 'variables', label: t('connections.variables') }] : []),
          ...(isAdmin ? [{ key: 'global', label: t('connections.global') }] : []),
        ]}>
        <div class="connections">
          <SearchField label={t('connections.search')} value={name} onValue={(value) => narrow({ name: value })} />
          {view === 'variables' ? <VariableList {...list} /> : <ConnectionList {...list} global={view === 'global'} />}
        </div>
      </Tabs>
      {asked ? (
        <ConnectionDialogs
          asked={asked}
          projectId={projectId}
          close={() => setAsked(undefined)}
          changed={() => setTurn((n) => n + 1)}
        />
      ) : null}
    </Page>
  );
}
