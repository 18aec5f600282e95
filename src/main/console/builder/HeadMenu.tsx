import { useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button } from '../base/components/Button';
import { Dialog } from '../base/components/Dialog';
import { Menu } from '../base/components/Menu';
import { Failed, Skeleton } from '../base/components/States';
import { complain } from '../base/components/Toasts';
import { useQuery } from '../base/query';
import { navigate } from '../base/router';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { duplicate, exportFile } from '../flows/actions';
import { FlowDialogs } from '../flows/FlowDialogs';
import { hasChanges, type Flow, type Folder } from '../flows/model';
import { notSaved } from './builder';
import { useBuilder } from './context';

const FOLDERS_MAX = 200;

export function HeadMenu({ test, discard }: { test: () => unknown; discard: () => void }) {
  const { builder, focus, projectId } = useBuilder();
  const { flow, version, undo, redo } = useStore(builder.store);
  const [moving, setMoving] = useState(false);
  const [moved, setMoved] = useState<string | null>();
  const label = t('flows.actions', { name: version.displayName });
  /** Performs an action on the flow as the server has it, after pending edits are saved. */
  const saved = (perform: (flow: Flow) => unknown): Promise<unknown> =>
    builder.settled().then((isSaved) => {
      if (isSaved) {
        return perform({ ...(builder.store.get().flow as Flow), ...(moved === undefined ? {} : { folderId: moved }) });
      }
      complain(notSaved());
      return undefined;
    });
  const rename = (): void => {
    const name = document.querySelector<HTMLInputElement>('.editor-name');
    name?.focus();
    name?.select();
  };
  return (
    <>
      <Menu
        label={label}
        button={(wiring) => (
          <Button
            kind="quiet"
            icon="ellipsis"
            label={label}
            onClick={wiring.onClick}
            more={{ 'aria-haspopup': 'menu', 'aria-expanded': wiring['aria-expanded'], 'data-flow-menu': '' }}
          />
        )}
        groups={[
          {
            items: [
              {
                label: t('versions.title'),
                icon: 'history',
                perform: () => focus.update((now) => ({ ...now, side: 'versions' })),
              },
              {
                label: t('flowTests.open'),
                icon: 'flask-conical',
                perform: () => navigate(`/projects/${projectId}/flows/${flow.id}/tests`),
              },
              { label: t('builder.test'), icon: 'play', needs: 'WRITE_FLOW', perform: test },
              ...(hasChanges(flow)
                ? [
                    {
                      label: t('builder.discard'),
                      icon: 'rotate-ccw' as const,
                      needs: 'WRITE_FLOW' as const,
                      perform: discard,
                    },
                  ]
                : []),
              {
                label: t('builder.undo'),
                icon: 'undo-2',
                needs: 'WRITE_FLOW',
                disabled: undo.length === 0,
                perform: () => builder.undo(),
              },
              {
                label: t('builder.redo'),
                icon: 'redo-2',
                needs: 'WRITE_FLOW',
                disabled: redo.length === 0,
                perform: () => builder.redo(),
              },
            ],
          },
          {
            items: [
              {
                label: t('builder.runs'),
                icon: 'activity',
                needs: 'READ_RUN',
                perform: () => navigate(`/projects/${projectId}/runs?flow=${flow.id}`),
              },
              { label: t('base.rename'), icon: 'pencil', needs: 'WRITE_FLOW', perform: rename },
              {
                label: t('flows.duplicate'),
                icon: 'copy',
                needs: 'WRITE_FLOW',
                perform: () => saved((now) => duplicate(now, () => undefined)),
              },
              {
                label: t('flows.move'),
                icon: 'folder-input',
                needs: 'WRITE_FLOW',
                perform: () => saved(() => setMoving(true)),
              },
              { label: t('flows.export'), icon: 'download', perform: () => saved((now) => exportFile(now)) },
            ],
          },
        ]}
      />
      {moving ? (
        <MoveFlow
          close={() => setMoving(false)}
          flow={{ ...(flow as Flow), ...(moved === undefined ? {} : { folderId: moved }) }}
          changed={async () => {
            const now = await api('GET /v1/flows/{id}', { path: { id: flow.id } });
            setMoved(now.ok ? now.value.folderId : undefined);
          }}
        />
      ) : null}
    </>
  );
}

function MoveFlow({ flow, close, changed }: { flow: Flow; close: () => void; changed: () => Promise<void> }) {
  const projectId = flow.projectId;
  const folders = useQuery<Folder[]>(`folders ${projectId}`, async (signal) => {
    const page = await api('GET /v1/folders', { query: { projectId, limit: FOLDERS_MAX }, signal });
    return page.ok ? { ok: true, value: page.value.data as Folder[] } : page;
  });
  return folders.value ? (
    <FlowDialogs
      asked={{ what: 'move', flow }}
      projectId={projectId}
      folders={folders.value}
      close={close}
      changed={() => void changed()}
    />
  ) : (
    <Dialog title={t('flows.move.title', { name: flow.version.displayName })} onClose={close}>
      <div class="body">
        {folders.failure ? <Failed failure={folders.failure} retry={folders.reload} /> : <Skeleton />}
      </div>
    </Dialog>
  );
}
