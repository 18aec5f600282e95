import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { FormDialog } from '../base/components/Dialog';
import { complain, say } from '../base/components/Toasts';
import { count, t } from '../base/text';
import { operate } from './actions';
import { FolderField } from './FolderField';
import { standing, type Flow, type Folder } from './model';

interface Props {
  selected: Flow[];
  folders: Folder[];
  clear: () => void;
  changed: () => void;
}

/** Actions for the selected flows, one after the other; stops at the first refusal. */
export function BulkBar({ selected, folders, clear, changed }: Props) {
  const [asked, setAsked] = useState<'move' | 'delete'>();
  const [isBusy, setIsBusy] = useState(false);
  const [folder, setFolder] = useState('');
  const each = async (
    flows: Flow[],
    perform: (flow: Flow) => Promise<Failure | undefined>,
  ): Promise<Failure | undefined> => {
    for (const flow of flows) {
      const refusal = await perform(flow);
      if (refusal) {
        changed();
        return refusal;
      }
    }
    say(count('flows.bulk.done', flows.length));
    clear();
    changed();
    return undefined;
  };
  const toggle = async (on: boolean): Promise<void> => {
    setIsBusy(true);
    const refusal = await each(
      selected.filter((flow) => standing(flow) === (on ? 'off' : 'on')),
      (flow) => operate(flow.id, 'CHANGE_STATUS', { status: on ? 'ENABLED' : 'DISABLED' }),
    );
    setIsBusy(false);
    if (refusal) {
      complain(refusal);
    }
  };
  const has = (state: string): boolean => selected.some((flow) => standing(flow) === state);
  return (
    <div class="bulk" role="toolbar" aria-label={count('flows.selected', selected.length)}>
      <span class="spread">{count('flows.selected', selected.length)}</span>
      <Button
        size="small"
        icon="circle-play"
        needs="UPDATE_FLOW_STATUS"
        disabled={isBusy || !has('off')}
        onClick={() => toggle(true)}>
        {t('flows.bulk.on')}
      </Button>
      <Button
        size="small"
        icon="circle-pause"
        needs="UPDATE_FLOW_STATUS"
        disabled={isBusy || !has('on')}
        onClick={() => toggle(false)}>
        {t('flows.bulk.off')}
      </Button>
      <Button size="small" icon="folder-input" needs="WRITE_FLOW" disabled={isBusy} onClick={() => setAsked('move')}>
        {t('flows.move')}
      </Button>
      <Button size="small" icon="trash-2" needs="WRITE_FLOW" disabled={isBusy} onClick={() => setAsked('delete')}>
        {t('flows.delete')}
      </Button>
      <Button size="small" kind="quiet" icon="x" label={t('runs.unselect')} onClick={clear} />
      {asked === 'move' ? (
        <FormDialog
          title={t('flows.move')}
          submit={t('base.save')}
          onClose={() => setAsked(undefined)}
          perform={() => each(selected, (flow) => operate(flow.id, 'CHANGE_FOLDER', { folderId: folder || null }))}>
          {() => <FolderField folders={folders} value={folder} onValue={setFolder} />}
        </FormDialog>
      ) : null}
      {asked === 'delete' ? (
        <FormDialog
          danger
          title={count('flows.bulk.delete', selected.length)}
          submit={t('base.delete')}
          onClose={() => setAsked(undefined)}
          perform={() =>
            each(selected, async (flow) => {
              const gone = await api('DELETE /v1/flows/{id}', { path: { id: flow.id } });
              return gone.ok ? undefined : gone.failure;
            })
          }>
          {() => (
            <>
              <p>{t('flows.bulk.deleteText')}</p>
              <p class="faint">{selected.map((flow) => flow.version.displayName).join(', ')}</p>
            </>
          )}
        </FormDialog>
      ) : null}
    </div>
  );
}
